"""Addresses of the overview of projects, their archives and health checks."""

from django.urls import path

from ops.views.archives import archives, delete, download

from .health import livez, readyz
from .metrics import metrics
from .views import deletion
from .views.lineage import gold_pair
from .views.overview import example_data, icon, project, projects

urlpatterns = [
    path("livez", livez, name="livez"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("favicon.ico", icon, name="icon"),
    path("", projects, name="projects"),
    path("deleted-projects/", deletion.deleted, name="deleted-projects"),
    path("deleted-projects/<int:pk>/restore/", deletion.restore, name="project-restore"),
    path("accounts/data/", deletion.person_data, name="account-data"),
    path("people/<int:pk>/data/", deletion.person_data, name="person-data"),
    path("people/<int:pk>/delete/", deletion.person_delete, name="person-delete"),
    path("projects/<slug:slug>/settings/delete/", deletion.project_delete, name="project-delete"),
    path("projects/<slug:slug>/", project, name="project"),
    path("projects/<slug:slug>/example-data/", example_data, name="example-data"),
    path("projects/<slug:slug>/gold/pairs/<int:pk>/", gold_pair, name="gold-pair"),
    path("projects/<slug:slug>/export/archives/", archives, name="archives"),
    path("projects/<slug:slug>/export/archives/<int:pk>/download/", download, name="archive-download"),
    path("projects/<slug:slug>/export/archives/<int:pk>/delete/", delete, name="archive-delete"),
]
