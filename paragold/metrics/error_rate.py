"""Precision, recall and alignment error rate (AER) over a corpus, with intervals and a test.

Och & Ney (2003), "A Systematic Comparison of Various Statistical Alignment Models", section 4.2.
With A the links to be scored, S the SURE links and P the SURE and POSSIBLE ones of the gold standard:
precision = |A n P| / |A|, recall = |A n S| / |S|, AER = 1 - (|A n P| + |A n S|) / (|A| + |S|).

Two systems are compared by approximate randomisation (`paragold.statistics.randomisation_test`): Riezler &
Maxwell (2005, "On Some Pitfalls in Automatic Evaluation and Significance Testing for MT") found it to err
less often than the paired bootstrap, which takes the sample for the population. Sentence pairs are what is
drawn and exchanged, since links of one pair depend on each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from paragold.arrays import Floats, Integers
from paragold.metrics.links import Link, LinkedPair, Links, check_links, links_of_words
from paragold.statistics import LEVEL, RESAMPLES, SHUFFLES, bootstrap_intervals, randomisation_test

VERSION = 1
TEST = f"approximate randomisation of pairs, {SHUFFLES} shuffles, two-sided"
WORDS: Mapping[str, str] = MappingProxyType(
    {"all": "all words", "identical": "identical words", "non_identical": "non-identical words"}
)
"""Which links are counted, with the words for it: all, or those between (non-)identical words alone."""
CountArray = Integers
"""Shape (sentence pairs, 4): |A|, |S|, |A n P| and |A n S| of each."""


Score = dict[str, Any]
"""One row of an AER table: rates are fractions from 0 to 1, None where they would divide by nothing.

