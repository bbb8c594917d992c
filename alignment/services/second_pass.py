"""The second pass over links: which of them are disputed, and the two answers to a pair.

Annotators see on which links they differ, not how the others linked, and link again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from alignment.models import Alignment
from annotation.models import Answer, Assignment, Batch, SecondLook
from annotation.services.decisions import latest_decisions
from annotation.services.second_pass import PassKind, keep_look, look_for
from paragold.metrics.label_agreement import estimate

from .gold_links import agreement_of
from .submitted_links import compared, submitted_alignments

Content = dict[str, Any]
"""The links of an answer: {links: [[a, b, strength, origin], ...], null_a, null_b}."""


def content_of(alignment: Alignment) -> Content:
    links = [[link.a, link.b, link.strength, link.origin] for link in alignment.links.all()]
    return {"links": links, "null_a": alignment.null_a, "null_b": alignment.null_b}


def revised_links(assignment: Assignment, content: Content, *, submitted: bool, skipped: bool) -> Content:
    """The links that count after an answer; stores a second look when the pair has one.

    Until a second answer is submitted the first counts, and the second is kept as a draft; skipping confirms
    the first. To be called in the transaction that stores the answer; raises as `look_for`.
    """
    submissions = Answer.objects.filter(assignment=assignment, body__submitted=True)
    look = look_for(assignment, submissions.exists)
    if look is None or look.links is None:
        return content
    look.links["draft"] = None if submitted or skipped else content
    keep_look(look, assignment, done=submitted or skipped)
    first: Content = look.links["first"]
    return content if submitted else first


def shown_look(look: SecondLook, current: Content) -> Content:
    """What the annotator of a look sees of the links: the own draft where there is one."""
    links = look.links or {}
    return (links.get("draft") or current) | {"disputed": links.get("disputed", [])}


def _looks(batch: Batch) -> list[SecondLook]:
    by_item = submitted_alignments(batch)
    decided = latest_decisions(by_item)
    return [
        SecondLook(
            assignment=alignment.assignment,
            links={"first": content_of(alignment), "draft": None, "disputed": disputed},
        )
        for item, alignments in by_item.items()
        if item not in decided and (disputed := _disputed(alignments))
        for alignment in alignments
    ]


def _disputed(alignments: Sequence[Alignment]) -> list[list[int]]:
    return [[link.a, link.b] for link in compared(alignments)[1]]


def _figures(batch: Batch) -> dict[str, Any]:
    agreement = agreement_of(submitted_alignments(batch).values())
    reason = "" if agreement["value"] is not None else "no two annotators linked the same pair"
    return {"observed": estimate(agreement["value"], agreement["pairs"], reason)}


def _changed(done: QuerySet[SecondLook]) -> int:
    rows = done.select_related("assignment__alignment").prefetch_related("assignment__alignment__links")
    return sum(content_of(look.assignment.alignment) != (look.links or {}).get("first") for look in rows)


LINKS = PassKind(_looks, _figures, _changed)
