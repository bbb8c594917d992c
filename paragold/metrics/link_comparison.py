"""Two aligners on the same gold links, link by link, and errors of word aligners by kind.

A SURE gold link is right where it was drawn, a link that the gold does not have where it was not: what is
wrong is missing or false. A POSSIBLE gold link is right either way, as in the alignment error rate (Och & Ney
2003); how often each aligner draws one is counted apart.
Each error has exactly one kind, by the words that it is between: the first of KINDS that holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from paragold.aligners.evidence_sources import classes_in
from paragold.arrays import Floats, Integers
from paragold.formats.tables import csv_table
from paragold.languages import language as language_of
from paragold.metrics.error_rate import (
    TEST,
    WORDS,
    as_json as test_as_json,
    compare,
    counts_by_words,
    table_of,
)
from paragold.metrics.links import Link, LinkedPair, links_of_words
from paragold.statistics import RESAMPLES, SHUFFLES, bootstrap_intervals

KINDS_VERSION = 1
"""Raised whenever the same links would be sorted into other kinds."""
KINDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "unlinked": ("Unlinked words", "False only: the gold leaves one of the two words without any link."),
        "identical": (
            "Identical words, wrong place",
            "The words are equal when lower-cased, and the other side links one of them to another place "
            "of the same word.",
        ),
        "phrases": ("Phrases", "The gold links one of the two words to several words."),
        "numbers": ("Numbers", "One of the two words has a digit."),
        "names": (
            "Names",
            "One of the two words begins with a capital letter, is no function word and not the first word; "
            "sentences whose content words are all capitalised have no names.",
        ),
        "function": ("Function words", "Both words are function words or punctuation marks."),
        "other": ("Other", "None of these."),
    }
)
"""Label and definition by kind, in order of precedence."""


def function_words(language: str) -> Collection[str]:
    """The function words of a language (BCP 47) in lower case; none where it has no rules of its own."""
    own = language_of(language)
    return classes_in(own.tag) or own.function_words


def errors_of_pair(
    pair: LinkedPair, drawn: Collection[Link], function: Collection[str]
) -> list[tuple[Link, bool, str]]:
    """The wrong links of one sentence pair, in ascending order.

    Each with whether it is missing, SURE in the gold and not drawn, else it is false, and its kind. `drawn`
    are the links of the aligner, `function` function words in lower case, see `function_words`.
    """
    links, gold = frozenset(drawn), pair.links
    sides = pair.tokens
    lowered = [[word.lower() for word in words] for words in sides]
    partners = [Counter(link[side] for link in gold.possible) for side in (0, 1)]
    names = [_names(words, function) for words in sides]

    def elsewhere(link: Link, others: Collection[Link]) -> bool:
        word = lowered[0][link[0]]
        return any(
            (i == link[0]) != (j == link[1]) and lowered[0][i] == word and lowered[1][j] == word
            for i, j in others
        )

    def kind(link: Link, others: Collection[Link]) -> str:
        """`others` are the links of the other side: the drawn ones of a missing link, else the gold's."""
        a, b = link
        words = sides[0][a], sides[1][b]
        linked = partners[0][a], partners[1][b]
        if not all(linked):
            return "unlinked"
        if lowered[0][a] == lowered[1][b] and elsewhere(link, others):
            return "identical"
        if max(linked) > 1:
            return "phrases"
        if any(character.isdigit() for word in words for character in word):
            return "numbers"
        if a in names[0] or b in names[1]:
            return "names"
        if all(word.lower() in function or _is_mark(word) for word in words):
            return "function"
        return "other"

    missing = ((link, True, kind(link, links)) for link in gold.sure - links)
    false = ((link, False, kind(link, gold.possible)) for link in links - gold.possible)
    return sorted([*missing, *false])


def _is_mark(word: str) -> bool:
    return not any(map(str.isalnum, word))


def _names(words: Sequence[str], function: Collection[str]) -> set[int]:
    """The places of capitalised words that are neither the first word nor function words."""
    places = [n for n, word in enumerate(words) if not _is_mark(word)]
    content = [n for n in places if words[n].lower() not in function]
    if not any(words[n][:1].islower() for n in content):
        return set()
    return {n for n in content if words[n][:1].isupper() and n != places[0]}