`scored`, `sure`, `scored_possible` and `scored_sure` are |A|, |S|, |A n P| and |A n S|, summed over all
`pairs` before anything is divided. `precision`, `recall` and `aer`, which is 1 where one side alone has
links. `precision_interval`, `recall_interval` and `aer_interval` are percentile bootstraps over pairs, None
with fewer than two pairs or where no resample has a defined rate. `signature` says how the numbers came
about: metric and version, words, pairs, bootstrap, seed.
"""
COUNTS = ("scored", "sure", "scored_possible", "scored_sure")
RATES = ("precision", "recall", "aer")


def counts_by_words(scored: Sequence[Collection[Link]], gold: Sequence[LinkedPair]) -> dict[str, CountArray]:
    """The counts of all links, and of links between identical and non-identical words (WORDS).

    scored: the links to be scored of each gold pair, in the same order; a link drawn twice counts once.
    Identical means equal when lower-cased; A, S and P are restricted to such links. Raises ValueError where
    the two are not equally long, or a link points outside its sentences, TypeError for links that are a text.
    """
    if len(scored) != len(gold):
        raise ValueError(f"{len(scored)} link sets to score, {len(gold)} gold ones")
    every, identical = (np.zeros((len(gold), 4), dtype=np.int64) for _ in range(2))
    for number, (links, pair) in enumerate(zip(scored, gold, strict=True)):
        check_links(links)
        drawn, reference = frozenset(links), pair.links
        both = Links(reference.sure, drawn | reference.possible)
        if (outside := both.first_outside(len(pair.source), len(pair.target))) is not None:
            raise ValueError(f"pair {number + 1}: link {outside} points outside its sentences")
        same = links_of_words(both.possible, *pair.tokens, identical=True)
        every[number] = counts_of_pair(drawn, reference)
        identical[number] = counts_of_pair(drawn & same, reference.restricted_to(same))
    return {"all": every, "identical": identical, "non_identical": every - identical}


def counts_of_pair(drawn: frozenset[Link], gold: Links) -> tuple[int, int, int, int]:
    """|A|, |S|, |A n P| and |A n S| of one sentence pair."""
    return len(drawn), len(gold.sure), len(drawn & gold.possible), len(drawn & gold.sure)


def rates(totals: Integers) -> Floats:
    """Precision, recall and AER of summed counts (..., 4), as (..., 3); not a number where undefined."""
    drawn, sure, drawn_possible, drawn_sure = np.moveaxis(totals.astype(np.float64), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        aer = 1 - (drawn_possible + drawn_sure) / (drawn + sure)
        return np.stack([drawn_possible / drawn, drawn_sure / sure, aer], axis=-1)


def score_of(counts: CountArray, words: str = "all", *, seed: int, resamples: int = RESAMPLES) -> Score:
    """The row of the pairs with these counts; `words` is one of WORDS, for the signature."""
    total = counts.sum(axis=0)
    bounds = bootstrap_intervals(counts, rates, seed=seed, resamples=resamples)
    return {
        **dict(zip(COUNTS, total.tolist(), strict=True)),
        "pairs": len(counts),
        **{
            name: None if np.isnan(rate) else float(rate)
            for name, rate in zip(RATES, rates(total), strict=True)
        },
        **{f"{name}_interval": interval for name, interval in zip(RATES, bounds, strict=True)},
        "signature": f"aer:och-ney-2003|version:{VERSION}|words:{words}|pairs:{len(counts)}"
        f"|bootstrap:percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}",
    }


def table_of(counts: Mapping[str, CountArray], *, seed: int, resamples: int = RESAMPLES) -> dict[str, Score]:
    """The rows of `counts_by_words`: all links, and those between identical and non-identical words (WORDS).

    seed, resamples: of the bootstrap intervals; 0 resamples for none. Och & Ney (2003), section 4.2.
    """
    return {words: score_of(rows, words, seed=seed, resamples=resamples) for words, rows in counts.items()}


def compare(
    first: CountArray, second: CountArray, *, seed: int, shuffles: int = SHUFFLES, resamples: int = RESAMPLES
) -> dict[str, Any] | None:
    """The difference of two systems' AER on the same pairs in the same order, and its significance.

    Parameters
    ----------
    first, second : arrays of shape (sentence pairs, 4)
        The counts of each pair, as `counts_by_words` gives them.
    seed, shuffles, resamples : int
        Of the test, and of the interval of the difference; 0 resamples for none.

    Returns
    -------
    dict or None
        `difference`, the AER of the first minus that of the second: below 0 the first is better; `interval`,
        of the difference, both systems on the same resampled pairs; `p`, the share of random exchanges with
        at least so large a difference, either way: above 0, at most 1. None where either AER is undefined.

    Raises
    ------
    ValueError
        The two are not of the same gold links.

    References
    ----------
    Noreen (1989); Riezler & Maxwell (2005).
    """
    if first.shape != second.shape or not np.array_equal(first[:, 1], second[:, 1]):
        raise ValueError("only systems that were scored on the same gold links can be compared")
    difference = float(_aer_difference(first.sum(axis=0), second.sum(axis=0)))
    if np.isnan(difference):
        return None
    [interval] = bootstrap_intervals(
        np.hstack([first, second]),
        lambda sums: _aer_difference(sums[..., :4], sums[..., 4:])[..., None],
        seed=seed,
        resamples=resamples,
    )
    p = randomisation_test(first, second, _aer_difference, seed=seed, shuffles=shuffles)
    return {"difference": difference, "interval": interval, "p": p}


def aer_of(counts: CountArray) -> float | None:
    """The AER of all pairs with these counts; None where undefined."""
    aer = rates(counts.sum(axis=0))[2]
    return None if np.isnan(aer) else float(aer)


def as_json(test: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What `compare` gave, as answers and files have it; p has four places."""
    if test is None:
        return None
    names = {"aer_difference": test["difference"], "difference_interval": test["interval"]}
    return names | {"p": round(test["p"], 4)}


def _aer_difference(first: Integers, second: Integers) -> Floats:
    return np.asarray(rates(first)[..., 2] - rates(second)[..., 2])


def percent(rates: Any) -> Any:
    """A rate as a percentage, rounded to four places; in dictionaries and lists every rate.

    Rates are the numbers that are no whole ones; those under the name `p` stay as they are.
    """
    if isinstance(rates, dict):
        return {name: value if name == "p" else percent(value) for name, value in rates.items()}
    if isinstance(rates, list | tuple):
        return [percent(value) for value in rates]
    return round(100 * rates, 4) if isinstance(rates, float) else rates
