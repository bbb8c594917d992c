from django.urls import include, path

from corpus.imports import ARTICLES
from projects.api.endpoint import route

from . import (
    articles,
    datasets,
    extractions,
    imports,
)

in_project = [
    route("imports/", imports.import_view(ARTICLES, imports.ImportsView), "api-imports"),
    route("imports/<int:pk>/", imports.ImportView, "api-import"),
    route("imports/<int:pk>/store/", imports.StoreImportView, "api-import-store"),
    route("clusters/", articles.ClustersView, "api-clusters"),
    route("articles/", articles.ArticlesView, "api-articles"),
    route("sentences/", articles.SentencesView, "api-sentences"),
    route("extractions/", extractions.ExtractionsView, "api-extractions"),
    route("pairs/", articles.PairsView, "api-pairs"),
    route("datasets/", datasets.DatasetsView, "api-datasets"),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("extractions/<int:pk>/", extractions.ExtractionView, "api-extraction"),
    route("datasets/<int:pk>/", datasets.DatasetView, "api-dataset"),
]