def errors_by_kind(
    pairs: Sequence[LinkedPair],
    drawn: Sequence[Collection[Link]],
    *,
    language: str,
    seed: int,
    resamples: int = RESAMPLES,
) -> list[dict[str, Any]]:
    """The errors of an aligner on a gold set: a row for each kind, in the order of KINDS.

    Parameters
    ----------
    pairs : sequence of LinkedPair
        The gold set.
    drawn : sequence of collections of links
        The aligner's links of each pair, in the same order.
    language : str
        Of the sentences (BCP 47), for their function words.
    seed, resamples : int
        Of the bootstrap intervals of the shares; 0 resamples for none.

    Returns
    -------
    list of dict
        `kind`, `label`, and the numbers `missing` and `false`. `missing_share` and `false_share` are of all
        missing and of all false links, from 0 to 1, None where there are none; `missing_interval` and
        `false_interval` are None also with fewer than two pairs.

    Raises
    ------
    ValueError
        The two are not equally long.
    """
    function, places = function_words(language), {kind: place for place, kind in enumerate(KINDS)}
    counts = np.zeros((len(pairs), 2, len(KINDS)), dtype=np.int64)
    for number, (pair, links) in enumerate(zip(pairs, drawn, strict=True)):
        for _, missing, kind in errors_of_pair(pair, links, function):
            counts[number, 0 if missing else 1, places[kind]] += 1

    def shares(sums: Integers) -> Floats:
        by_way = sums.reshape(*sums.shape[:-1], 2, len(KINDS)).astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(by_way / by_way.sum(axis=-1, keepdims=True)).reshape(sums.shape)

    table = counts.reshape(len(pairs), -1)
    totals = table.sum(axis=0)
    bounds = bootstrap_intervals(table, shares, seed=seed, resamples=resamples)
    cells = [
        (int(number), None if np.isnan(share) else float(share), interval)
        for number, share, interval in zip(totals, shares(totals), bounds, strict=True)
    ]
    rows = []
    for place, (kind, (label, _)) in enumerate(KINDS.items()):
        row: dict[str, Any] = {"kind": kind, "label": label}
        for way, cell in (("missing", cells[place]), ("false", cells[place + len(KINDS)])):
            row |= dict(zip((way, f"{way}_share", f"{way}_interval"), cell, strict=True))
        rows.append(row)
    return rows


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
_OUTCOME = dict(zip(((True, True), (True, False), (False, True), (False, False)), OUTCOMES, strict=True))
"""The outcome by whether A and B are right."""
CSV_HEAD = (
    "pair", "key", "first word", "second word", "first index", "second index", "gold", "drawn by A",
    "drawn by B", "outcome", "identical words", "error of A", "error of B",
)  # fmt: skip


ComparedPair = dict[str, Any]
"""A sentence pair: its `number` from 1, the `gold` (LinkedPair), `outcomes`, the number of links by outcome,
and the `difference`, links on which only A is right minus those on which only B is: above 0 A is better.

`links` has a row for each link, in ascending order, that the gold has or that an aligner drew: the `link`,
its `strength`, one of STRENGTHS, whether `a` and `b` drew it, and who as `drawn_by` ("AB", "A", "B" or ""),
whether its words are `identical`, the `outcome`, and `kind_a` and `kind_b`, the kinds of the aligners' errors
(KINDS), "" where they are right.
"""


def as_json(pair: ComparedPair) -> dict[str, Any]:
    """The pair with the links on which at least one aligner is wrong; indices are from 0."""
    names = ("link", "strength", "a", "b", "outcome", "kind_a", "kind_b")
    wrong = [{name: row[name] for name in names} for row in pair["links"] if row["outcome"] != "both_right"]
    return {
        **{"number": pair["number"], "key": pair["gold"].key, "difference": pair["difference"]},
        "links": [row | {"link": list(row["link"])} for row in wrong],
    }


def row_label(row: Mapping[str, Any]) -> str:
    """The links of a row of a comparison in words."""
    return f"{STRENGTHS[row['strength']]}, {WORDS['identical' if row['identical'] else 'non_identical']}"


