"""What comes before the work on a batch: a training, new guidelines; and the result of a training."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from annotation.models import Batch, Measure
from annotation.presenters import measure_words
from annotation.schemes import Label
from annotation.services.progress import own_progress
from annotation.services.training import mistakes_of, start_try, waiting_for_training
from projects.guidelines import guidelines_html
from projects.models import Project
from projects.services.guidelines import confirm_guidelines
from projects.views.project_view import POST, any_member, back_to, project_view, user_of


def before_work(request: HttpRequest, project: Project, batch: Batch) -> HttpResponse | None:
    """The page in the place of an own batch that waits for its person, or of a training that is answered to
    the end; None where there are pairs to answer."""
    user = user_of(request)
    training = None if batch.qualified else batch.requires
    context: dict[str, Any] = {"batch": batch, "training": training}
    if batch.qualified and not batch.guidelines_read:
        context["guidelines_html"] = guidelines_html(project.guidelines)
    elif batch.qualified:
        tries = list(batch.tries.filter(annotator=user).order_by("number")) if batch.measure else []
        own = own_progress(batch, user) if tries else None
        if own is None or own.done < own.total:
            return None
        shown = measure_words(batch.measure)
        context |= {
            "tries": [(row, shown(row.value)) for row in tries],
            "last": tries[-1],
            "passed": any(row.passed for row in tries),
            "needed": shown(batch.threshold),
            "measure": gettext(Measure(batch.measure).label),
            "mistakes": [
                (
                    place.item.pair,
                    gettext(Label(place.judgement.label).label),
                    gettext(Label(place.item.known_label).label),
                )
                for place in mistakes_of(user, batch)
            ],
            "following": waiting_for_training(user, batch),
        }
    return render(request, "annotation/before_work.html", context)


@project_view(any_member, POST, refused=("judge",))
def training_try(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Begin a training, or begin it again."""
    batch = get_object_or_404(Batch, project=project, pk=pk)
    start_try(batch=batch, by=user_of(request))
    return redirect("judge-batch", project.slug, batch.pk)


@project_view(any_member, POST, refused=("judge",))
def confirm(request: HttpRequest, project: Project) -> HttpResponse:
    """Confirm the guidelines that were read, and go on."""
    version = request.POST.get("version", "")
    confirm_guidelines(
        project=project, by=user_of(request), version=int(version) if version.isdecimal() else 0
    )
    return back_to(request, "judge", project.slug)
