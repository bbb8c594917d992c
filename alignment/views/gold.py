"""The gold page, sets of gold links, and the phrase pairs of these and of runs of aligners."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Count, F, Q
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext, gettext_noop as _

from alignment.forms import MERGING
from alignment.models import GoldAlignment, GoldAlignmentSet, Strength
from alignment.resources import GOLD_LINKS, by_pass
from alignment.services.phrase_tables import (
    MAX_TEXT,
    Linked,
    as_tsv,
    check_done,
    most_frequent,
    narrowed,
    sentence_pairs_of,
)
from alignment.views.aligners import run_of
from alignment.views.ladder import Ladder, ladder
from annotation.models import BatchKind, Item
from annotation.permissions import check_see_gold
from annotation.presenters import letter
from annotation.resources import GOLD_SETS, GOLD_SUBCLUSTERS
from paragold.aligners.phrases import COLUMNS, PhraseSpec
from projects.downloads import attachment
from projects.forms.spec_form import SpecForm
from projects.models import Project
from projects.reports import Asked, Report, report
from projects.views.keyset import keyset_page, listed_page
from projects.views.lists import list_response, table_of
from projects.views.project_view import SAFE, project_view, submitted

PAIRS_A_PAGE = 10


@project_view(check_see_gold, SAFE)
def gold(request: HttpRequest, project: Project) -> HttpResponseBase:
    """Everything that is gold here: judged pairs, word links, sub-clusters of headlines."""
    gold_sets, gold_links, gold_subclusters = tables = [
        table_of(request, project, one, label=label, heading=True, folded=True, of=one.name)
        for one, label in (
            (GOLD_SETS, _("Gold sets")),
            (GOLD_LINKS, _("Gold links")),
            (GOLD_SUBCLUSTERS, _("Gold sub-clusters")),
        )
    ]
    batches = project.batches.current().filter(kind=BatchKind.LINK)
    context = {
        "gold_sets": gold_sets.rows,
        "lacking": not gold_sets.there,
        "gold_links": gold_links.rows,
        "gold_subclusters": gold_subclusters.rows,
        "judge_batches": project.batches.current().filter(kind=BatchKind.JUDGE).exists(),
        "link_batches": batches.exists(),
        "links_next": gold_sets.rows and not gold_links.rows and _linked(batches),
        "split_batches": project.batches.current().filter(kind=BatchKind.SPLIT).exists(),
    }
    return list_response(request, project, "alignment/gold.html", *tables, **context)


def _linked(batches) -> bool:
    """Whether a linking batch holds a pair that as many annotators submitted as the batch asks for."""
    done = Count("assignments", filter=Q(assignments__state="done"))
    items = Item.objects.filter(batch__in=batches.values("pk")).annotate(submitted=done)
    return items.filter(submitted__gte=F("batch__overlap")).exists()


@project_view(check_see_gold, SAFE)
def gold_links(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    gold_set = get_object_or_404(GoldAlignmentSet.objects.select_related("batch"), project=project, pk=pk)
    alignments = gold_set.alignments.select_related(
        "item__pair__cluster", "item__pair__sentence_a", "item__pair__sentence_b"
    )
    page = keyset_page(alignments, request.GET, {"id": "pk"}, size=PAIRS_A_PAGE)
    agreement, second_pass = by_pass(gold_set)
    context = {
        "gold_set": gold_set,
        "rule": gettext(MERGING[gold_set.rule]),
        "agreement": agreement,
        "second_pass": second_pass,
        "rows": [(alignment, _drawn(alignment), _versions(alignment)) for alignment in page.rows],
        "page": page,
        "evaluations": gold_set.evaluations.count(),
        "models": gold_set.model_annotators.all(),
    }
    return render(request, "alignment/gold_links.html", context)


def _drawn(alignment: GoldAlignment) -> Ladder:
    pair = alignment.item.pair
    return ladder(pair.sentence_a.token_list, pair.sentence_b.token_list, alignment.links)


def _versions(alignment: GoldAlignment) -> list[dict[str, Any]]:
    """What each annotator drew, in Pharaoh's notation: `0-0` is SURE, `1?2` POSSIBLE."""
    versions = [
        {
            "letter": letter(version["annotator"]),
            "links": " ".join(
                f"{a}{'-' if s == Strength.SURE else '?'}{b}" for a, b, s, *_ in version["links"]
            ),
            "comment": version["comment"],
            "flagged": version["flagged"],
        }
        for version in alignment.versions
    ]
    return sorted(versions, key=lambda version: (len(version["letter"]), version["letter"]))


