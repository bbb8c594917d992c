"""Two aligners on the same gold links, link by link: which of them is right where.

A SURE gold link is right where it was drawn, a link that the gold does not have where it was not. A POSSIBLE
gold link is right either way, as in the alignment error rate (Och & Ney 2003); how often each aligner draws
one is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from paragold.formats.tables import csv_table
from paragold.metrics.error_kinds import VERSION as KINDS_VERSION
from paragold.metrics.error_kinds import KindCounts, errors_by_kind, errors_of_pair, function_words
from paragold.metrics.error_rate import WORDS, Comparison, ScoreTable, compare, counts_by_words, score_table
from paragold.metrics.links import Link, LinkedPair, Links, links_of_words
from paragold.statistics import RESAMPLES, SHUFFLES

OUTCOMES: Mapping[str, str] = MappingProxyType(
    {
        "both_right": "Both right",
        "only_a": "Only A right",
        "only_b": "Only B right",
        "both_wrong": "Both wrong",
    }
)
STRENGTHS: Mapping[str, str] = MappingProxyType(
    {"sure": "SURE", "possible": "POSSIBLE", "none": "not in the gold"}
)
"""What a link is in the gold."""
CSV_HEAD = (
    "pair", "key", "first word", "second word", "first index", "second index", "gold", "drawn by A",
    "drawn by B", "outcome", "identical words", "error of A", "error of B",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ComparedLink:
    """A link that the gold has or that at least one aligner drew.

    `strength` is one of STRENGTHS. `kind_a` and `kind_b` are the kinds of the aligners' errors (see
    `error_kinds.KINDS`), "" where they are right.
    """

    link: Link
    strength: str
    a: bool
    b: bool
    identical: bool
    kind_a: str
    kind_b: str

    @property
    def outcome(self) -> str:
        """One of OUTCOMES."""
        if self.kind_a:
            return "both_wrong" if self.kind_b else "only_b"
        return "only_a" if self.kind_b else "both_right"

    @property
    def drawn_by(self) -> str:
        """ "AB", "A", "B" or ""."""
        return "A" * self.a + "B" * self.b


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """A sentence pair, `number` from 1, and its links in ascending order."""

    number: int
    gold: LinkedPair
    links: list[ComparedLink]

    @property
    def outcomes(self) -> Counter[str]:
        return Counter(one.outcome for one in self.links)

    @property
    def difference(self) -> int:
        """Links on which only A is right minus those on which only B is: above 0 A is better."""
        return self.outcomes["only_a"] - self.outcomes["only_b"]


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """The outcomes of links of one strength between identical or between other words."""

    strength: str
    identical: bool
    counts: Mapping[str, int]

    @property
    def label(self) -> str:
        return f"{STRENGTHS[self.strength]}, {WORDS['identical' if self.identical else 'non_identical']}"

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class LinkComparison:
    """Two aligners, A and B, on one gold set.

    `scores_a` and `scores_b` are their rates; `tests` by words the AER of A minus that of B with interval and
    p, None where undefined; `kinds_a` and `kinds_b` their errors by kind.
    """

    pairs: list[ComparedPair]
    scores_a: ScoreTable
    scores_b: ScoreTable
    tests: Mapping[str, Comparison | None]
    kinds_a: list[KindCounts]
    kinds_b: list[KindCounts]
    signature: str
    """How the numbers came about: metric, bootstrap and seed, test, kinds of errors and language."""

    @property
    def rows(self) -> list[OutcomeRow]:
        """The outcomes by strength in the gold, and by identical and other words."""
        counts = Counter(
            (one.strength, one.identical, one.outcome) for pair in self.pairs for one in pair.links
        )
        return [
            OutcomeRow(
                strength,
                identical,
                {outcome: counts[strength, identical, outcome] for outcome in OUTCOMES},
            )
            for strength in STRENGTHS
            for identical in (True, False)
        ]

    @property
    def totals(self) -> dict[str, int]:
        return {outcome: sum(row.counts[outcome] for row in self.rows) for outcome in OUTCOMES}

    @property
    def possible(self) -> dict[str, int]:
        """How many POSSIBLE links were drawn by both ("AB"), by one alone ("A", "B") and by none ("")."""
        counts = Counter(
            one.drawn_by for pair in self.pairs for one in pair.links if one.strength == "possible"
        )
        return {who: counts[who] for who in ("AB", "A", "B", "")}


def compare_links(
    pairs: Sequence[LinkedPair],
    a: Sequence[Collection[Link]],
    b: Sequence[Collection[Link]],
    *,
    language: str,
    seed: int,
    resamples: int = RESAMPLES,
    shuffles: int = SHUFFLES,
) -> LinkComparison:
    """Compare the links of two aligners, link by link.

    Parameters
    ----------
    pairs : sequence of LinkedPair
        The gold set.
    a, b : sequences of collections of (source, target) indices from 0
        The links of each aligner for each pair, in the same order.
    language : str
        Of the sentences (BCP 47), for the kinds of errors.
    seed, resamples, shuffles : int
        Of the intervals and of the test (approximate randomisation of pairs), as `error_rate.compare`.

    Raises
    ------
    ValueError
        The three are not equally long, or a link points outside its sentences.

    References
    ----------
    Och & Ney (2003), section 4.2; Noreen (1989); Riezler & Maxwell (2005).
    """
    gold, tokens = [pair.links for pair in pairs], [pair.tokens for pair in pairs]
    scores = [score_table(drawn, gold, tokens, seed=seed, resamples=resamples) for drawn in (a, b)]
    counts = [counts_by_words(drawn, gold, tokens) for drawn in (a, b)]
    kinds = [
        errors_by_kind(pairs, drawn, language=language, seed=seed, resamples=resamples) for drawn in (a, b)
    ]
    function = function_words(language)
    return LinkComparison(
        pairs=[
            _pair(number, pair, frozenset(one), frozenset(other), function)
            for number, (pair, one, other) in enumerate(zip(pairs, a, b, strict=True), start=1)
        ],
        scores_a=scores[0],
        scores_b=scores[1],
        tests={
            words: compare(
                counts[0][words], counts[1][words], seed=seed, resamples=resamples, shuffles=shuffles
            )
            for words in WORDS
        },
        kinds_a=kinds[0],
        kinds_b=kinds[1],
        signature=f"{scores[0].all.signature}|test:approximate-randomisation,{shuffles}"
        f"|kinds:{KINDS_VERSION},{language}",
    )


def _pair(
    number: int, pair: LinkedPair, a: frozenset[Link], b: frozenset[Link], function: Collection[str]
) -> ComparedPair:
    kinds = [{error.link: error.kind for error in errors_of_pair(pair, drawn, function)} for drawn in (a, b)]
    every = pair.links.possible | a | b
    identical = links_of_words(every, pair.tokens.source, pair.tokens.target, identical=True)
    return ComparedPair(
        number,
        pair,
        [
            ComparedLink(
                link,
                _strength(pair.links, link),
                link in a,
                link in b,
                link in identical,
                kinds[0].get(link, ""),
                kinds[1].get(link, ""),
            )
            for link in sorted(every)
        ],
    )


def _strength(gold: Links, link: Link) -> str:
    if link in gold.sure:
        return "sure"
    return "possible" if link in gold.possible else "none"


def by_difference(pairs: Sequence[ComparedPair], *, outcome: str = "", kind: str = "") -> list[ComparedPair]:
    """The pairs with a link of that outcome and of that kind of error, the largest difference first.

    Without either, the pairs on which at least one aligner is wrong. With an outcome, the pairs with the most
    such links come first.
    """
    ranked = []
    for pair in pairs:
        number = sum(_matches(one, outcome, kind) for one in pair.links)
        if number:
            weight = number if outcome else abs(pair.difference)
            ranked.append((-weight, -number, pair.number, pair))
    return [pair for *_, pair in sorted(ranked, key=lambda one: one[:3])]


def _matches(one: ComparedLink, outcome: str, kind: str) -> bool:
    if kind and kind not in (one.kind_a, one.kind_b):
        return False
    return one.outcome == outcome if outcome else one.outcome != "both_right"


def as_csv(pairs: Sequence[ComparedPair]) -> str:
    """A line for each link of the pairs, in their order; the columns are CSV_HEAD, indices are from 0."""

    def row(pair: ComparedPair, one: ComparedLink) -> list[Any]:
        a, b = one.link
        words = pair.gold.tokens.source[a], pair.gold.tokens.target[b]
        drawn = ["yes" if side else "no" for side in (one.a, one.b)]
        return [
            pair.number, pair.gold.key, *words, a, b, one.strength, *drawn, one.outcome,
            "yes" if one.identical else "no", one.kind_a, one.kind_b,
        ]  # fmt: skip

    return csv_table(CSV_HEAD, (row(pair, one) for pair in pairs for one in pair.links))
