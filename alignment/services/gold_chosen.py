"""The pairs of gold that an export holds, some at once: linked ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alignment.models import GoldAlignmentSet
from annotation.models import GoldSet
from paragold.formats.judgements.gold_jsonl import GoldPair

from .approved import PairLinks, judgement_settled, links_settled
from .gold_links import batches_with_versions
from .gold_reading import judged_batches


@dataclass(frozen=True, slots=True)
class Chosen:
    """Some pairs, either linked or judged, of `read` that were looked at; the others are not approved."""

    linked: Sequence[PairLinks]
    judged: Sequence[GoldPair]
    read: int

    @property
    def left_out(self) -> int:
        return self.read - len(self.linked) - len(self.judged)


def chosen_pairs(
    gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None, *, strengths: str, approved_only: bool
) -> Iterator[Chosen]:
    """Raises PublicError for unknown strengths."""
    if gold_links is not None:
        for links in batches_with_versions(gold_links, strengths):
            linked = [one for one in links if links_settled(one)] if approved_only else links
            yield Chosen(linked, [], len(links))
    if gold_set is not None:
        for pairs in judged_batches(gold_set):
            judged = [pair for pair in pairs if judgement_settled(pair)] if approved_only else pairs
            yield Chosen([], judged, len(pairs))
