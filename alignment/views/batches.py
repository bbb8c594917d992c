"""The linking stage: my batches, everybody's batches, a new one, and one of them in detail."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from alignment.api.linking import second_pass_payload
from alignment.forms import LinkingBatchForm, SuggesterForm
from alignment.models import SuggestedLinks
from alignment.services.batches import draw_linking_batch, latest_job, set_suggester, suggester_choices
from alignment.services.disputes import link_figures
from alignment.services.link_agreement import own_second_looks
from annotation.forms import annotators_of
from annotation.models import Assignment, AssignmentState, Batch, BatchKind, BatchState, Item
from annotation.permissions import check_see_answers
from annotation.presenters import percent, undecided_context
from annotation.views.answering import PREFETCHED, answering_context
from annotation.views.batches import batch_context, batch_of, drawn_batch, set_state, stage_context
from jobs.models import Job
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import (
    FORM,
    POST,
    SAFE,
    any_member,
    form_page,
    initial_from,
    project_view,
    user_of,
)


@project_view(any_member, SAFE)
def link(request: HttpRequest, project: Project) -> HttpResponse:
    context = stage_context(request, project, BatchKind.LINK)
    context["gold_set"] = project.gold_sets.current().first()
    context["again"] = _second_passes(project, user_of(request))
    return render(request, "alignment/stage.html", context)


def _second_passes(project: Project, user: User) -> list[tuple[Batch, int, int]]:
    """Open batches in which the user has disputed pairs to look at again: how many are done, of how many."""
    waiting = Assignment.objects.filter(item=OuterRef("item"), state=AssignmentState.OPEN)
    mine = Assignment.objects.of(user).filter(~Exists(waiting), item__batch__overlap__gt=1)
    batches = project.batches.current().filter(kind=BatchKind.LINK, state=BatchState.OPEN)
    looked = [
        (batch, own_second_looks(batch, user)) for batch in batches.filter(pk__in=mine.values("item__batch"))
    ]
    return [(batch, sum(look.done for look in looks), len(looks)) for batch, looks in looked if looks]


@project_view(check_manage, FORM)
def new_batch(request: HttpRequest, project: Project) -> HttpResponse:
    initial = initial_from(request, "gold_set")
    form = LinkingBatchForm(request.POST or None, project=project, initial=initial)
    batch = drawn_batch(
        request, form, lambda: draw_linking_batch(project=project, by=user_of(request), **form.cleaned_data)
    )
    if batch is not None:
        return redirect("link-detail", project.slug, batch.pk)
    gold_sets, annotators = project.gold_sets.current().exists(), annotators_of(project)
    return form_page(request, "alignment/batch_form.html", form, gold_sets=gold_sets, annotators=annotators)


@project_view(check_see_answers, FORM)
def batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    linking = batch_of(project, pk, BatchKind.LINK)
    if request.method == "POST":
        return set_state(request, project, linking, "link-detail")
    figures = link_figures(request.user, project, [linking])[linking.pk]
    context = batch_context(request, project, linking) | {
        "figures": figures,
        "agreement": percent(figures.agreement),
        **undecided_context(request, project, linking, Item.objects.filter(pk__in=figures.undecided_items)),
        "gold_sets": linking.gold_alignment_sets.all(),
        **_suggestions(linking),
    }
    return render(request, "alignment/batch.html", context)


def _suggestions(batch: Batch) -> dict[str, Any]:
    """The suggester of a batch and the progress of its suggestions."""
    choices = suggester_choices(batch.project)
    job = latest_job(batch)
    drawn = SuggestedLinks.objects.filter(item__batch=batch, setting=batch.suggester)
    return {
        "suggester": dict(choices).get(batch.suggester, batch.suggester),
        "suggester_form": SuggesterForm(project=batch.project, initial={"suggester": batch.suggester}),
        "suggested_pairs": drawn.values("item").distinct().count(),
        "job": job if job and job.parameters["setting"] == batch.suggester else None,
    }


@project_view(check_manage, POST)
def suggestions(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Set whose links are suggested, and have them drawn."""
    batch = batch_of(project, pk, BatchKind.LINK)
    form = SuggesterForm(request.POST, project=project)
    if not form.is_valid():
        messages.error(request, "Nothing was changed: choose one of the suggestions that there are.")
        return redirect("link-detail", project.slug, batch.pk)
    setting = form.cleaned_data["suggester"]
    job = set_suggester(batch=batch, by=user_of(request), setting=setting)
    if job is not None:
        messages.info(request, "The links are being drawn; annotators get them as soon as that is done.")
    else:
        messages.success(request, "Links are suggested." if setting else "No links are suggested any more.")
    return redirect("link-detail", project.slug, batch.pk)


def page_of_job(job: Job) -> str:
    return reverse("link-detail", args=[job.project.slug, job.parameters["batch"]])


@never_cache
@ensure_csrf_cookie
@project_view(any_member, SAFE)
def link_batch(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    context = answering_context(request, project, pk, BatchKind.LINK)
    return render(request, "alignment/link.html", context)


@never_cache
@ensure_csrf_cookie
@project_view(any_member, SAFE)
def second_pass(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """The same page with the annotator's own disputed pairs; the disputed links are rows of a table."""
    context = answering_context(request, project, pk, BatchKind.LINK)
    bootstrap = context["bootstrap"]
    bootstrap["queue"] = second_pass_payload(context["batch"], request.user, limit=PREFETCHED)
    bootstrap["second_pass"] = True
    bootstrap["urls"]["queue"] = reverse("api-second-pass", args=[pk])
    return render(request, "alignment/link_second_pass.html", context)
