from django.urls import include, path

from corpus import imports as kinds
from corpus.resources import ARTICLES, CLUSTERS, DATASETS, EXTRACTIONS, PAIRS, SENTENCES
from jobs.api.removal import RemovableObject
from projects.api.endpoint import ResourceList, route

from . import imports

in_project = [
    route("imports/", imports.import_view(kinds.ARTICLES, imports.ImportsView), "api-imports"),
    route("imports/<int:pk>/", imports.ImportView, "api-import"),
    route("imports/<int:pk>/store/", imports.StoreImportView, "api-import-store"),
    route("clusters/", ResourceList, "api-clusters", resource=CLUSTERS),
    route("articles/", ResourceList, "api-articles", resource=ARTICLES),
    route("sentences/", ResourceList, "api-sentences", resource=SENTENCES),
    route("extractions/", ResourceList, "api-extractions", resource=EXTRACTIONS),
    route("pairs/", ResourceList, "api-pairs", resource=PAIRS),
    route("datasets/", ResourceList, "api-datasets", resource=DATASETS),
]

urlpatterns = [
    path("projects/<slug:slug>/", include(in_project)),
    route("extractions/<int:pk>/", RemovableObject, "api-extraction", resource=EXTRACTIONS),
    route("datasets/<int:pk>/", RemovableObject, "api-dataset", resource=DATASETS),
]
