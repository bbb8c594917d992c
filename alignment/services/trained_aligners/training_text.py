"""The sentence pairs that an aligner is trained on, in an order that does not depend on the database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from alignment.models import GoldAlignment, GoldAlignmentSet
from corpus.models import CandidatePair, Dataset
from paragold.aligners.registry import Pair
from projects.models import Project

ROWS_AT_ONCE = 5_000


def pairs_of(
    project: Project, datasets: Sequence[Dataset], gold_sets: Sequence[GoldAlignmentSet]
) -> QuerySet[CandidatePair]:
    """The pairs of datasets and of gold sets, each once, in the order in which their sentences came in."""
    conditions = [dataset.condition() for dataset in datasets]
    if gold_sets:
        items = GoldAlignment.objects.filter(gold_set__in=gold_sets)
        conditions.append(Q(pk__in=items.values("item__pair")))
    pairs = CandidatePair.objects.filter(project_id=project.pk)
    if not conditions:
        return pairs.none()
    return pairs.filter(reduce(or_, conditions)).order_by("sentence_a_id", "sentence_b_id")


def read(pairs: QuerySet[CandidatePair]) -> list[Pair]:
    """The tokens of both sentences of each pair."""
    rows = pairs.values_list("sentence_a__tokens", "sentence_b__tokens").iterator(chunk_size=ROWS_AT_ONCE)
    return [(a.split(" "), b.split(" ")) for a, b in rows]
