"""The page of every operation: choose, look at what it would give, launch."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import ModelMultipleChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_noop as _

from jobs.kinds import job_kind
from jobs.launch_form import LaunchForm
from jobs.operations import Operation, job_of, operations
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import FORM, form_page, project_view, submitted, user_of


@project_view(check_manage, FORM)
def launch(request: HttpRequest, project: Project, kind: str) -> HttpResponse:
    """The form begins with what the address names: `?dataset=7`."""
    operation = operations().get(kind)
    if operation is None or operation.page is None:
        raise Http404(gettext("There is no such operation."))
    form = form_of(operation, project, request)
    page = form.page
    request.belongs_to = page.back[0]  # type: ignore[attr-defined]  # for the navigation
    request.manual = page.manual  # type: ignore[attr-defined]  # as above
    by = user_of(request)
    if not form.previews and (made := submitted(form, lambda: form.launch(by))):
        said = gettext(page.launched).format(made) if isinstance(page.launched, str) else page.launched(made)
        messages.success(request, said)
        job = job_of(made)
        return redirect(job_kind(job.kind).page_of(job) if job else made)
    context: dict[str, Any] = {"page": page, "operation": operation, "missing": page.missing(project)}
    if context["missing"] is None:
        cost = form.cost
        context["costs"] = [(_("With these choices"), cost)] if cost else []
        context |= page.context(request, form)
    return form_page(request, page.template, form, **context)


def form_of(operation: Operation, project: Project, request: HttpRequest) -> LaunchForm:
    """The form, with what was sent or what the address names."""
    made = (operation.page and operation.page.form) or LaunchForm
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = made(*sent, operation=operation, project=project, asked=request.GET, by=request.user)
    form.initial = {
        name: request.GET.getlist(name)
        if isinstance(form.fields[name], ModelMultipleChoiceField)
        else request.GET[name]
        for name in form.fields
        if name in request.GET
    }
    return form
