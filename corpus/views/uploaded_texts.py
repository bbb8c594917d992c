"""Two uploaded texts: their pairs, matched by words and kept as a dataset."""

from __future__ import annotations

from contextlib import ExitStack

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from corpus.models import Extraction
from corpus.services.text_matching import MAX_PAIRS, launch_text_matching
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, user_of

from .matching_studies import TextFilesForm
from .uploads import SizeLimit, bounded_upload, submitted_files


class TextMatchingForm(TextFilesForm):
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text="Name of the dataset. Leave empty to use method and threshold.",
    )
    field_order = ("name", "first", "second", "encoding", "method")


@bounded_upload
@project_view(check_manage)
def new_text_matching(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    sent = request.method == "POST"
    form = TextMatchingForm(request.POST if sent else None, request.FILES if sent else None)
    if made := submitted_files(form, limit, lambda: _launch(request, project, form)):
        messages.success(request, f"The pairs of {made.name} are stored. Their dataset is being made.")
        return redirect("extraction", project.slug, made.pk)
    context = {"form": form, "max_pairs": MAX_PAIRS}
    return render(request, "corpus/text_matching_new.html", context, status=422 if form.errors else 200)


def _launch(request: HttpRequest, project: Project, form: TextMatchingForm) -> Extraction:
    given = form.cleaned_data
    with ExitStack() as stack:
        return launch_text_matching(
            project=project,
            by=user_of(request),
            files=form.opened(stack, "first", "second"),
            spec=form.spec,
            name=given["name"],
            encoding=given["encoding"] or "utf-8",
        )
