from django.urls import path

from jobs.services.removal import removable_kinds

from .jobs import JobCancelView, JobRetryView, JobsView, JobView
from .removal import views_of

urlpatterns = [
    path("projects/<slug:slug>/jobs/", JobsView.as_view(), name="api-jobs"),
    path("jobs/<int:pk>/", JobView.as_view(), name="api-job"),
    path("jobs/<int:pk>/cancel/", JobCancelView.as_view(), name="api-job-cancel"),
    path("jobs/<int:pk>/retry/", JobRetryView.as_view(), name="api-job-retry"),
    *(
        path(f"{kind.plural}/<int:pk>/{action}/", view, name=f"api-{kind.name}-{action}")
        for kind in removable_kinds().values()
        for action, view in views_of(kind).items()
    ),
]
