"""Agreement on the links of a batch: every two annotators, before and after they saw the differences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from annotation.models import Batch
from annotation.services.pseudonyms import pseudonyms
from paragold.metrics.link_agreement import (
    VERSION,
    Annotated,
    ClassCell,
    DisputedWords,
    LinkAgreement,
    class_heat_map,
    link_agreement_table,
    most_disputed,
)
from paragold.metrics.links import Links, TokenPair

from .second_pass import histories

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
    found = histories(batch, items)
    names = pseudonyms(batch.project, {user for history in found.values() for user in history.first})
    revised = sum(
        history.first[user] != history.second[user] for history in found.values() for user in history.first
    )
    passes = [_pass("first", {item: (h.tokens, h.first) for item, h in found.items()}, names)]
    if revised:
        passes.append(_pass("second", {item: (h.tokens, h.second) for item, h in found.items()}, names))
    return BatchAgreement(
        passes=passes,
        revised=revised,
        signature=f"link-agreement|measure:1-mean directional aer,f1|batch:{batch.name}"
        f"|pairs:{len(found)}|version:{VERSION}",
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


def as_json(found: BatchAgreement) -> dict[str, Any]:
    """The agreement as JSON: rates are shares from 0 to 1, None where undefined."""
    return {
        "passes": [
            {
                "pass": one.name,
                "annotators": [
                    {
                        "first": pair.first,
                        "second": pair.second,
                        **{
                            words: asdict(figures) | {"agreement": figures.agreement}
                            for words, figures in pair.table.items()
                        },
                    }
                    for pair in one.annotators
                ],
                "classes": _cells(one.classes),
                "words": [asdict(words) for words in one.words],
            }
            for one in found.passes
        ],
        "revised": found.revised,
        "signature": found.signature,
    }


def _cells(classes: Sequence[Sequence[ClassCell]]) -> list[dict[str, Any]]:
    return [asdict(cell) | {"share": cell.share} for row in classes for cell in row]
