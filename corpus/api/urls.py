from django.urls import include, path

from projects.api.endpoint import route

from . import (
    articles,
    datasets,
    extractions,
    imports,
    lexicons,
    text_matchings,
)

in_project = [
    route("imports/", imports.ImportsView, "api-imports"),
    route("imports/<int:pk>/", imports.ImportView, "api-import"),
    route("imports/<int:pk>/store/", imports.StoreImportView, "api-import-store"),
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
    route("pairs/", articles.PairsView, "api-pairs"),
    route("datasets/", datasets.DatasetsView, "api-datasets"),
    route("datasets/presets/", datasets.PresetDatasetsView, "api-preset-datasets"),
    route("characteristics/", datasets.CharacteristicsView, "api-characteristics"),
    route("lexicons/", lexicons.LexiconsView, "api-lexicons"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("presets/", extractions.PresetsView, "api-presets"),
    route("extractions/<int:pk>/", extractions.ExtractionView, "api-extraction"),
    route("datasets/<int:pk>/", datasets.DatasetView, "api-dataset"),
    route("lexicons/<int:pk>/", lexicons.LexiconView, "api-lexicon"),
    route("lexicons/<int:pk>/entries/", lexicons.LexiconEntriesView, "api-lexicon-entries"),
    route("lexicons/<int:pk>/file/", lexicons.LexiconFileView, "api-lexicon-file"),
    route("lexicons/<int:pk>/rating/", lexicons.LexiconRatingView, "api-lexicon-rating"),
]
