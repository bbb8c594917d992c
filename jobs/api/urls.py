from django.urls import path

from jobs.services.removal import removable_kinds
from projects.api.endpoint import route

from .jobs import JobCancelView, JobRetryView, JobsView, JobView
from .removal import views_of

urlpatterns = [
    route("projects/<slug:slug>/jobs/", JobsView, "api-jobs"),
    route("jobs/<int:pk>/", JobView, "api-job"),
    route("jobs/<int:pk>/cancel/", JobCancelView, "api-job-cancel"),
    route("jobs/<int:pk>/retry/", JobRetryView, "api-job-retry"),
    *(
        path(f"{kind.plural}/<int:pk>/{action}/", view, name=f"api-{kind.name}-{action}")
        for kind in removable_kinds().values()
        for action, view in views_of(kind).items()
    ),
]
