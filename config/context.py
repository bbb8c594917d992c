"""What every page needs to know of the installation and of the project it is in.

What costs queries is worked out when a page shows it: the annotation pages and the progress of a job, asked
for every second, show no navigation.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from jobs.services.liveness import liveness
from ops.navigation import project_of, stages
from projects.permissions import can_manage


def installation(request: HttpRequest) -> dict[str, Any]:
    context: dict[str, Any] = {"version": settings.VERSION}
    if request.user.is_authenticated:
        context["liveness"] = SimpleLazyObject(liveness)
    return context


def navigation(request: HttpRequest) -> dict[str, Any]:
    project = project_of(request)
    if project is None:
        return {}
    return {
        "project": project,
        "stages": SimpleLazyObject(lambda: stages(request, project)),
        "manages": SimpleLazyObject(lambda: can_manage(request.user, project)),
    }
