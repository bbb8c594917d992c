"""The REST API, version 1."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("", include("corpus.api.urls")),
    path("", include("annotation.api.urls")),
    path("", include("alignment.api.urls")),
]
