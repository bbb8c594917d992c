"""The bin of a project; the page that archives, deletes and restores an object of any kind, and says before
what refers to it.

Lists are without what is archived, or with nothing else (`?archived=true`).
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from jobs.models import Job
from jobs.services import removal, retention
from projects.errors import PublicError
from projects.listings import many
from projects.models import Project, Removable
from projects.permissions import check_manage
from projects.views.project_view import FORM, SAFE, next_address, project_view, show_error, user_of

MOST_SHOWN = 500


@project_view(check_manage, SAFE)
def bin_page(request: HttpRequest, project: Project) -> HttpResponse:
    entries = retention.bin_of(project)
    context = {
        "entries": entries[:MOST_SHOWN],
        "more": max(0, len(entries) - MOST_SHOWN),
        "days": settings.UNDO_DAYS,
    }
    return render(request, "jobs/bin.html", context)


@project_view(check_manage, FORM)
def removal_page(request: HttpRequest, project: Project, kind: str, pk: int) -> HttpResponse:
    of = removal.removable_kinds().get(kind)
    if of is None:
        raise Http404(_("Nothing of the kind %(kind)s is removed.") % {"kind": kind})
    obj = of.model.objects.filter(**{"__".join(of.project_path): project}, pk=pk).first()
    if obj is None:
        entries = retention.bin_of(project, kind=kind, pk=pk)
        if not entries:
            raise Http404(_("There is no such object."))
        obj = entries[0].object
    if request.method == "POST":
        return _changed(request, project, obj)
    deleted = obj.deleted_at is not None
    problem, users = "", [] if deleted else removal.used_by(obj)
    if deleted or not of.waits_in_bin:
        users += removal.used_by(obj, in_bin=True)
    try:
        if deleted:
            removal.check_unused_in_bin(obj)
        else:
            removal.check_removable(obj)
    except PublicError as error:
        problem = str(error)
    context = {
        "object": obj,
        "noun": of.noun,
        "page": reverse("bin", args=[project.slug]) if deleted else address_of(project, obj),
        "users": [(removal.kind_of(user).noun, user, address_of(project, user)) for user in users],
        "problem": problem,
        "answers": not problem and of.answers(obj),
        "waits": of.waits_in_bin,
        "shared": of.shared,
        "days": settings.UNDO_DAYS,
        "until": retention.kept_until(obj),
    }
    return render(request, "jobs/removal.html", context)


def _changed(request: HttpRequest, project: Project, obj: Removable) -> HttpResponse:
    """Do what the button says."""
    of, by, name = removal.kind_of(obj), user_of(request), str(obj)
    confirmed, in_list = request.POST.get("confirm"), of.list_of(obj)
    bin_address = reverse("bin", args=[project.slug])
    try:
        if "archive" in request.POST:
            retention.archive(obj=obj, by=by)
            messages.success(
                request,
                _("The %(noun)s %(name)s is archived: hidden from lists and choices.")
                % {"noun": of.noun, "name": name},
            )
        elif "restore" in request.POST:
            retention.restore(obj=obj, by=by)
            messages.success(
                request,
                _("The %(noun)s %(name)s is in lists and choices again.") % {"noun": of.noun, "name": name},
            )
            return redirect(next_address(request) or address_of(project, obj))
        elif "remove" in request.POST:
            job: Job | None = retention.remove(obj=obj, by=by, confirmed=confirmed)
            messages.success(request, _removed(of.noun, name, job))
            return redirect(bin_address)
        elif "delete" in request.POST:
            job = retention.delete(obj=obj, by=by, confirmed=confirmed)
            text = _removed(of.noun, name, job)
            if job is None:
                link = format_html('<a href="{}">{}</a>', bin_address, _("bin"))
                days = many(settings.UNDO_DAYS, "day")
                where = _("It can be restored from the {bin} for {days}.")
                text = format_html("{} {}", text, format_html(where, bin=link, days=days))
            messages.success(request, text)
            return redirect(in_list, project.slug)
    except PublicError as error:
        show_error(request, error)
        return redirect("removal", project.slug, of.name, obj.pk)
    return redirect(bin_address if obj.deleted_at else address_of(project, obj))


def _removed(noun: str, name: str, job: Job | None) -> str:
    text = _("The %(noun)s %(name)s is deleted for good.") if job else _("The %(noun)s %(name)s is deleted.")
    left = _(" Its rows are being removed in the background.") if job and job.active else ""
    return text % {"noun": noun, "name": name} + left


def address_of(project: Project, obj: Removable) -> str:
    """The page of an object, the list where it has none; of a deleted one that on which it is restored."""
    if obj.deleted_at is not None:
        return reverse("removal", args=[project.slug, removal.kind_of(obj).name, obj.pk])
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
