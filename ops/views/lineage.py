"""The lineage of a gold label: from the two articles to the exports that hold it, as a page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from alignment.forms import MERGING
from alignment.models import Export, GoldAlignment
from annotation.models import ClassifierRun, GoldJudgement, PairScore, SecondLook
from annotation.permissions import check_see_gold
from annotation.presenters import letter
from annotation.resources import rule_words
from annotation.schemes import Label
from annotation.services.pseudonyms import pseudonyms
from annotation.services.review import answer_history, record_answers_seen
from annotation.views.gold import votes_of
from corpus.models import Finding
from projects.models import Project
from projects.permissions import can_manage
from projects.views.project_view import SAFE, project_view, user_of


@project_view(check_see_gold, SAFE)
def gold_pair(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """All that a gold label rests on and that rests on it.

    Managers also see every answer that anybody gave (which is logged), not only what was frozen.
    """
    rows = GoldJudgement.objects.select_related(
        "gold_set__project",
        "item__batch__project", "item__batch__dataset", "item__batch__corpus_import",
        "item__pair__cluster", "item__pair__sentence_a__article", "item__pair__sentence_b__article",
    )  # fmt: skip
    gold = get_object_or_404(rows, gold_set__in=project.gold_sets.all(), pk=pk)
    item, pair = gold.item, gold.item.pair
    labels = GoldJudgement.objects.filter(item__pair=pair, gold_set__in=project.gold_sets.all())
    labels = labels.select_related("gold_set").order_by("gold_set")
    links = GoldAlignment.objects.filter(item__pair=pair, gold_set__in=project.gold_alignment_sets.all())
    links = links.select_related("gold_set").order_by("gold_set")
    frozen = {
        "judgements": {str(label.gold_set) for label in labels},
        "links": {str(link.gold_set) for link in links},
    }
    following = GoldJudgement.objects.filter(gold_set=gold.gold_set_id)
    context = {
        "gold": gold,
        "origins": [(pair.sentence_a, pair.length_a), (pair.sentence_b, pair.length_b)],
        "findings": Finding.objects.filter(pair=pair).select_related("extraction").order_by("extraction"),
        "scores": PairScore.objects.filter(pair=pair, run__in=ClassifierRun.objects.all())
        .select_related("run__classifier")
        .order_by("run"),
        "label": _word(gold.label),
        "rule": rule_words(gold.gold_set.rule),
        "votes": votes_of(gold),
        "labels": [(_word(label.label), rule_words(label.gold_set.rule), label) for label in labels],
        "links": [(MERGING[link.gold_set.rule], link) for link in links],
        "exports": [
            export
            for export in Export.objects.filter(project=project).order_by("pk")
            if _holds(export.manifest.get("details", {}), frozen)
        ],
        "previous": following.filter(pk__lt=gold.pk).order_by("-pk").values_list("pk", flat=True).first(),
        "next": following.filter(pk__gt=gold.pk).order_by("pk").values_list("pk", flat=True).first(),
    }
    if can_manage(request.user, project):
        record_answers_seen(batch=item.batch, by=user_of(request), page="gold pair")
        context |= {
            "history": answer_history(item.batch, [item.pk]).get(item.pk, []),
            "looks": _looks(gold),
            "decisions": item.decisions.all(),
        }
    return render(request, "ops/gold_pair.html", context)


def _looks(gold: GoldJudgement) -> list[tuple[str, str, str]]:
    """(annotator, first label, label of the second pass) of each disputed answer."""
    rows = SecondLook.objects.filter(assignment__item=gold.item_id).select_related("assignment")
    names = pseudonyms(gold.gold_set.project, {row.assignment.person for row in rows})
    return [
        (letter(names[row.assignment.person]), _word(row.first_label), _word(row.label))
        for row in rows.order_by("pk")
    ]


def _holds(details: dict[str, Any], frozen: dict[str, set[str]]) -> bool:
    """Whether an export's manifest names one of the gold sets."""
    return any(details.get(kind, {}).get("gold_set") in names for kind, names in frozen.items())


def _word(label: str) -> str:
    return str(Label(label).label) if label else "not again"
