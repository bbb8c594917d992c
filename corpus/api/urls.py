from django.urls import include, path

from . import (
    articles,
    datasets,
    extractions,
    fetches,
    imports,
    lexicons,
    main_text,
    matching_studies,
    uploads,
)

in_project = [
    path("imports/", imports.ImportsView.as_view(), name="api-imports"),
    path("imports/<int:pk>/", imports.ImportView.as_view(), name="api-import"),
    path("imports/<int:pk>/store/", imports.StoreImportView.as_view(), name="api-import-store"),
    path("imports/<int:pk>/pages/", main_text.ImportPagesView.as_view(), name="api-import-pages"),
    path("imports/<int:pk>/method/", main_text.ImportMethodView.as_view(), name="api-import-method"),
    path("marked-pages/", main_text.MarkedPagesView.as_view(), name="api-marked-pages"),
    path("marked-pages/<int:pk>/", main_text.MarkedPageView.as_view(), name="api-marked-page"),
    path("story-models/", main_text.MainTextModelsView.as_view(), name="api-story-models"),
    path("story-models/<int:pk>/", main_text.MainTextModelView.as_view(), name="api-story-model"),
    path("fetches/", fetches.FetchesView.as_view(), name="api-fetches"),
    path("fetches/<int:pk>/", fetches.FetchView.as_view(), name="api-fetch"),
    path("fetches/<int:pk>/addresses/", fetches.FetchedAddressesView.as_view(), name="api-fetched-addresses"),
    path("fetches/<int:pk>/import/", fetches.FetchImportView.as_view(), name="api-fetch-import"),
    path("uploads/", uploads.UploadsView.as_view(), name="api-uploads"),
    path("uploads/<str:token>/", uploads.UploadView.as_view(), name="api-upload"),
    path("clusters/", articles.ClustersView.as_view(), name="api-clusters"),
    path(
        "clusters/<int:pk>/near-duplicates/",
        articles.NearDuplicatesView.as_view(),
        name="api-near-duplicates",
    ),
    path("articles/", articles.ArticlesView.as_view(), name="api-articles"),
    path("sentences/", articles.SentencesView.as_view(), name="api-sentences"),
    path("presets/", extractions.ProjectPresetsView.as_view(), name="api-project-presets"),
    path("presets/<int:pk>/", extractions.ProjectPresetView.as_view(), name="api-project-preset"),
    path("extractions/", extractions.ExtractionsView.as_view(), name="api-extractions"),
    path("extractions/dry-run/", extractions.ExtractionDryRunView.as_view(), name="api-extraction-dry-run"),
    path("matchings/", extractions.MatchingsView.as_view(), name="api-matchings"),
    path("headline-matchings/", extractions.HeadlineMatchingsView.as_view(), name="api-headline-matchings"),
    path("matchings/estimate/", extractions.MatchingEstimateView.as_view(), name="api-matching-estimate"),
    path("matching-studies/", matching_studies.MatchingStudiesView.as_view(), name="api-matching-studies"),
    path("pairs/", articles.PairsView.as_view(), name="api-pairs"),
    path("datasets/", datasets.DatasetsView.as_view(), name="api-datasets"),
    path("datasets/presets/", datasets.PresetDatasetsView.as_view(), name="api-preset-datasets"),
    path("characteristics/", datasets.CharacteristicsView.as_view(), name="api-characteristics"),
    path("lexicons/", lexicons.LexiconsView.as_view(), name="api-lexicons"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    path("presets/", extractions.PresetsView.as_view(), name="api-presets"),
    path(
        "matching-studies/<int:pk>/", matching_studies.MatchingStudyView.as_view(), name="api-matching-study"
    ),
    path("extractions/<int:pk>/", extractions.ExtractionView.as_view(), name="api-extraction"),
    path("datasets/<int:pk>/", datasets.DatasetView.as_view(), name="api-dataset"),
    path("lexicons/<int:pk>/", lexicons.LexiconView.as_view(), name="api-lexicon"),
    path("lexicons/<int:pk>/entries/", lexicons.LexiconEntriesView.as_view(), name="api-lexicon-entries"),
    path("lexicons/<int:pk>/rating/", lexicons.LexiconRatingView.as_view(), name="api-lexicon-rating"),
]
