"""The lineage of one row of a gold set, as a page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import GoldJudgement, Label
from annotation.permissions import check_see_gold
from annotation.presenters import letter
from annotation.services.review import log_answers_seen
from annotation.views.gold import rule_words, votes_of
from ops.lineage import Lineage, lineage_of
from projects.models import Project
from projects.permissions import can_manage
from projects.views.project_view import project_view, user_of


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
        "history": [(letter(given.annotator), given) for given in lineage.history],
        "looks": [(letter(look.annotator), _word(look.first), _word(look.label)) for look in lineage.looks],
        "decisions": [(_word(made.label), made) for made in lineage.decisions],
        "labels": [(_word(one.label), rule_words(one.gold_set.rule), one) for one in lineage.labels],
    }


def _word(label: str) -> str:
    return str(Label(label).label) if label else "not again"
