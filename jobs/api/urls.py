from projects.api.endpoint import route

from .jobs import JobCancelView, JobRetryView, JobsView, JobView

urlpatterns = [
    route("projects/<slug:slug>/jobs/", JobsView, "api-jobs"),
    route("jobs/<int:pk>/", JobView, "api-job"),
    route("jobs/<int:pk>/cancel/", JobCancelView, "api-job-cancel"),
    route("jobs/<int:pk>/retry/", JobRetryView, "api-job-retry"),
]
