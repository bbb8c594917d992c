"""The first page, with the projects one is in and what waits in each; and a project's own page.

Whoever only annotates sees by project what is left, where they stopped, and what is done.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from alignment.services.disputes import disputes_of
from annotation.models import BatchKind
from annotation.services.progress import OwnWork, stopped_at, waiting_for, work_everywhere
from annotation.views.progress import answers_a_day
from corpus.models import Cluster
from corpus.services.characteristics import pairs_of
from ops.deletion.projects import deleted_projects
from ops.demo import EXAMPLE, launch_example
from ops.facts import Facts
from ops.next_step import TASKS, decisions, own_actions, undecided
from ops.overview import overview_of
from ops.own_decisions import own_differences, shown_batches
from projects.guidelines import guidelines_html
from projects.models import Membership, Project, Role
from projects.permissions import ADMIN, MANAGERS, READERS, can_create_projects, check_manage
from projects.views.figures import page_with_figures
from projects.views.project_view import POST, SAFE, any_member, project_view, user_of

ICON = Path(settings.BASE_DIR) / "static/css/icon.svg"
DECIDING = frozenset({Role.MANAGER, Role.ADJUDICATOR})


@require_safe
def projects(request: HttpRequest) -> HttpResponse:
    """The projects of the user. The size of a corpus is shown only to those who may read it."""
    user: Any = request.user
    visible = list(Project.objects.visible_to(user))
    if not user.is_superuser and set(user.memberships.values_list("role", flat=True)) == {Role.ANNOTATOR}:
        return own_work(request, visible)
    roles: dict[int, set[str]] = {project.pk: {ADMIN} if user.is_superuser else set() for project in visible}
    for project_id, role in Membership.objects.filter(user=user).values_list("project_id", "role"):
        roles.setdefault(project_id, set()).add(role)
    clusters = dict(Cluster.objects.of_corpus().order_by().values_list("project").annotate(n=Count("pk")))
    waiting = waiting_for(user)
    rows = []
    for project in visible:
        reads = bool(roles[project.pk] & READERS)
        actions = own_actions([entry for entry in waiting if entry.batch.project_id == project.pk])
        if roles[project.pk] & DECIDING:
            disputes = disputes_of(user, project)
            actions += decisions(disputes)
            if roles[project.pk] & MANAGERS:
                actions += undecided(project, disputes)
        rows.append(
            {
                "project": project,
                "roles": [
                    _(Role(role).label) if role in Role.values else _("Administrator")
                    for role in sorted(roles[project.pk])
                ],
                "clusters": clusters.get(project.pk, 0) if reads else None,
                "pairs": pairs_of(project) if reads else None,
                "waiting": actions,
            }
        )
    context = {"rows": rows, "creates": can_create_projects(user), "deleted": deleted_projects(user).count()}
    return render(request, "ops/projects.html", context)


DAYS_OF_A_WEEK = 7


@project_view(any_member, SAFE)
def project(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's first page; `?part=live` is the part of it that the page asks for again and again."""
    facts = request.facts = Facts(request.user, project)  # type: ignore[attr-defined]  # for the navigation
    overview = overview_of(facts)
    # The bars of less than a week say nothing.
    days = overview.days if any(answers for _, answers in overview.days[:-DAYS_OF_A_WEEK]) else []
    figure = answers_a_day(
        [(f"{day:%m-%d}", answers) for day, answers in days],
        head=(_("Day"), _("Answers")),
        rows=[(day.isoformat(), f"{answers:,}") for day, answers in days],
    )
    context: dict[str, Any] = {"overview": overview, "answers_a_day": figure, "manages": facts.manages}
    if request.GET.get("part") == "live":
        context["project"] = project
        return HttpResponse(render_to_string("ops/_overview.html", context, request))
    context |= {
        "annotates": Role.ANNOTATOR in facts.roles,
        "guidelines_html": guidelines_html(project.guidelines) if project.guidelines.strip() else "",
        "example": EXAMPLE,
    }
    return page_with_figures(request, "ops/project.html", context, [figure])


@project_view(check_manage, POST, refused=("project",))
def example_data(request: HttpRequest, project: Project) -> HttpResponse:
    """Import the corpus of the demo into a project without articles."""
    launch_example(project=project, by=user_of(request))
    messages.info(request, _("%(example)s are being imported.") % {"example": EXAMPLE})
    return redirect("project", project.slug)


@login_not_required
@require_safe
@cache_control(max_age=24 * 3600)
def icon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for it beside what has no link to it: downloads, answers of the API."""
    return HttpResponse(ICON.read_bytes(), content_type="image/svg+xml")


def own_work(request: HttpRequest, visible: list[Project]) -> HttpResponse:
    """The home of somebody who only annotates, in the projects that are `visible`."""
    work = work_everywhere(request.user)
    rows: dict[Project, list[tuple[Any, OwnWork]]] = {project: [] for project in visible}
    # What can be done now first, the oldest at the top; then what waits for others, what is done and closed.
    for own in sorted(work, key=lambda own: (not own.waits, own.batch.state == "closed", own.batch.pk)):
        rows[own.batch.project].append((TASKS[BatchKind(own.batch.kind)], own))
    following = stopped_at(work)
    task = TASKS[BatchKind(following.batch.kind)] if following else None
    action = task.action(following.left) if task and following else ""
    context = {
        "rows": rows.items(),
        "following": following,
        "task": task,
        "action": action,
        "continued": action[:1].lower() + action[1:],
        "left": sum(own.left for own in work if own.waits),
    }
    return render(request, "ops/own_work.html", context)


@project_view(any_member, SAFE)
def own_decisions(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """For annotators of a closed batch whose manager shows them the decisions."""
    user = user_of(request)
    batch = get_object_or_404(shown_batches(user).distinct(), project=project, pk=pk)
    context = {"batch": batch, "differences": own_differences(user, batch)}
    return render(request, "ops/own_decisions.html", context)
