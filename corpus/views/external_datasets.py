"""External datasets: attaching a folder of pairs, and what is known of one."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from corpus.forms import parameter_rows
from corpus.models import ExternalDataset
from corpus.services.external_datasets import attach, sample
from paragold.spec import LARGEST_SEED
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.views.figures import page_with_figures
from projects.views.project_view import FORM, SAFE, project_view, submitted, user_of

from .charts import distances_figure

PARTS_SHOWN = 50


class AttachForm(forms.Form):
    address = forms.CharField(
        max_length=1000,
        label="Folder",
        help_text="Output folder of an extraction in shards, as an absolute path on the server or as an "
        "address such as s3://bucket/pairs. An administrator decides which folders are allowed.",
    )
    name = forms.CharField(
        max_length=80, required=False, help_text="Leave empty to use the name of the folder."
    )


class SampleForm(forms.Form):
    seed = forms.IntegerField(label="Random seed", min_value=0, max_value=LARGEST_SEED)


@project_view(check_manage, FORM)
def attach_dataset(request: HttpRequest, project: Project) -> HttpResponse:
    form = AttachForm(request.POST or None)
    by = user_of(request)
    if found := submitted(form, lambda: attach(project=project, by=by, **form.cleaned_data)):
        messages.success(request, f"{found.name} is attached. Its parts are being checked.")
        return redirect("external-dataset", project.slug, found.pk)
    return render(request, "corpus/external_new.html", {"form": form}, status=422 if form.errors else 200)


@project_view(check_read_corpus, SAFE)
def external_dataset(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One of them, with a sample of its pairs by `?seed=`; that of a remote folder only when asked for."""
    rows = project.external_datasets.select_related("job__requested_by")
    found: ExternalDataset = get_object_or_404(rows, pk=pk)
    distances = {int(distance): count for distance, count in found.distances.items()}
    figure = distances_figure(distances, indel=False) if found.finished else None
    details, parts = found.manifest["details"], found.manifest["files"]
    context = {
        "external": found,
        "job": found.job,
        "rows": parameter_rows([details["criteria"]]) if details.get("criteria") else [],
        "preset": details.get("preset", ""),
        "mean": sum(d * count for d, count in distances.items()) / found.size if distances else None,
        "parts": [(name, part["pairs"], part["bytes"], part["sha256"]) for name, part in parts.items()][
            :PARTS_SHOWN
        ],
        "number_of_parts": len(parts),
        "bytes": sum(part["bytes"] for part in parts.values()),
        "draws": found.extractions.current().select_related("job"),
        "distances": figure,
        "form": SampleForm(request.GET if "seed" in request.GET else None, initial={"seed": 1}),
    }
    form: SampleForm = context["form"]
    if found.finished and (form.is_valid() or (not form.is_bound and "://" not in found.address)):
        try:
            context["sample"] = sample(found, seed=form.cleaned_data["seed"] if form.is_bound else 1)
        except PublicError as error:
            context["problem"] = str(error)
    return page_with_figures(request, "corpus/external.html", context, [figure])
