"""The linking stage: my batches, everybody's batches, a new one, and one of them in detail."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from alignment.forms import SuggesterForm
from alignment.models import SuggestedLinks
from alignment.services.batches import latest_job, set_suggester, suggester_choices
from alignment.services.disputes import link_figures
from alignment.services.submitted_links import conditions_of
from annotation.models import Batch, BatchKind
from annotation.permissions import check_see_answers
from annotation.presenters import percent, undecided_context
from annotation.services.second_pass import running_second_pass
from annotation.views.answering import answered_batch, answering_context
from annotation.views.batches import batch_context, batch_of, set_state, stage
from annotation.views.training import before_work
from jobs.models import Job
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import (
    FORM,
    POST,
    SAFE,
    any_member,
    project_view,
    user_of,
)


@project_view(any_member, SAFE)
def link(request: HttpRequest, project: Project) -> HttpResponse:
    lacking = not project.gold_sets.current().exists()
    return stage(
        request, project, BatchKind.LINK, draw="draw-linking-batch", imports="link-import", lacking=lacking
    )


@project_view(check_see_answers, FORM)
def batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    linking = batch_of(project, pk, BatchKind.LINK)
    if request.method == "POST":
        return set_state(request, project, linking)
    figures = link_figures(request.user, project, [linking])[linking.pk]
    context = batch_context(request, project, linking) | {
        "figures": figures,
        "agreement": percent(figures.agreement),
        **undecided_context(request, project, linking, figures.undecided_items),
        "gold_sets": linking.gold_alignment_sets.all(),
        **_suggestions(linking),
    }
    return render(request, "alignment/batch.html", context)


def _suggestions(batch: Batch) -> dict[str, Any]:
    """The suggester of a batch and the progress of its suggestions."""
    choices = suggester_choices(batch.project, batch)
    names = dict(choices)
    job = latest_job(batch)
    shown = [
        (
            names.get(row.setting, row.setting) if row else _("No suggestions"),
            row.signature if row else "",
            count,
        )
        for row, count in conditions_of(batch.items.order_by())
    ]
    drawn = SuggestedLinks.objects.filter(item__batch=batch, setting=batch.suggester)
    return {
        "suggester": names.get(batch.suggester, batch.suggester),
        "conditions": shown,
        "suggester_form": SuggesterForm(batch=batch, initial={"suggester": batch.suggester}),
        "suggested_pairs": drawn.values("item").distinct().count(),
        "job": job if job and job.parameters["setting"] == batch.suggester else None,
    }


@project_view(check_manage, POST)
def suggestions(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Set whose links are suggested, and have them drawn."""
    batch = batch_of(project, pk, BatchKind.LINK)
    form = SuggesterForm(request.POST, batch=batch)
    if not form.is_valid():
        messages.error(request, _("Nothing was changed: choose one of the suggestions that there are."))
        return redirect(batch)
    setting = form.cleaned_data["suggester"]
    job = set_suggester(batch=batch, by=user_of(request), setting=setting)
    if batch.suggestions_pending:
        messages.info(
            request, _("The suggestions are being prepared. Annotators get the batch once they are there.")
        )
    elif job is not None:
        messages.info(
            request, _("The suggestions are being prepared; until then the earlier ones are shown.")
        )
    else:
        words = _("Links are suggested.")
        if not setting:
            words = _("Annotators get %(name)s without suggestions.") % {"name": batch.name}
        messages.success(request, words + _(" Pairs that were begun keep the suggestions they had."))
    return redirect(batch)


def page_of_job(job: Job) -> str:
    return reverse("link-detail", args=[job.project.slug, job.parameters["batch"]])


@never_cache
@ensure_csrf_cookie
@project_view(any_member, SAFE)
def link_batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    batch = answered_batch(request, project, pk, BatchKind.LINK)
    if page := before_work(request, project, batch):
        return page
    if batch.suggestions_pending:
        waiting = {"batch": batch, "job": latest_job(batch), "needed": True}
        return render(request, "alignment/preparing.html", waiting)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = answering_context(request, project, batch)
    context["bootstrap"]["second_pass"] = running = running_second_pass(batch)
    template = "link_second_pass" if running else "link"
    return render(request, f"alignment/{template}.html", context)
