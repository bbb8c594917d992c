"""Switching on and off that an aligner is trained again by itself."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from alignment.models import TrainedAligner
from alignment.services.retraining import MAX_NEW_PAIRS, RECOMMENDED, set_retraining
from jobs.models import Job
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import POST, project_view


class RetrainingForm(forms.Form):
    retrain_after = forms.IntegerField(
        min_value=1,
        max_value=MAX_NEW_PAIRS,
        initial=RECOMMENDED,
        label="New gold pairs",
        help_text="After so many more pairs that all their annotators have finished, gold links are frozen "
        f"and the next version is trained. {RECOMMENDED} is recommended.",
    )


@project_view(check_manage, POST, refused=("aligner", "pk"))
def retraining(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Train the next versions by themselves, or with `off` no longer."""
    trained: TrainedAligner = get_object_or_404(project.trained_aligners, pk=pk)
    form = RetrainingForm(request.POST)
    off = "off" in request.POST
    if not off and not form.is_valid():
        messages.error(request, f"Nothing was changed. {form.errors['retrain_after'][0]}")
        return redirect("aligner", project.slug, pk)
    set_retraining(trained=trained, retrain_after=None if off else form.cleaned_data["retrain_after"])
    now = "is no longer trained by itself" if off else "is trained again by itself from now on"
    messages.success(request, f"{trained} {now}.")
    return redirect("aligner", project.slug, pk)


def page_of_job(job: Job) -> str:
    """The newest version of the aligner; the list of aligners once it is gone."""
    trained = TrainedAligner.objects.filter(pk=job.parameters["trained"]).first()
    if trained is None:
        return reverse("aligners", args=[job.project.slug])
    versions = TrainedAligner.objects.filter(project=job.project_id, name=trained.name)
    return reverse("aligner", args=[job.project.slug, versions.latest("version").pk])
