from jobs.operations import operations
from jobs.resources import JOBS
from projects.api.endpoint import ResourceAction, ResourceList, ResourceObject, route

from .operations import operation_view
from .removal import BinEntryView, BinView

urlpatterns = [
    route("projects/<slug:slug>/jobs/", ResourceList, "api-jobs", resource=JOBS),
    route("projects/<slug:slug>/bin/", BinView, "api-bin"),
    route("projects/<slug:slug>/bin/<slug:kind>/<int:pk>/", BinEntryView, "api-bin-entry"),
    *(
        route(f"projects/<slug:slug>/operations/{kind}/", operation_view(operation), f"api-launch-{kind}")
        for kind, operation in operations().items()
    ),
    route("jobs/<int:pk>/", ResourceObject, "api-job", resource=JOBS),
    route("jobs/<int:pk>/cancel/", ResourceAction, "api-job-cancel", resource=JOBS, action="cancel"),
    route("jobs/<int:pk>/retry/", ResourceAction, "api-job-retry", resource=JOBS, action="retry"),
]
