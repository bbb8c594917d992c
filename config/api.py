"""The REST API, version 1."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from corpus.api.removal import views_of
from corpus.services.removal import KINDS

from .api_archive_imports import (
    ArchiveImportsView,
    ArchiveImportView,
    ArchiveUploadsView,
    ArchiveUploadView,
    StoreArchiveView,
)
from .api_archives import ProjectArchiveDownloadView, ProjectArchivesView, ProjectArchiveView

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("", include("corpus.api.urls")),
    path("", include("annotation.api.urls")),
    path("", include("alignment.api.urls")),
    path("projects/<slug:slug>/archives/", ProjectArchivesView.as_view(), name="api-archives"),
    path("archives/<int:pk>/", ProjectArchiveView.as_view(), name="api-archive"),
    path("archives/<int:pk>/download/", ProjectArchiveDownloadView.as_view(), name="api-archive-download"),
    path("archive-uploads/", ArchiveUploadsView.as_view(), name="api-archive-uploads"),
    path("archive-uploads/<str:token>/", ArchiveUploadView.as_view(), name="api-archive-upload"),
    path("archive-imports/", ArchiveImportsView.as_view(), name="api-archive-imports"),
    path("archive-imports/<int:pk>/", ArchiveImportView.as_view(), name="api-archive-import"),
    path("archive-imports/<int:pk>/store/", StoreArchiveView.as_view(), name="api-archive-import-store"),
    *(
        path(f"{kind.plural}/<int:pk>/{action}/", view, name=f"api-{kind.name}-{action}")
        for kind in KINDS.values()
        for action, view in views_of(kind).items()
    ),
]
