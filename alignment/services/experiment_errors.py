"""Where a training went wrong on a test set: pairs with the most wrong links, and the links themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alignment.models import ExperimentCell
from annotation.models import PhenomenonCount
from paragold.aligners.aligner import LinkExplanation, Pair
from paragold.metrics.error_rate import rates
from paragold.metrics.link_comparison import KINDS, errors_of_pair, function_words
from paragold.metrics.links import Link, LinkedPair, Links
from projects.errors import PublicError

from .gold_links import linked_pairs

EXPLAINED = 500
"""Number of pairs of a test set, the ones with the most wrong links, whose errors are explained."""
Explain = Callable[[Pair], list[LinkExplanation]]
"""Why each candidate link of a sentence pair was drawn or not."""


@dataclass(frozen=True, slots=True)
class PairErrors:
    """One pair: links that the gold has as SURE and the aligner has not, and the other way round.

    `number` is its place in the gold set, from 1. A POSSIBLE link is never an error. `reasons` say why a
    wrong link, written as 0-1, was drawn or not, as far as that was kept.
    """

    number: int
    pair_id: int
    gold: LinkedPair
    drawn: frozenset[Link]
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> list[Link]:
        return sorted(self.gold.links.sure - self.drawn)

    @property
    def false(self) -> list[Link]:
        return sorted(self.drawn - self.gold.links.possible)

    @property
    def wrong(self) -> int:
        return len(self.missing) + len(self.false)

    def words(self, links: Sequence[Link]) -> list[str]:
        """The links as words."""
        return [f"{self.gold.source[a]} – {self.gold.target[b]}" for a, b in links]

    @property
    def missing_words(self) -> list[str]:
        return self.words(self.missing)

    @property
    def false_words(self) -> list[str]:
        return self.words(self.false)

    def rows(self) -> list[tuple[int, int, str]]:
        """All links to be drawn, in order: (a, b, what) with "right", "possible", "missing" or "false".

        "possible" are POSSIBLE links that the aligner drew as well; those it left out are none of these.
        """
        links: Links = self.gold.links
        kinds = dict.fromkeys(self.drawn & links.sure, "right")
        kinds |= dict.fromkeys(self.drawn & links.possible_only, "possible")
        kinds |= dict.fromkeys(self.missing, "missing") | dict.fromkeys(self.false, "false")
        return [(a, b, kinds[a, b]) for a, b in sorted(kinds)]


def errors_of(cell: ExperimentCell) -> list[PairErrors]:
    """The pairs of a cell in the order of the gold set."""
    pair_ids = cell.gold_set.alignments.values_list("item__pair_id", flat=True)
    linked = zip(linked_pairs(cell.gold_set), cell.link_lists, pair_ids, strict=True)
    return [
        PairErrors(number, pair_id, gold, frozenset(links), cell.reasons.get(str(number), {}))
        for number, (gold, links, pair_id) in enumerate(linked, start=1)
    ]


def worst_first(pairs: Sequence[PairErrors]) -> list[PairErrors]:
    """The pairs with a wrong link, the most wrong ones first."""
    return sorted((pair for pair in pairs if pair.wrong), key=lambda pair: (-pair.wrong, pair.number))


def error_of(cell: ExperimentCell, number: str) -> PairErrors:
    """The pair of that number, from 1. Raises PublicError when there is none."""
    pairs = {str(pair.number): pair for pair in errors_of(cell)}
    if number not in pairs:
        raise PublicError(
            "There is no pair %(number)s in %(gold_set)s; it has %(count)s.",
            number=number,
            gold_set=cell.gold_set,
            count=len(pairs),
        )
    return pairs[number]


def reasons_of(
    pairs: Sequence[LinkedPair], drawn: Sequence[Sequence[Link]], explain: Explain
) -> dict[str, dict[str, str]]:
    """Why the wrong links of the EXPLAINED worst pairs were drawn or not, as `ExperimentCell.reasons`."""
    wrong = {
        number: (pair.links.sure - set(links)) | (set(links) - pair.links.possible)
        for number, (pair, links) in enumerate(zip(pairs, drawn, strict=True), start=1)
    }
    from paragold.aligners.explanations import NOT_CONSIDERED, in_words

    reasons: dict[str, dict[str, str]] = {}
    for number in sorted((n for n in wrong if wrong[n]), key=lambda n: (-len(wrong[n]), n))[:EXPLAINED]:
        tokens = pairs[number - 1].tokens
        explained = {explanation.link: explanation for explanation in explain(tokens)}
        if explained:
            reasons[str(number)] = {
                f"{a}-{b}": in_words(explained[a, b]) if (a, b) in explained else NOT_CONSIDERED
                for a, b in sorted(wrong[number])
            }
    return reasons


def kinds_of(error: PairErrors, language: str) -> dict[Link, str]:
    """The label of the kind of each wrong link."""
    errors = errors_of_pair(error.gold, error.drawn, function_words(language))
    return {link: KINDS[kind][0] for link, _, kind in errors}


def by_phenomenon(cell: ExperimentCell) -> list[dict[str, Any]]:
    """For each phenomenon `precision`, `recall` and `aer`, shares from 0 to 1, None where undefined, on the
    pairs in which annotators counted it at least once, and how many `pairs` these are."""
    pair_ids = list(cell.gold_set.alignments.values_list("item__pair_id", flat=True))
    counted = PhenomenonCount.objects.filter(
        assignment__item__pair__in=pair_ids, assignment__item__known_label="", count__gt=0
    )
    pairs: defaultdict[str, set[int]] = defaultdict(set)
    for phenomenon, pair in counted.values_list("phenomenon", "assignment__item__pair_id"):
        pairs[phenomenon].add(pair)
    table = np.array(cell.counts["all"], dtype=np.int64)
    rows = []
    for phenomenon in sorted(pairs):
        places = [place for place, pair in enumerate(pair_ids) if pair in pairs[phenomenon]]
        shares = [None if np.isnan(share) else float(share) for share in rates(table[places].sum(axis=0))]
        row = {"phenomenon": phenomenon, "pairs": len(places)}
        rows.append(row | dict(zip(("precision", "recall", "aer"), shares, strict=True)))
    return rows
