"""Two uploaded texts: their pairs, matched by words and kept as a dataset."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from corpus.forms import ENCODINGS
from corpus.models import Extraction
from corpus.services.text_matching import MAX_PAIRS, launch_text_matching
from corpus.services.uploads import on_disk
from paragold.matching.settings import MatchingSpec
from paragold.spec import Spec
from projects.forms.spec_form import SpecForm
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, user_of

from .uploads import SizeLimit, bounded_upload, submitted_files


class TextFilesForm(SpecForm):
    """Two files of texts and how they are compared."""

    spec_class: ClassVar[type[Spec]] = MatchingSpec
    first = forms.FileField(
        label="Texts",
        help_text="Lines of id TAB text, a paragraph or a sentence each, or TSV with columns id and text.",
    )
    second = forms.FileField(
        label="Other texts",
        help_text="In the same format, to be compared with the first.",
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", required=False, help_text="Character encoding of the files."
    )

    def opened(self, stack: ExitStack, *names: str) -> list[tuple[Path, str]]:
        """The files that were sent under these names, on the disk until the stack is closed."""
        sent = [file for name in names if (file := self.cleaned_data[name])]
        return [(stack.enter_context(on_disk(file.chunks())), file.name) for file in sent]


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
