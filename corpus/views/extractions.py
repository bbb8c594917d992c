"""Candidates: extractions and datasets, launching an extraction, following it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from corpus.forms.extractions import ExtractionForm, parameter_rows
from corpus.services.cached_counts import distances_of, pairs_of
from corpus.services.dry_run import launch_within_cap
from corpus.services.extraction import extraction_cost
from jobs.forms import check_confirmed
from jobs.models import Job, JobState
from jobs.views.archived import shown
from paragold.extraction.kernels import NAMES
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.views.project_view import project_view, user_of

from .datasets import presets_form
from .histogram import histogram
from .presets import chosen_preset, launch_page

# The counts of a job in the order of what happens to a pair, with the words for them.
COUNTS = (
    ("clusters", "clusters"),
    ("articles", "articles"),
    ("sentences", "sentences"),
    ("repeated_headlines", "headlines that repeat another, left out"),
    ("pairs_compared", "pairs compared"),
    ("rejected_same_text", "rejected: differ in punctuation only"),
    ("rejected_held_out", "rejected: one side held out"),
    ("rejected_seen_before", "rejected: seen before"),
    ("rejected_better_partner", "rejected: a sentence has a better partner"),
    ("pairs_across_clusters", "pairs of two clusters"),
)
SETTINGS: dict[str, Callable[[Job], list[tuple[str, str]]]] = {}
"""What an extraction was asked for, in words, by the kind of its job; those by criteria are not in it."""


@require_safe
@project_view(check_read_corpus)
def candidates(request: HttpRequest, project: Project) -> HttpResponse:
    context = {
        "extractions": shown(request, project.extractions.select_related("job")),
        "datasets": shown(request, project.datasets.prefetch_related("extractions")),
        "clusters": project.clusters.of_corpus().exists(),
        "finished": project.extractions.current().filter(job__state=JobState.DONE).exists(),
        "pairs": pairs_of(project),
        "presets": [(saved, saved.as_preset()) for saved in project.presets.select_related("created_by")],
    }
    return render(request, "corpus/candidates.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def new_extraction(request: HttpRequest, project: Project) -> HttpResponse:
    """Choose a preset (`?preset=`), change what is to be changed, launch."""
    preset = chosen_preset(request, project)
    form = ExtractionForm(request.POST if request.method == "POST" else None, preset=preset)
    if request.method == "POST" and form.is_valid():
        cost = extraction_cost(project, preset.criteria.with_settings(form.settings()))
        check_confirmed(form, f"This extraction ({cost.processes})", cost.seconds, "confirmed_time")
    if request.method == "POST" and form.is_valid():
        try:
            extraction = launch_within_cap(
                project=project,
                by=user_of(request),
                preset=preset.name,
                settings=form.settings(),
                name=form.cleaned_data["name"],
                kernel=form.cleaned_data["kernel"],
                confirmed=form.cleaned_data["confirmed"],
            )
        except PublicError as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, f"The extraction {extraction.name} is launched.")
            return redirect("extraction", project.slug, extraction.pk)
    return launch_page(request, project, form)


@require_safe
@project_view(check_read_corpus)
def extraction(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    found = get_object_or_404(project.extractions.select_related("job__requested_by"), pk=pk)
    context = {
        "extraction": found,
        "job": found.job,
        "rows": parameter_rows([found.criteria]) if found.criteria else [],
        "settings": SETTINGS[found.job.kind](found.job) if found.job.kind in SETTINGS else [],
        "counts": [(words, found.job.counts[name]) for name, words in COUNTS if name in found.job.counts],
        "kept": found.job.counts.get("pairs_kept"),
        "kernels": [name for name in NAMES if found.job.counts.get(f"chunks_{name}")],
        "work_seconds": found.job.counts.get("milliseconds", 0) / 1000,
    }
    if found.finished:
        distances = distances_of(found)
        context |= {
            "histogram": histogram(distances),
            "filter": f"extraction={found.pk}",
            "datasets": found.datasets.all(),
            "dataset": found.datasets.order_by("pk").first(),
        }
        several = presets_form(found)
        if found.job.counts.get("pairs_kept") and several.fields["presets"].initial:
            context["several"] = several
    return render(request, "corpus/extraction.html", context)


def page_of_job(job: Job) -> str:
    """The page of the extraction or matching; without one, the list of them."""
    extraction = job.project.extractions.filter(job=job).first()
    if extraction is None:
        return reverse("candidates", args=[job.project.slug])
    return reverse("extraction", args=[job.project.slug, extraction.pk])
