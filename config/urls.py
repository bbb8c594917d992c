"""Every address: the pages and the API (under /api/v1/) of each app."""

from typing import Any

from django.urls import include, path

from projects.api.openapi import SchemaView

api: list[Any] = [
    # First, because most requests are those of annotators.
    path("", include("annotation.api.urls")),
    path("schema/", SchemaView.as_view(), name="api-schema"),
    path("", include("projects.api.urls")),
    path("", include("jobs.api.urls")),
    path("", include("corpus.api.urls")),
    path("", include("alignment.api.urls")),
    path("", include("ops.project_api")),
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
