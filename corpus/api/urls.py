from django.urls import include, path

from projects.api.endpoint import route

from . import (
    articles,
    datasets,
    extractions,
    imports,
    lexicons,
)

in_project = [
    route("imports/", imports.ImportsView, "api-imports"),
    route("imports/<int:pk>/", imports.ImportView, "api-import"),
    route("imports/<int:pk>/store/", imports.StoreImportView, "api-import-store"),
    route("clusters/", articles.ClustersView, "api-clusters"),
    route("articles/", articles.ArticlesView, "api-articles"),
    route("sentences/", articles.SentencesView, "api-sentences"),
    route("extractions/", extractions.ExtractionsView, "api-extractions"),
    route("matchings/", extractions.MatchingsView, "api-matchings"),
    route("headline-matchings/", extractions.HeadlineMatchingsView, "api-headline-matchings"),
    route("text-matchings/", extractions.TextMatchingsView, "api-text-matchings"),
    route("pairs/", articles.PairsView, "api-pairs"),
    route("datasets/", datasets.DatasetsView, "api-datasets"),
    route("datasets/presets/", datasets.PresetDatasetsView, "api-preset-datasets"),
    route("lexicons/", lexicons.LexiconsView, "api-lexicons"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("extractions/<int:pk>/", extractions.ExtractionView, "api-extraction"),
    route("datasets/<int:pk>/", datasets.DatasetView, "api-dataset"),
    route("lexicons/<int:pk>/", lexicons.LexiconView, "api-lexicon"),
    route("lexicons/<int:pk>/file/", lexicons.LexiconFileView, "api-lexicon-file"),
]
