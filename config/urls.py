"""Every address: the pages and the API (under /api/v1/) of each app."""

from typing import Any

from django.urls import include, path
from django.views.decorators.cache import cache_control, cache_page
from drf_spectacular.views import SpectacularAPIView

# Made once in each process, which takes seconds; who keeps a copy asks again whether it has changed.
YEAR = 365 * 24 * 3600
schema = cache_control(no_cache=True)(cache_page(YEAR)(SpectacularAPIView.as_view()))

api: list[Any] = [
    path("schema/", schema, name="api-schema"),
    path("", include("projects.api.urls")),
    path("", include("jobs.api.urls")),
    path("", include("corpus.api.urls")),
    path("", include("annotation.api.urls")),
    path("", include("alignment.api.urls")),
    path("", include("ops.api.urls")),
]
urlpatterns = [
    path("api/v1/", include(api)),
    path("", include("projects.urls")),
    path("", include("jobs.urls")),
    path("", include("corpus.urls")),
    path("", include("annotation.urls")),
    path("", include("alignment.urls")),
    path("", include("ops.urls")),
]

handler400 = "projects.error_responses.unreadable"
handler404 = "projects.error_responses.not_found"
handler500 = "projects.error_responses.broken"