class PhraseForm(SpecForm):
    """Which phrase pairs are counted, and which of them are shown."""

    spec_class = PhraseSpec
    text = forms.CharField(
        required=False, max_length=MAX_TEXT, label=_("Text"), help_text=_("Part of either phrase.")
    )
    min_count = forms.IntegerField(
        min_value=1,
        initial=1,
        label=_("Minimum count"),
        help_text=_("Sentence pairs that have the phrase pair."),
    )
    field_order = ("text", "min_count")


def phrase_form(data: QueryDict, project: Project) -> PhraseForm:
    """An unticked box is not in the address: all flags are off by default."""
    return PhraseForm(PhraseSpec().as_json() | {"min_count": 1} | data.dict())


@report("alignment/phrases.html", check_see_gold, choices=phrase_form)
def gold_phrases(asked: Asked, pk: int) -> Report | HttpResponseBase:
    gold_sets = GoldAlignmentSet.objects.select_related("project")
    return _phrases(asked, get_object_or_404(gold_sets, project=asked.project, pk=pk), back="gold-links")


@report("alignment/phrases.html", check_see_gold, choices=phrase_form, refused=("aligner-run", "pk"))
def run_phrases(asked: Asked, pk: int) -> Report | HttpResponseBase:
    run = run_of(asked.project, pk)
    check_done(run)
    return _phrases(asked, run, back="aligner-run")


def _phrases(asked: Asked, linked: Linked, *, back: str) -> Report | HttpResponseBase:
    """Phrase pairs consistent with the links, the highest counts first; with `file` all of them as a file."""
    form, query = asked.form, asked.request.GET
    if "file" in query and form.is_valid():
        return tsv_response(linked, **form.arguments())
    table = submitted(form, lambda: most_frequent(linked, form.spec))
    counted, phrase_pairs, sentence_pairs = table or ([], 0, 0)
    fields = form.cleaned_data
    shown = narrowed(counted, text=fields["text"], min_count=fields["min_count"]) if table else []

    def page() -> dict[str, Any]:
        context = {"linked": linked, "back": back, "table": table}
        if not table:
            return context
        return context | {
            "page": listed_page(shown, query),
            "shown": len(shown),
            "counted": sentence_pairs,
            "phrase_pairs": phrase_pairs,
            "listed": len(counted),
            "sentence_pairs": sentence_pairs_of(linked),
            "settings": form.spec.described(),
        }

    items = [dict(zip(COLUMNS, pair, strict=True)) for pair in shown] if asked.by_program else []
    status = 422 if form.errors else 200
    return Report(answer={"items": items}, page=page, status=status, name="phrase-pairs", paged=True)


def tsv_response(linked: Linked, *, spec: PhraseSpec, text: str, min_count: int) -> StreamingHttpResponse:
    """The phrase pairs under these filters as a file to be downloaded."""
    what = "gold-links" if isinstance(linked, GoldAlignmentSet) else "aligner-run"
    filename = f"{linked.project.slug}-phrase-pairs-{what}-{linked.pk}.tsv"
    return StreamingHttpResponse(
        as_tsv(linked, spec, text=text, min_count=min_count),
        content_type="text/tab-separated-values; charset=utf-8",
        headers=attachment(filename, linked.project),
    )
