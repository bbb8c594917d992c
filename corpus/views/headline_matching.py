"""Launching a matching of headlines."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.forms.headline_matching import HeadlineMatchingForm
from corpus.services.headline_matching import KIND, headline_cost, launch_headline_matching, spec_of
from corpus.specs import ProjectHeadlineSpec
from jobs.forms import check_confirmed
from jobs.models import Job
from paragold.text.languages import stemmer_name
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, user_of

from .extractions import SETTINGS


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def new_headline_matching(request: HttpRequest, project: Project) -> HttpResponse:
    """Choose how headlines are matched, and launch that."""
    form = HeadlineMatchingForm(request.POST if request.method == "POST" else None)
    spec = form.spec if form.is_bound and form.is_valid() else ProjectHeadlineSpec()
    cost = headline_cost(project=project, spec=spec)
    if form.is_bound and form.is_valid():
        check_confirmed(form, f"This matching ({cost.processes})", cost.seconds)
    if form.is_bound and form.is_valid():
        try:
            extraction = launch_headline_matching(
                project=project, by=user_of(request), spec=spec, name=form.cleaned_data["name"]
            )
        except PublicError as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, f"The matching {extraction.name} is launched.")
            return redirect("extraction", project.slug, extraction.pk)
    context = {
        "form": form,
        "clusters": project.clusters.of_corpus().count(),
        "stemmer": stemmer_name(project.language),
        "costs": [("With the choices above", cost)],
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "corpus/headline_matching_new.html", context, status=status)


def settings_rows(job: Job) -> list[tuple[str, str]]:
    """What a matching of headlines was asked for, in words."""
    return [("Compare", "the first sentences of the articles of a cluster"), *spec_of(job).described()]


SETTINGS[KIND] = settings_rows
