"""Which pairs of a gold set nobody would dispute: no two annotators differ, or an adjudicator decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paragold.formats.judgements.gold_jsonl import GoldPair
from paragold.metrics.links import LinkedPair


@dataclass(frozen=True, slots=True)
class PairLinks:
    """A pair with gold links, its cluster, and the links of each annotator as `GoldAlignment` keeps them.

    `annotators` are their pseudonyms, in the order of `versions`.
    """

    pair: LinkedPair
    cluster: str
    versions: Sequence[Sequence[Sequence[Any]]]
    adjudicated: bool
    annotators: Sequence[str] = ()


def judgement_settled(pair: GoldPair) -> bool:
    labels = {judgement.label for judgement in pair.judgements if judgement.label is not None}
    return pair.adjudication is not None or len(labels) <= 1


def links_settled(one: PairLinks) -> bool:
    """Links that differ in strength alone differ."""
    drawn = {tuple(sorted((a, b, strength) for a, b, strength, *_ in links)) for links in one.versions}
    return one.adjudicated or len(drawn) <= 1
