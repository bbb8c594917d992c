"""The page that archives, restores and deletes an object of any kind, and says before what refers to it.

Lists are without what is archived, or with nothing else (`?archived=true`).
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from jobs.services import removal
from projects.errors import PublicError
from projects.models import Project, Removable
from projects.permissions import check_manage
from projects.views.project_view import FORM, project_view, show_error, user_of

ARCHIVING = {"archive": "archived: hidden from lists and choices", "restore": "in lists and choices again"}


@project_view(check_manage, FORM)
def removal_page(request: HttpRequest, project: Project, kind: str, pk: int) -> HttpResponse:
    of = removal.removable_kinds().get(kind)
    if of is None:
        raise Http404(f"Nothing of the kind {kind} is removed.")
    obj = get_object_or_404(of.model.objects.filter(**{"__".join(of.project_path): project}), pk=pk)
    page = address_of(project, obj)
    if request.method == "POST":
        return _changed(request, project, obj, page)
    problem, users = "", removal.used_by(obj)
    try:
        removal.check_removable(obj)
    except PublicError as error:
        problem = str(error)
    context = {
        "object": obj,
        "noun": of.noun,
        "page": page,
        "users": [(removal.kind_of(user).noun, str(user), address_of(project, user)) for user in users],
        "problem": problem,
        "answers": not problem and of.answers(obj),
    }
    return render(request, "jobs/removal.html", context)


def _changed(request: HttpRequest, project: Project, obj: Removable, page: str) -> HttpResponse:
    """Do what the button says."""
    of, by, name = removal.kind_of(obj), user_of(request), str(obj)
    try:
        for button, says in ARCHIVING.items():
            if button in request.POST:
                removal.set_archived(obj=obj, by=by, archived=button == "archive")
                messages.success(request, f"The {of.noun} {name} is {says}.")
                return redirect(page)
        if "delete" not in request.POST:
            return redirect(page)
        in_list = of.list_of(obj)
        job = removal.delete(obj=obj, by=by, confirmed=request.POST.get("confirm"))
    except PublicError as error:
        show_error(request, error)
        return redirect("removal", project.slug, of.name, obj.pk)
    left = " Its rows are being removed in the background." if job.active else ""
    messages.success(request, f"The {of.noun} {name} is deleted.{left}")
    return redirect(in_list, project.slug)


def address_of(project: Project, obj: Removable) -> str:
    """The page of an object, or the list where it has none."""
    name = removal.kind_of(obj).page_of(obj)
    if name == removal.kind_of(obj).list_of(obj):
        return reverse(name, args=[project.slug])
    return reverse(name, args=[project.slug, obj.pk])


def shown(request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
    """The rows that a list shows; the template tag `archived` offers the others where there are any."""
    archived = rows.exclude(archived_at=None)
    request.has_archived = getattr(request, "has_archived", False) or archived.exists()  # type: ignore[attr-defined]  # for the tag
    return archived if shows_archived(request) else rows.filter(archived_at=None)


def shows_archived(request: HttpRequest) -> bool:
    return request.GET.get("archived") == "true"
