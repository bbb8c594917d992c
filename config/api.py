"""The REST API, version 1."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("", include("projects.api.urls")),
    path("", include("jobs.api.urls")),
    path("", include("corpus.api.urls")),
    path("", include("annotation.api.urls")),
    path("", include("alignment.api.urls")),
    path("", include("ops.api.urls")),
]
