"""Addresses of jobs, of archiving and deleting what they made, and of the bin."""

from django.urls import path

from projects.views.lists import list_view

from .resources import JOBS
from .views import jobs
from .views.launching import launch
from .views.removal import bin_page, removal_page

urlpatterns = [
    path("projects/<slug:slug>/launch/<slug:kind>/", launch, name="launch"),
    path("projects/<slug:slug>/jobs/", list_view(JOBS), name="jobs"),
    path("projects/<slug:slug>/jobs/<int:pk>/progress/", jobs.job_progress, name="job-progress"),
    path(
        "projects/<slug:slug>/jobs/<int:pk>/cancel/", jobs.job_action, {"action": "cancel"}, name="job-cancel"
    ),
    path("projects/<slug:slug>/jobs/<int:pk>/retry/", jobs.job_action, {"action": "retry"}, name="job-retry"),
    path("projects/<slug:slug>/bin/", bin_page, name="bin"),
    path("projects/<slug:slug>/remove/<slug:kind>/<int:pk>/", removal_page, name="removal"),
]
