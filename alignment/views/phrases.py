"""The phrase pairs of gold links and of a run of an aligner, as a page and as a file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render

from alignment.models import GoldAlignmentSet
from alignment.services.phrase_tables import (
    MAX_TEXT,
    Linked,
    as_tsv,
    check_done,
    most_frequent,
    narrowed,
    sentence_pairs_of,
)
from annotation.permissions import check_see_gold
from paragold.aligners.phrases import PhraseSpec
from projects.downloads import attachment
from projects.forms.spec_form import SpecForm
from projects.models import Project
from projects.views.keyset import listed_page
from projects.views.project_view import SAFE, project_view, submitted

from .aligners import run_of


class PhraseForm(SpecForm):
    """Which phrase pairs are counted, and which of them are shown."""

    spec_class = PhraseSpec
    text = forms.CharField(
        required=False, max_length=MAX_TEXT, label="Text", help_text="Part of either phrase."
    )
    min_count = forms.IntegerField(
        min_value=1, initial=1, label="Minimum count", help_text="Sentence pairs that have the phrase pair."
    )
    field_order = ("text", "min_count")


@project_view(check_see_gold, SAFE)
def gold_phrases(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    gold_set = get_object_or_404(GoldAlignmentSet.objects.select_related("project"), project=project, pk=pk)
    return _answer(request, project, gold_set, back="gold-links")


@project_view(check_see_gold, SAFE, refused=("aligner-run", "pk"))
def run_phrases(request: HttpRequest, project: Project, pk: int) -> HttpResponseBase:
    run = run_of(project, pk)
    check_done(run)
    return _answer(request, project, run, back="aligner-run")


def _answer(request: HttpRequest, project: Project, linked: Linked, *, back: str) -> HttpResponseBase:
    """The page; with `file` in the address all phrase pairs under its filters as a file."""
    # An unticked box is not in the address: all flags are off by default.
    form = PhraseForm(PhraseSpec().as_json() | {"min_count": 1} | request.GET.dict())
    if "file" in request.GET and form.is_valid():
        return tsv_response(linked, **form.arguments())
    table = submitted(form, lambda: most_frequent(linked, form.spec))
    context: dict[str, Any] = {"linked": linked, "back": back, "form": form, "table": table}
    if table:
        counted, phrase_pairs = table
        fields = form.cleaned_data
        shown = narrowed(counted.pairs, text=fields["text"], min_count=fields["min_count"])
        context |= {
            "page": listed_page(shown, request.GET),
            "shown": len(shown),
            "counted": counted.sentence_pairs,
            "phrase_pairs": phrase_pairs,
            "listed": len(counted.pairs),
            "sentence_pairs": sentence_pairs_of(linked),
            "settings": form.spec.described(),
        }
    return render(request, "alignment/phrases.html", context, status=422 if form.errors else 200)


def tsv_response(linked: Linked, *, spec: PhraseSpec, text: str, min_count: int) -> StreamingHttpResponse:
    """The phrase pairs under these filters as a file to be downloaded."""
    what = "gold-links" if isinstance(linked, GoldAlignmentSet) else "aligner-run"
    filename = f"{linked.project.slug}-phrase-pairs-{what}-{linked.pk}.tsv"
    return StreamingHttpResponse(
        as_tsv(linked, spec, text=text, min_count=min_count),
        content_type="text/tab-separated-values; charset=utf-8",
        headers=attachment(filename, linked.project),
    )
