"""What an annotator comes back to: by project what is left, where they stopped, and what is done."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.models import BatchKind
from annotation.services.progress import OwnWork, stopped_at, work_everywhere
from ops.next_step import TASKS
from projects.models import Project


def own_work(request: HttpRequest, visible: list[Project]) -> HttpResponse:
    """The home of somebody who only annotates, in the projects that are `visible`."""
    work = work_everywhere(request.user)
    rows: dict[Project, list[tuple[Any, OwnWork]]] = {project: [] for project in visible}
    for own in work:
        rows[own.batch.project].append((TASKS[BatchKind(own.batch.kind)], own))
    following = stopped_at(work)
    context = {
        "rows": rows.items(),
        "following": following,
        "task": TASKS[BatchKind(following.batch.kind)] if following else None,
        "left": sum(own.left for own in work if own.waits),
    }
    return render(request, "ops/own_work.html", context)