def compare_links(
    pairs: Sequence[LinkedPair],
    a: Sequence[Collection[Link]],
    b: Sequence[Collection[Link]],
    *,
    language: str,
    seed: int,
    resamples: int = RESAMPLES,
    shuffles: int = SHUFFLES,
) -> tuple[list[ComparedPair], dict[str, Any]]:
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

    Returns
    -------
    (list of ComparedPair, dict)
        The pairs, and what is true of all of them, rates from 0 to 1: `scores` and `errors` have the rates of
        "a" and "b" by words and their errors by kind; `tests` by words the AER of A minus that of B with
        interval and p, None where undefined; `links` the number of links of each outcome by their strength in
        the gold and whether their words are identical, and `totals` of each outcome; `possible` how many
        POSSIBLE links were drawn by both aligners, by one alone and by none; `signature` says how the numbers
        came about: metric, bootstrap and seed, test, kinds of errors and language.

    Raises
    ------
    ValueError
        The three are not equally long, or a link points outside its sentences.

    References
    ----------
    Och & Ney (2003), section 4.2; Noreen (1989); Riezler & Maxwell (2005).
    """
    drawn, draws = {"a": a, "b": b}, {"seed": seed, "resamples": resamples}
    counts = {side: counts_by_words(links, pairs) for side, links in drawn.items()}
    scores = {side: table_of(by_words, **draws) for side, by_words in counts.items()}
    tests = {
        words: compare(
            counts["a"][words], counts["b"][words], seed=seed, resamples=resamples, shuffles=shuffles
        )
        for words in WORDS
    }
    function = function_words(language)
    compared = [
        _compared(number, pair, frozenset(one), frozenset(other), function)
        for number, (pair, one, other) in enumerate(zip(pairs, a, b, strict=True), start=1)
    ]
    every = [row for pair in compared for row in pair["links"]]
    cells = Counter((row["strength"], row["identical"], row["outcome"]) for row in every)
    possible = Counter(row["drawn_by"] for row in every if row["strength"] == "possible")
    outcomes = Counter(row["outcome"] for row in every)
    rates = ("precision", "recall", "aer", "aer_interval")
    return compared, {
        "pairs": len(pairs),
        "scores": {
            side: {words: {name: row[name] for name in rates} for words, row in table.items()}
            for side, table in scores.items()
        },
        "tests": {words: test_as_json(test) for words, test in tests.items()},
        "test": TEST,
        "links": [
            {"strength": strength, "identical": identical}
            | {outcome: cells[strength, identical, outcome] for outcome in OUTCOMES}
            for strength in STRENGTHS
            for identical in (True, False)
        ],
        "totals": {outcome: outcomes[outcome] for outcome in OUTCOMES},
        "possible": {
            name: possible[who]
            for name, who in (("both", "AB"), ("only_a", "A"), ("only_b", "B"), ("none", ""))
        },
        "errors": {
            side: errors_by_kind(pairs, links, language=language, **draws) for side, links in drawn.items()
        },
        "signature": f"{scores['a']['all']['signature']}|test:approximate-randomisation,{shuffles}"
        f"|kinds:{KINDS_VERSION},{language}",
    }


def _compared(
    number: int, pair: LinkedPair, a: frozenset[Link], b: frozenset[Link], function: Collection[str]
) -> ComparedPair:
    kinds_a, kinds_b = (
        {link: kind for link, _, kind in errors_of_pair(pair, drawn, function)} for drawn in (a, b)
    )
    every = pair.links.possible | a | b
    identical = links_of_words(every, *pair.tokens, identical=True)
    strengths = {
        **dict.fromkeys(every, "none"),
        **dict.fromkeys(pair.links.possible, "possible"),
        **dict.fromkeys(pair.links.sure, "sure"),
    }
    links = [
        {
            "link": link,
            "strength": strengths[link],
            "a": link in a,
            "b": link in b,
            "drawn_by": "A" * (link in a) + "B" * (link in b),
            "identical": link in identical,
            "outcome": _OUTCOME[link not in kinds_a, link not in kinds_b],
            "kind_a": kinds_a.get(link, ""),
            "kind_b": kinds_b.get(link, ""),
        }
        for link in sorted(every)
    ]
    outcomes = Counter(row["outcome"] for row in links)
    difference = outcomes["only_a"] - outcomes["only_b"]
    return {"number": number, "gold": pair, "links": links, "outcomes": outcomes, "difference": difference}


def by_difference(pairs: Sequence[ComparedPair], *, outcome: str = "", kind: str = "") -> list[ComparedPair]:
    """The pairs with a link of that outcome and of that kind of error, the largest difference first.

    Without either, the pairs on which at least one aligner is wrong. With an outcome, the pairs with the most
    such links come first.
    """

    def order(pair: ComparedPair) -> tuple[int, int, int]:
        number = sum(_matches(row, outcome, kind) for row in pair["links"])
        return -(number if outcome else abs(pair["difference"])), -number, pair["number"]

    ranked = [(order(pair), pair) for pair in pairs]
    return [pair for (_, number, _), pair in sorted(ranked, key=lambda entry: entry[0]) if number]


def _matches(row: Mapping[str, Any], outcome: str, kind: str) -> bool:
    if kind and kind not in (row["kind_a"], row["kind_b"]):
        return False
    return bool(row["outcome"] == outcome if outcome else row["outcome"] != "both_right")


def as_csv(pairs: Sequence[ComparedPair]) -> str:
    """A line for each link of the pairs, in their order; the columns are CSV_HEAD, indices are from 0."""

    def cells(pair: ComparedPair, row: Mapping[str, Any]) -> list[Any]:
        a, b = row["link"]
        gold = pair["gold"]
        yes = {True: "yes", False: "no"}
        return [
            pair["number"], gold.key, gold.source[a], gold.target[b], a, b, row["strength"], yes[row["a"]],
            yes[row["b"]], row["outcome"], yes[row["identical"]], row["kind_a"], row["kind_b"],
        ]  # fmt: skip

    return csv_table(CSV_HEAD, (cells(pair, row) for pair in pairs for row in pair["links"]))
