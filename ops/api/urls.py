from django.urls import path

from .archive_imports import (
    ArchiveImportsView,
    ArchiveImportView,
    ArchiveUploadsView,
    ArchiveUploadView,
    StoreArchiveView,
)
from .archives import ProjectArchiveDownloadView, ProjectArchivesView, ProjectArchiveView

urlpatterns = [
    path("projects/<slug:slug>/archives/", ProjectArchivesView.as_view(), name="api-archives"),
    path("archives/<int:pk>/", ProjectArchiveView.as_view(), name="api-archive"),
    path("archives/<int:pk>/download/", ProjectArchiveDownloadView.as_view(), name="api-archive-download"),
    path("archive-uploads/", ArchiveUploadsView.as_view(), name="api-archive-uploads"),
    path("archive-uploads/<str:token>/", ArchiveUploadView.as_view(), name="api-archive-upload"),
    path("archive-imports/", ArchiveImportsView.as_view(), name="api-archive-imports"),
    path("archive-imports/<int:pk>/", ArchiveImportView.as_view(), name="api-archive-import"),
    path("archive-imports/<int:pk>/store/", StoreArchiveView.as_view(), name="api-archive-import-store"),
]
