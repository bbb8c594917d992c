"""What a page says where somebody cannot decide disputed items, and the steps that a manager may take."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from annotation.models import Batch, Item
from annotation.permissions import adjudicable_items
from annotation.services.obstacles import Obstacle, obstacles
from projects.models import Project, Role
from projects.permissions import can_manage, check_manage
from projects.services.projects import add_member
from projects.views.project_view import back_to, project_view, user_of

from .letters import letter


@dataclass(frozen=True, slots=True)
class ShownObstacle:
    """An obstacle with the letters of those whose answers are waited for."""

    obstacle: Obstacle
    annotators: list[tuple[str, int]]


def shown_obstacles(
    request: HttpRequest, project: Project, batch: Batch, undecided: Collection[int]
) -> list[ShownObstacle]:
    """Why the reader cannot decide items: managers learn it of the undecided ones, others of the batch."""
    items = Item.objects.filter(batch=batch)
    if can_manage(request.user, project):
        items = items.filter(pk__in=undecided)
    found: list[ShownObstacle] = []
    for one in obstacles(request.user, batch, items):
        people: list[tuple[str, int]] = [
            (letter(name) if name else "nobody yet", count) for name, count in one.annotators.items()
        ]
        found.append(ShownObstacle(one, people))
    return found


def undecided_context(
    request: HttpRequest, project: Project, batch: Batch, undecided: QuerySet[Item]
) -> dict[str, Any]:
    """What a batch's pages say of the disputed items that nobody has decided: how many of them the reader may
    decide, how many not, and why."""
    items = set(undecided.order_by().values_list("pk", flat=True))
    mine = adjudicable_items(request.user, project).filter(batch=batch).order_by()
    to_decide = len(items & set(mine.values_list("pk", flat=True)))
    return {
        "to_decide": to_decide,
        "blocked": len(items) - to_decide,
        "obstacles": shown_obstacles(request, project, batch, items),
    }


@require_POST
@project_view(check_manage)
def become_adjudicator(request: HttpRequest, project: Project, **_: Any) -> HttpResponse:
    """Give the manager who asks the role of an adjudicator; it is logged as every change of roles."""
    user = user_of(request)
    add_member(project=project, by=user, username=user.get_username(), role=Role.ADJUDICATOR)
    messages.success(request, "You are an adjudicator of this project now; the change is logged.")
    return back_to(request, "review", project.slug)
