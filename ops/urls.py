"""Addresses of the overview of projects, their archives and health checks."""

from django.urls import path

from .health import livez, readyz
from .metrics import metrics
from .views import data
from .views.finding import find
from .views.lineage import gold_pair
from .views.overview import example_data, icon, own_decisions, project, projects

urlpatterns = [
    path("livez", livez, name="livez"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("favicon.ico", icon, name="icon"),
    path("", projects, name="projects"),
    path("deleted-projects/", data.deleted, name="deleted-projects"),
    path("deleted-projects/<int:pk>/restore/", data.restore, name="project-restore"),
    path("accounts/data/", data.person_data, name="account-data"),
    path("people/<int:pk>/data/", data.person_data, name="person-data"),
    path("people/<int:pk>/delete/", data.person_delete, name="person-delete"),
    path("projects/<slug:slug>/settings/delete/", data.project_delete, name="project-delete"),
    path("projects/<slug:slug>/", project, name="project"),
    path("projects/<slug:slug>/find/", find, name="find"),
    path("projects/<slug:slug>/batches/<int:pk>/decisions/", own_decisions, name="own-decisions"),
    path("projects/<slug:slug>/example-data/", example_data, name="example-data"),
    path("projects/<slug:slug>/gold/pairs/<int:pk>/", gold_pair, name="gold-pair"),
    path("projects/<slug:slug>/export/archives/", data.archives, name="archives"),
    path("projects/<slug:slug>/export/archives/<int:pk>/download/", data.download, name="archive-download"),
    path("projects/<slug:slug>/export/archives/<int:pk>/delete/", data.delete, name="archive-delete"),
]
