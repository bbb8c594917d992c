from django.urls import include, path

from projects.api.endpoint import route

from . import (
    articles,
    datasets,
    extractions,
    fetches,
    imports,
    lexicons,
    main_text,
    text_matchings,
    uploads,
)

in_project = [
    route("imports/", imports.ImportsView, "api-imports"),
    route("imports/<int:pk>/", imports.ImportView, "api-import"),
    route("imports/<int:pk>/store/", imports.StoreImportView, "api-import-store"),
    route("imports/<int:pk>/pages/", main_text.ImportPagesView, "api-import-pages"),
    route("imports/<int:pk>/method/", main_text.ImportMethodView, "api-import-method"),
    route("marked-pages/", main_text.MarkedPagesView, "api-marked-pages"),
    route("marked-pages/<int:pk>/", main_text.MarkedPageView, "api-marked-page"),
    route("story-models/", main_text.MainTextModelsView, "api-story-models"),
    route("story-models/<int:pk>/", main_text.MainTextModelView, "api-story-model"),
    route("fetches/", fetches.FetchesView, "api-fetches"),
    route("fetches/<int:pk>/", fetches.FetchView, "api-fetch"),
    route("fetches/<int:pk>/addresses/", fetches.FetchedAddressesView, "api-fetched-addresses"),
    route("fetches/<int:pk>/import/", fetches.FetchImportView, "api-fetch-import"),
    route("uploads/", uploads.UploadsView, "api-uploads"),
    route("uploads/<str:token>/", uploads.UploadView, "api-upload"),
    route("clusters/", articles.ClustersView, "api-clusters"),
    route("articles/", articles.ArticlesView, "api-articles"),
    route("sentences/", articles.SentencesView, "api-sentences"),
    route("presets/", extractions.ProjectPresetsView, "api-project-presets"),
    route("presets/<int:pk>/", extractions.ProjectPresetView, "api-project-preset"),
    route("extractions/", extractions.ExtractionsView, "api-extractions"),
    route("extractions/dry-run/", extractions.ExtractionDryRunView, "api-extraction-dry-run"),
    route("matchings/", extractions.MatchingsView, "api-matchings"),
    route("headline-matchings/", extractions.HeadlineMatchingsView, "api-headline-matchings"),
    route("matchings/estimate/", extractions.MatchingEstimateView, "api-matching-estimate"),
    route("text-matchings/", text_matchings.TextMatchingsView, "api-text-matchings"),
    route("external-datasets/", datasets.ExternalDatasetsView, "api-external-datasets"),
    route("pairs/", articles.PairsView, "api-pairs"),
    route("datasets/", datasets.DatasetsView, "api-datasets"),
    route("datasets/presets/", datasets.PresetDatasetsView, "api-preset-datasets"),
    route("characteristics/", datasets.CharacteristicsView, "api-characteristics"),
    route("lexicons/", lexicons.LexiconsView, "api-lexicons"),
    route("lexicon-files/", lexicons.LexiconFilesView, "api-lexicon-files"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("presets/", extractions.PresetsView, "api-presets"),
    route("external-datasets/<int:pk>/", datasets.ExternalDatasetView, "api-external-dataset"),
    route("external-datasets/<int:pk>/sample/", datasets.ExternalSampleView, "api-external-sample"),
    route("extractions/<int:pk>/", extractions.ExtractionView, "api-extraction"),
    route("datasets/<int:pk>/", datasets.DatasetView, "api-dataset"),
    route("lexicons/<int:pk>/", lexicons.LexiconView, "api-lexicon"),
    route("lexicons/<int:pk>/entries/", lexicons.LexiconEntriesView, "api-lexicon-entries"),
    route("lexicons/<int:pk>/file/", lexicons.LexiconFileView, "api-lexicon-file"),
    route("lexicons/<int:pk>/rating/", lexicons.LexiconRatingView, "api-lexicon-rating"),
]
