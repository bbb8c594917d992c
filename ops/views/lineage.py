"""The lineage of a gold label: from the two articles to the exports that hold it, as a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from alignment.models import Export, GoldAlignment
from annotation.models import Decision, GoldJudgement, Label, PairScore, SecondLook
from annotation.permissions import check_see_gold
from annotation.presenters import letter
from annotation.services.pseudonyms import pseudonyms
from annotation.services.review import GivenAnswer, answer_history, log_answers_seen
from annotation.views.gold import rule_words, votes_of
from corpus.models import Finding, Sentence
from projects.models import Project
from projects.permissions import can_manage
from projects.views.project_view import project_view, user_of


@dataclass(frozen=True, slots=True)
class Origin:
    """A sentence in its article, and the numbers of tokens in it."""

    sentence: Sentence
    tokens: int


@dataclass(frozen=True, slots=True)
class Look:
    """A disputed answer in the second pass: what was said first, and then ("" for not again)."""

    annotator: str
    first: str
    label: str


@dataclass(frozen=True, slots=True)
class Lineage:
    """All that a gold label rests on and that rests on it.

    `history`, `looks` and `decisions` are empty unless the reader may see single people's answers.
    `gold` are the pair's labels in every gold set of the project, `links` its gold alignments, `exports`
    those that hold one of them.
    """

    gold: GoldJudgement
    origins: list[Origin]
    findings: list[Finding]
    scores: list[PairScore]
    history: list[GivenAnswer]
    looks: list[Look]
    decisions: list[Decision]
    labels: list[GoldJudgement]
    links: list[GoldAlignment]
    exports: list[Export]


def lineage_of(gold: GoldJudgement, *, sees_answers: bool) -> Lineage:
    """The lineage of one row of a gold set. The caller has checked that the reader may see gold.

    `sees_answers`: the reader may see every answer that anybody gave, not only what was frozen.
    """
    item, pair = gold.item, gold.item.pair
    labels = GoldJudgement.objects.filter(item__pair=pair).select_related("gold_set", "item__batch")
    links = GoldAlignment.objects.filter(item__pair=pair).select_related("gold_set", "item__batch")
    frozen = {
        "judgements": {str(one.gold_set) for one in labels},
        "links": {str(one.gold_set) for one in links},
    }
    return Lineage(
        gold=gold,
        origins=[Origin(pair.sentence_a, pair.length_a), Origin(pair.sentence_b, pair.length_b)],
        findings=list(Finding.objects.filter(pair=pair).select_related("extraction").order_by("extraction")),
        scores=list(PairScore.objects.filter(pair=pair).select_related("run__classifier").order_by("run")),
        history=answer_history(item.batch, [item.pk]).get(item.pk, []) if sees_answers else [],
        looks=_looks(gold) if sees_answers else [],
        decisions=list(item.decisions.all()) if sees_answers else [],
        labels=list(labels.order_by("gold_set")),
        links=list(links.order_by("gold_set")),
        exports=[
            export
            for export in Export.objects.filter(project=gold.gold_set.project_id).order_by("pk")
            if _holds(export.manifest.get("details", {}), frozen)
        ],
    )


def _looks(gold: GoldJudgement) -> list[Look]:
    rows = SecondLook.objects.filter(assignment__item=gold.item_id).select_related("assignment")
    names = pseudonyms(gold.gold_set.project, {row.assignment.person for row in rows})
    return [Look(names[row.assignment.person], row.first_label, row.label) for row in rows.order_by("pk")]


def _holds(details: dict[str, Any], frozen: dict[str, set[str]]) -> bool:
    """Whether an export's manifest names one of the gold sets."""
    return any(details.get(kind, {}).get("gold_set") in names for kind, names in frozen.items())


@require_safe
@project_view(check_see_gold)
def gold_pair(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    rows = GoldJudgement.objects.select_related(
        "gold_set__project",
        "item__batch__project", "item__batch__dataset", "item__batch__corpus_import",
        "item__pair__cluster", "item__pair__sentence_a__article", "item__pair__sentence_b__article",
    )  # fmt: skip
    gold = get_object_or_404(rows, gold_set__project=project, pk=pk)
    manages = can_manage(request.user, project)
    if manages:
        log_answers_seen(batch=gold.item.batch, by=user_of(request))
    lineage = lineage_of(gold, sees_answers=manages)
    following = GoldJudgement.objects.filter(gold_set=gold.gold_set_id)
    context = {
        "gold": gold,
        "lineage": lineage,
        "label": Label(gold.label).label,
        "rule": rule_words(gold.gold_set.rule),
        "votes": votes_of(gold),
        "previous": following.filter(pk__lt=gold.pk).order_by("-pk").values_list("pk", flat=True).first(),
        "next": following.filter(pk__gt=gold.pk).order_by("pk").values_list("pk", flat=True).first(),
    }
    return render(request, "ops/gold_pair.html", context | _in_words(lineage))


def _in_words(lineage: Lineage) -> dict[str, Any]:
    return {
        "looks": [(letter(look.annotator), _word(look.first), _word(look.label)) for look in lineage.looks],
        "labels": [(_word(one.label), rule_words(one.gold_set.rule), one) for one in lineage.labels],
    }


def _word(label: str) -> str:
    return str(Label(label).label) if label else "not again"
