"""Every address: the pages and the API (under /api/v1/) of each app."""

from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("config.api")),
    path("", include("projects.urls")),
    path("", include("jobs.urls")),
    path("", include("corpus.urls")),
    path("", include("annotation.urls")),
    path("", include("alignment.urls")),
    path("", include("ops.urls")),
]

handler400 = "config.errors.unreadable"
handler404 = "config.errors.not_found"
handler500 = "config.errors.broken"
