"""Two uploaded texts: an answer key of them, drafted, corrected on a page and downloaded, nothing of it
stored; or their pairs, matched by words and kept as a dataset.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from corpus.models import Extraction
from corpus.services.key_drafts import DraftRow, corrected, drafted
from corpus.services.text_matching import MAX_PAIRS, launch_text_matching
from paragold.matching.key_drafts import KEY_COLUMNS, KeyDraftSpec
from projects.downloads import attachment
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, submitted, user_of

from .matching_studies import TextFilesForm
from .uploads import SizeLimit, bounded_upload, submitted_files


class KeyDraftForm(TextFilesForm):
    spec_class = KeyDraftSpec
    key = forms.FileField(
        label="Answer key so far",
        required=False,
        help_text="A key downloaded here earlier, to continue correcting it. Empty: a key is drafted.",
    )
    field_order = ("first", "second", "encoding", "key")


class Places(forms.TypedMultipleChoiceField):
    def valid_value(self, value: str) -> bool:
        """Any place: one that no row has changes nothing."""
        return len(value) < 9 and value.isdecimal()


class CorrectionForm(forms.Form):
    """`rows`: the rows that were shown, as JSON; `removed`: places of those to take apart."""

    rows = forms.JSONField(widget=forms.HiddenInput)
    removed = Places(coerce=int, required=False)
    added = forms.CharField(
        label="Rows to add",
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text="A row a line: ids of the first file separated by commas, a space, ids of the second.",
    )

    def clean_rows(self) -> list[tuple[str, str]]:
        rows = self.cleaned_data["rows"]
        listed: list[Any] = rows if isinstance(rows, list) else [None]
        if not all(isinstance(row, list) and [type(cell) for cell in row] == [str, str] for row in listed):
            raise forms.ValidationError("These are no rows of a key. Draft it again.")
        return [(first, second) for first, second in listed]


@bounded_upload
@project_view(check_manage)
def draft_answer_key(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    """Choose two texts; correct the draft (`step` is "download" when that is sent)."""
    sent = request.method == "POST"
    if request.POST.get("step") == "download":
        return _download(request, project)
    form = KeyDraftForm(request.POST if sent else None, request.FILES if sent else None)
    rows = submitted_files(form, limit, lambda: _drafted(form))
    if rows is None:
        return render(request, "corpus/key_draft_new.html", {"form": form}, status=422 if sent else 200)
    correction = CorrectionForm(initial={"rows": [row.ids for row in rows]})
    return render(request, "corpus/key_draft.html", {"rows": rows, "form": correction})


def _drafted(form: KeyDraftForm) -> list[DraftRow]:
    with ExitStack() as stack:
        files = form.opened(stack, "first", "second")
        key = next(iter(form.opened(stack, "key")), None)
        encoding = form.cleaned_data["encoding"] or "utf-8"
        return drafted(files=files, spec=form.spec, key=key, encoding=encoding)


def _download(request: HttpRequest, project: Project) -> HttpResponse:
    form = CorrectionForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {}
    rows = submitted(form, lambda: corrected(given["rows"], set(given["removed"]), given["added"]))
    if rows is None:
        shown = [DraftRow(row, [], []) for row in given.get("rows", [])]
        context = {"rows": shown, "form": form, "removed": given.get("removed", [])}
        return render(request, "corpus/key_draft.html", context, status=422)
    lines = "".join("\t".join(row) + "\n" for row in (KEY_COLUMNS, *rows))
    kind = "text/tab-separated-values; charset=utf-8"
    return HttpResponse(lines, content_type=kind, headers=attachment("answer-key.tsv", project))


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
