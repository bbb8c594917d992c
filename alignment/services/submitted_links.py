"""The links that annotators submitted: by item, compared link by link, and what was suggested to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, QuerySet

from alignment.models import Alignment, Origin, Strength, SuggestedLinks, WordLink
from annotation.models import AssignmentState, Batch
from paragold.metrics.links import Link, Links


def submitted_alignments(batch: Batch) -> dict[int, list[Alignment]]:
    """The submitted alignments of each item of a linking batch, by item id, annotators in order."""
    by_item: dict[int, list[Alignment]] = defaultdict(list)
    for alignment in (
        Alignment.objects.filter(assignment__item__batch=batch, assignment__state=AssignmentState.DONE)
        .select_related("assignment__item__pair__sentence_a", "assignment__item__pair__sentence_b", "offered")
        .prefetch_related("links")
        .order_by("assignment__item__number", "assignment__annotator_id")
    ):
        by_item[alignment.assignment.item_id].append(alignment)
    return dict(by_item)


def conditions_of(items: Collection[int] | QuerySet[Any, Any]) -> list[tuple[SuggestedLinks | None, int]]:
    """Under what the submitted links of items were drawn: the suggestions shown (None: none) by aligner, and
    how many answers; without imported links."""
    answers = Alignment.objects.filter(
        ~Exists(WordLink.objects.filter(alignment=OuterRef("pk"), origin=Origin.IMPORTED)),
        assignment__item__in=items,
        assignment__state=AssignmentState.DONE,
    ).order_by()
    shown = answers.values_list("offered__setting", "offered__signature")
    rows = shown.annotate(Min("offered"), Count("pk")).order_by("offered__setting", "offered__signature")
    first = SuggestedLinks.objects.in_bulk([pk for *_, pk, _ in rows if pk is not None])
    return [(first.get(pk), answers) for *_, pk, answers in rows]


@dataclass(frozen=True, slots=True)
class DisputedLink:
    """A link on which annotators differ; `strengths` has one entry for each of them, None: not drawn."""

    a: int
    b: int
    strengths: list[str | None]


def compared(alignments: Sequence[Alignment]) -> tuple[list[list[Any]], list[DisputedLink]]:
    """The links that all drew alike, and the others, both in order."""
    drawn = [{(link.a, link.b): link.strength for link in answer.links.all()} for answer in alignments]
    agreed: list[list[Any]] = []
    disputed = []
    for a, b in sorted(set().union(*drawn)):
        strengths = [links.get((a, b)) for links in drawn]
        if strengths[0] is not None and len(set(strengths)) == 1:
            agreed.append([a, b, strengths[0]])
        else:
            disputed.append(DisputedLink(a, b, strengths))
    return agreed, disputed


def disputed_counts(submitted: Mapping[int, Sequence[Alignment]]) -> dict[int, int]:
    """How many links are disputed in each of the items that has any, by item id."""
    counts = {item: len(compared(alignments)[1]) for item, alignments in submitted.items()}
    return {item: count for item, count in counts.items() if count}


def links_from_rows(rows: Iterable[Sequence[Any]]) -> Links:
    """Links from [a, b, strength, ...] rows."""
    sure: list[Link] = []
    possible: list[Link] = []
    for a, b, strength, *_ in rows:
        (sure if strength == Strength.SURE else possible).append((a, b))
    return Links.of(sure, possible)


def links_of(alignment: Alignment) -> Links:
    return links_from_rows((link.a, link.b, link.strength) for link in alignment.links.all())
