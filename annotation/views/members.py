"""Removing a member: what the person holds is shown first, and what becomes of it is asked."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from annotation.forms import RemovalForm, annotators_of
from annotation.models import Assignment, AssignmentState, Batch
from annotation.services.reassignment import (
    barred_items,
    hand_over_waiting,
    held_by,
    jobs_of,
    remove_from_project,
)
from projects.errors import PublicError
from projects.models import Membership, Project, Role
from projects.permissions import check_manage
from projects.services.projects import add_member
from projects.views.project_view import FORM, POST, back_to, project_view, show_error, submitted, user_of


@project_view(check_manage, FORM)
def remove(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """A POST removes the member's role; open items go where the form says."""
    membership = get_object_or_404(project.memberships.select_related("user", "project"), pk=pk)
    user = membership.user
    held = held_by(user, project) if membership.role == Role.ANNOTATOR else []
    open_items = sum(batch.open for batch in held)
    able = _able(project, user) if open_items else []
    form = RemovalForm(request.POST if request.method == "POST" else None, people=able, asks=bool(open_items))
    by = user_of(request)
    moved = submitted(form, lambda: remove_from_project(membership=membership, by=by, **form.choice()))
    if moved is not None:
        name, role = user.get_username(), gettext(membership.get_role_display().lower())
        messages.success(
            request, gettext("%(name)s is no longer %(role)s of this project.") % {"name": name, "role": role}
        )
        for items_of_batch in moved:
            messages.info(request, gettext("Open items of %(moved)s.") % {"moved": items_of_batch})
        if user == request.user and not Membership.objects.filter(project=project, user=user):
            return redirect("projects")
        return redirect("members", project.slug)
    context = {
        "membership": membership,
        "held": held,
        "open_items": open_items,
        "begun": sum(batch.begun for batch in held),
        "looks": sum(batch.looks for batch in held),
        "answers": sum(batch.answers for batch in held),
        "able": able,
        "jobs": jobs_of(user, project),
        "form": form,
    }
    return render(request, "annotation/member_remove.html", context, status=422 if form.errors else 200)


def _able(project: Project, user: Any) -> list[tuple[str, int, int]]:
    """The other annotators, with how many of the user's open items each could take, of how many."""
    mine = Assignment.objects.of(user).filter(
        item__batch__in=project.batches.all(), state=AssignmentState.OPEN
    )
    by_batch: dict[int, list[int]] = {}
    for batch, item in mine.order_by().values_list("item__batch", "item"):
        by_batch.setdefault(batch, []).append(item)
    batches = project.batches.filter(pk__in=by_batch)
    total = sum(map(len, by_batch.values()))
    able = []
    for person in annotators_of(project):
        if person != user:
            barred = sum(len(barred_items(person, batch, by_batch[batch.pk])) for batch in batches)
            able.append((person.get_username(), total - barred, total))
    return able


@project_view(check_manage, POST)
def hand_over(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Give the items of a batch that wait for an annotator to somebody."""
    batch = get_object_or_404(Batch.objects.select_related("project"), project=project, pk=pk)
    if to := request.POST.get("to", ""):
        try:
            moved = hand_over_waiting(batch=batch, by=user_of(request), to=to)
            messages.success(request, gettext("Open items of %(moved)s.") % {"moved": moved})
        except PublicError as error:
            show_error(request, error)
    else:
        messages.error(request, gettext("Nothing was changed: choose an annotator."))
    return redirect(batch)


@project_view(check_manage, POST)
def become_adjudicator(request: HttpRequest, project: Project, **_: Any) -> HttpResponse:
    """Give the manager who asks the role of an adjudicator; it is logged as every change of roles."""
    user = user_of(request)
    add_member(project=project, by=user, username=user.get_username(), role=Role.ADJUDICATOR)
    messages.success(request, gettext("You are an adjudicator of this project now; the change is logged."))
    return back_to(request, "review", project.slug)
