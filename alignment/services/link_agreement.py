"""Agreement on the links of a batch: every two annotators, before and after they saw the differences.

In the second pass annotators see on which words they differ, not how the others linked, and link again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from annotation.models import Answer, Assignment, Batch, Item
from annotation.services.decisions import latest_decisions
from annotation.services.pseudonyms import pseudonyms
from paragold.metrics.link_agreement import (
    VERSION,
    Annotated,
    ClassCell,
    DisputedWords,
    LinkAgreement,
    class_heat_map,
    disputed,
    link_agreement_table,
    most_disputed,
)
from paragold.metrics.links import Links, TokenPair

from .submitted_links import links_from_rows

PASSES = ("first", "second")


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """The agreement of two annotators (pseudonyms) by words: all, identical, non_identical."""

    first: str
    second: str
    table: dict[str, LinkAgreement]


@dataclass(frozen=True, slots=True)
class PassAgreement:
    """One pass: every two annotators, and what all the differences are about."""

    name: str
    annotators: list[AnnotatorPair]
    classes: list[list[ClassCell]]
    words: list[DisputedWords]

    @property
    def cells(self) -> list[ClassCell]:
        """All cells of the heat map, row by row."""
        return [cell for row in self.classes for cell in row]


@dataclass(frozen=True, slots=True)
class BatchAgreement:
    """The passes of a batch. `revised` counts answers that were changed once everybody's were in."""

    passes: list[PassAgreement]
    revised: int
    signature: str


def batch_agreement(batch: Batch, items: Collection[int] | None = None) -> BatchAgreement:
    """Agreement on the items of a linking batch, or on those of `items`, that two or more have submitted.

    The first pass is what stood when the last of an item's annotators had first submitted: until then
    nobody saw the others' links. The second pass is what stands now; it is left out while nothing changed.
    """
    by_item = histories(batch, items)
    names = pseudonyms(batch.project, {user for history in by_item.values() for user in history.first})
    revised = sum(
        history.first[user] != history.second[user] for history in by_item.values() for user in history.first
    )
    passes = [_pass("first", {item: (h.tokens, h.first) for item, h in by_item.items()}, names)]
    if revised:
        passes.append(_pass("second", {item: (h.tokens, h.second) for item, h in by_item.items()}, names))
    return BatchAgreement(
        passes=passes,
        revised=revised,
        signature=f"link-agreement|measure:1-mean directional aer,f1|batch:{batch.name}"
        f"|pairs:{len(by_item)}|version:{VERSION}",
    )


def _pass(
    name: str, linked: Mapping[int, tuple[TokenPair, Mapping[int, Links]]], names: Mapping[int, str]
) -> PassAgreement:
    shared: dict[tuple[str, str], list[Annotated]] = defaultdict(list)
    for tokens, by_user in linked.values():
        called = {names[user]: links for user, links in by_user.items()}
        for a, b in combinations(sorted(called, key=lambda name: (len(name), name)), 2):
            shared[a, b].append(Annotated(tokens, called[a], called[b]))
    everything = [pair for pairs in shared.values() for pair in pairs]
    return PassAgreement(
        name=name,
        annotators=[
            AnnotatorPair(a, b, link_agreement_table(pairs)) for (a, b), pairs in sorted(shared.items())
        ],
        classes=class_heat_map(everything),
        words=most_disputed(everything),
    )


@dataclass(frozen=True, slots=True)
class History:
    """The links of one item by annotator (user id), in the first pass and as submitted last.

    `revised` holds who has submitted again since the first pass ended.
    """

    tokens: TokenPair
    first: dict[int, Links]
    second: dict[int, Links]
    revised: set[int]


def histories(batch: Batch, items: Collection[int] | None = None) -> dict[int, History]:
    """By item id, the items of a batch (or of `items`) that two or more people were asked and all submitted.

    The first pass is what stood when the last of an item's annotators had first submitted.
    """
    answers = Answer.objects.filter(assignment__item__batch=batch).order_by("id")
    rows = Item.objects.filter(batch=batch).select_related("pair__sentence_a", "pair__sentence_b")
    if items is not None:
        answers = answers.filter(assignment__item__in=list(items))
        rows = rows.filter(pk__in=list(items))
    annotators: dict[int, set[int]] = defaultdict(set)
    for item, user in rows.values_list("pk", "assignments__annotator"):
        annotators[item].add(user)
    present: dict[int, dict[int, Links]] = defaultdict(dict)
    latest: dict[int, dict[int, Links]] = defaultdict(dict)
    first: dict[int, dict[int, Links]] = {}
    revised: dict[int, set[int]] = defaultdict(set)
    for item, user, body in answers.values_list("assignment__item", "assignment__annotator", "body"):
        if not body["submitted"]:
            present[item].pop(user, None)
            continue
        present[item][user] = latest[item][user] = links_from_rows(body["links"])
        if item in first:
            revised[item].add(user)
        elif len(annotators[item]) > 1 and present[item].keys() == annotators[item]:
            first[item] = dict(present[item])
    return {
        row.pk: History(
            TokenPair(tuple(row.pair.sentence_a.token_list), tuple(row.pair.sentence_b.token_list)),
            first[row.pk],
            {user: latest[row.pk][user] for user in first[row.pk]},
            revised[row.pk],
        )
        for row in rows
        if row.pk in first
    }


@dataclass(frozen=True, slots=True)
class SecondLook:
    """One of the annotator's own pairs with links in dispute, [a, b] in order; `done`: submitted again."""

    assignment: Assignment
    disputed: list[tuple[int, int]]
    done: bool


def own_second_looks(batch: Batch, user: Any) -> list[SecondLook]:
    """The user's own pairs of a batch that all have submitted, that are disputed and not yet adjudicated.

    What is in dispute is settled by the first pass, so that everybody looks at the same words again.
    """
    own = Assignment.objects.of(user).filter(item__batch=batch).with_sentences().order_by("position")
    mine = list(own.prefetch_related("alignment__links", "item__suggested_links"))
    items = {assignment.item_id for assignment in mine}
    by_item = histories(batch, items - latest_decisions(items).keys())
    return [
        SecondLook(assignment, cells, user.pk in by_item[assignment.item_id].revised)
        for assignment in mine
        if assignment.item_id in by_item and (cells := disputed_cells(by_item[assignment.item_id]))
    ]


def disputed_cells(history: History) -> list[tuple[int, int]]:
    """The links on which any two annotators differed in the first pass, in order."""
    pairs = combinations(history.first.values(), 2)
    return sorted({cell for a, b in pairs for cell in disputed(Annotated(history.tokens, a, b))})
