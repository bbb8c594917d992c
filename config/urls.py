"""Every address: pages by app, the API under /api/v1/, health checks."""

from django.urls import include, path

from corpus.services.removal import KINDS

from .health import livez, readyz
from .views.archive_imports import archive_import, archive_import_progress, archive_imports
from .views.archives import archives, delete, download
from .views.lineage import gold_pair
from .views.project import project
from .views.projects import projects
from .views.removal import removal_page

urlpatterns = [
    path("livez", livez, name="livez"),
    path("readyz", readyz, name="readyz"),
    path("api/v1/", include("config.api")),
    path("", projects, name="projects"),
    path("", include("corpus.urls")),
    path("projects/<slug:slug>/", project, name="project"),
    path("projects/<slug:slug>/gold/pairs/<int:pk>/", gold_pair, name="gold-pair"),
    path("projects/<slug:slug>/export/archives/", archives, name="archives"),
    path("projects/<slug:slug>/export/archives/<int:pk>/download/", download, name="archive-download"),
    path("projects/<slug:slug>/export/archives/<int:pk>/delete/", delete, name="archive-delete"),
    path("archives/", archive_imports, name="archive-imports"),
    path("archives/<int:pk>/", archive_import, name="archive-import"),
    path("archives/<int:pk>/progress/", archive_import_progress, name="archive-import-progress"),
    path("", include("annotation.urls")),
    path("", include("alignment.urls")),
    *(
        path(
            f"projects/<slug:slug>/remove/{kind}/<int:pk>/",
            removal_page,
            {"kind": kind},
            name=f"{kind}-removal",
        )
        for kind in KINDS
    ),
]

handler400 = "config.views.errors.unreadable"
handler404 = "config.views.errors.not_found"
handler500 = "config.views.errors.broken"
