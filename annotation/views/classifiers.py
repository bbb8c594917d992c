"""Classifiers: all of a project, training one, and the report of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotation.classifier_forms import TrainingForm
from annotation.forms import blame
from annotation.models import ClassifierRun, TrainedClassifier
from annotation.permissions import check_see_gold
from annotation.services.classifiers.audit import labels_in_doubt
from annotation.services.classifiers.training import launch_training
from corpus.views.lists import Table, list_page
from jobs.models import Job
from jobs.views.archived import shown
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, user_of

from .batches import SAFE_AND_POST
from .classifier_report import percent, report_context


def page_of_training(job: Job) -> str:
    return reverse("classifier", args=[job.project.slug, job.trained_classifier.pk])


def page_of_run(job: Job) -> str:
    return reverse("classifier-run", args=[job.project.slug, job.classifier_run.pk])


@require_safe
@project_view(check_see_gold)
def classifiers(request: HttpRequest, project: Project) -> HttpResponse:
    found = shown(
        request, project.classifiers.select_related("job", "gold_set").defer("model", "imported_pairs")
    )
    runs = shown(request, ClassifierRun.objects.filter(classifier__project=project))
    trained = Table(
        "Trained",
        [(one, *_error_and_f(one)) for one in found],
        row="annotation/_classifier_row.html",
        columns=("Classifier", "Trained on", "Pairs", "Features", "Error, %", "F, %", "State"),
        numbers=("Pairs", "Features", "Error, %", "F, %"),
        heading=True,
    )
    applied = Table(
        "Applied",
        runs.select_related("job", "dataset", "classifier").prefetch_related("refined"),
        row="annotation/_classifier_run_row.html",
        columns=("Classifier", "Dataset", "Pairs", "From", "Accepted", "Refined datasets", "State"),
        numbers=("Pairs", "From", "Accepted"),
        heading=True,
    )
    gold_sets = project.gold_sets.current().count()
    return list_page(request, "annotation/classifiers.html", trained, applied, gold_sets=gold_sets)


def _error_and_f(classifier: TrainedClassifier) -> tuple[str, str]:
    measures = classifier.figures.get("measures")
    return (percent(measures["error"]), percent(measures["f"])) if measures else ("", "")


@require_http_methods(SAFE_AND_POST)
@project_view(check_manage)
def new_classifier(request: HttpRequest, project: Project) -> HttpResponse:
    initial = {"gold_set": request.GET["gold_set"]} if "gold_set" in request.GET else {}
    form = TrainingForm(request.POST or None, request.FILES or None, project=project, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            found = _launch(project, request, form)
        except PublicError as error:
            blame(form, error)
        else:
            messages.success(request, f"The training of {found} is launched.")
            return redirect("classifier", project.slug, found.pk)
    context = {
        "form": form,
        "gold_sets": project.gold_sets.current().exists(),
        "costs": form.costs(),
    }
    return render(request, "annotation/classifier_new.html", context, status=422 if form.errors else 200)


def _launch(project: Project, request: HttpRequest, form: TrainingForm) -> TrainedClassifier:
    fields: dict[str, Any] = {"project": project, "by": user_of(request), **form.training()}
    upload = form.cleaned_data["pairs"]
    if not upload:
        return launch_training(**fields)
    # The importer reads files; small uploads are in memory.
    with TemporaryUploadedFile(upload.name, "", upload.size, "") as file:
        for part in upload.chunks():
            file.write(part)
        file.flush()
        path = Path(file.temporary_file_path())
        return launch_training(**fields, pairs=path, filename=Path(upload.name).name)


@require_safe
@project_view(check_see_gold)
def classifier(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    rows = project.classifiers.select_related("job", "gold_set", "lexicon").defer("model", "imported_pairs")
    found: TrainedClassifier = get_object_or_404(rows, pk=pk)
    context: dict[str, Any] = {"classifier": found, "job": found.job, "figures": found.figures}
    if found.finished:
        context |= report_context(found)
        context |= {
            "doubts": labels_in_doubt(found),
            "runs": found.runs.select_related("dataset", "job").prefetch_related("refined"),
            "datasets": project.datasets.current().exists(),
        }
    return render(request, "annotation/classifier.html", context)
