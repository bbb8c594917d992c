"""Agreement on the links of a batch: every two annotators, before and after a second pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from annotation.models import Assignment, Batch, SecondLook
from annotation.services.pseudonyms import pseudonyms
from paragold.metrics.link_agreement import (
    MEASURE,
    VERSION,
    Annotated,
    class_heat_map,
    link_agreement_table,
    most_disputed,
)
from paragold.metrics.links import Links, TokenPair

from .submitted_links import links_from_rows, links_of, submitted_alignments


def batch_agreement(batch: Batch, items: Collection[int] | None = None) -> dict[str, Any]:
    """Agreement on the items of a linking batch, or on those of `items`, that two or more have submitted.

    Of the `passes` the first is what stood when the second pass began, in which annotators saw where they
    differ. The second is what stands now; it is left out while nothing changed. `revised` counts answers
    that were changed in it. Each pass has `annotators`, every two of them (pseudonyms) by words, the word
    `classes` of all differences row by row, and the most disputed `words`.
    """
    by_item = histories(batch, items)
    names = pseudonyms(batch.project, {user for history in by_item.values() for user in history.first})
    revised = sum(history.revised for history in by_item.values())
    passes = [_pass("first", {item: (h.tokens, h.first) for item, h in by_item.items()}, names)]
    if revised:
        passes.append(_pass("second", {item: (h.tokens, h.second) for item, h in by_item.items()}, names))
    return {
        "passes": passes,
        "revised": revised,
        "signature": f"{MEASURE}|batch:{batch.name}|pairs:{len(by_item)}|version:{VERSION}",
    }


def _pass(
    name: str, linked: Mapping[int, tuple[TokenPair, Mapping[int, Links]]], names: Mapping[int, str]
) -> dict[str, Any]:
    shared: dict[tuple[str, str], list[Annotated]] = defaultdict(list)
    for tokens, by_user in linked.values():
        called = {names[user]: links for user, links in by_user.items()}
        for a, b in combinations(sorted(called, key=lambda name: (len(name), name)), 2):
            shared[a, b].append((tokens, called[a], called[b]))
    everything = [pair for pairs in shared.values() for pair in pairs]
    return {
        "pass": name,
        "annotators": [
            {"first": a, "second": b, **link_agreement_table(pairs)}
            for (a, b), pairs in sorted(shared.items())
        ],
        "classes": [cell for row in class_heat_map(everything) for cell in row],
        "words": most_disputed(everything),
    }


@dataclass(frozen=True, slots=True)
class History:
    """The links of one item by annotator (user id), in the first pass and as submitted last."""

    tokens: TokenPair
    first: dict[int, Links]
    second: dict[int, Links]

    @property
    def revised(self) -> int:
        """How many answers were changed in the second pass."""
        return sum(self.first[user] != self.second[user] for user in self.first)


def histories(batch: Batch, items: Collection[int] | None = None) -> dict[int, History]:
    """By item id, the items of a batch (or of `items`) that two or more people were asked and all submitted.

    The first pass is what stood when the second pass began; without one it is what stands now.
    """
    asked: dict[int, set[int | None]] = defaultdict(set)
    places = Assignment.objects.filter(item__batch=batch).order_by()
    for item, user in places.values_list("item", "annotator"):
        asked[item].add(user)
    looks = SecondLook.objects.filter(second_pass__batch=batch, links__isnull=False)
    earlier = {look.assignment_id: look.links["first"]["links"] for look in looks if look.links}
    by_item = {}
    for item, alignments in submitted_alignments(batch).items():
        second = {answer.assignment.person: links_of(answer) for answer in alignments}
        if len(second) < 2 or second.keys() != asked[item] or (items is not None and item not in items):
            continue
        first = second | {
            answer.assignment.person: links_from_rows(earlier[answer.assignment_id])
            for answer in alignments
            if answer.assignment_id in earlier
        }
        pair = alignments[0].assignment.item.pair
        tokens = (tuple(pair.sentence_a.token_list), tuple(pair.sentence_b.token_list))
        by_item[item] = History(tokens, first, second)
    return by_item
