from jobs.operations import operations
from projects.api.endpoint import route

from .jobs import JobCancelView, JobRetryView, JobsView, JobView
from .operations import operation_view

urlpatterns = [
    route("projects/<slug:slug>/jobs/", JobsView, "api-jobs"),
    *(
        route(f"projects/<slug:slug>/operations/{kind}/", operation_view(operation), f"api-launch-{kind}")
        for kind, operation in operations().items()
    ),
    route("jobs/<int:pk>/", JobView, "api-job"),
    route("jobs/<int:pk>/cancel/", JobCancelView, "api-job-cancel"),
    route("jobs/<int:pk>/retry/", JobRetryView, "api-job-retry"),
]
