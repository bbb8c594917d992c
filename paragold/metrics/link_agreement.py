"""How far two annotators' word links agree, which words they disagree on, and the agreement of link files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import aer_of, counts_of_pair
from paragold.metrics.label_agreement import Estimate, cohen_estimate
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair, links_of_words

VERSION = 1
MEASURE = "link-agreement|measure:1-mean directional aer,f1"
WORD_CLASSES = ("punctuation", "number", "short word", "capitalised", "other word")
SHORT = 3


Annotated = tuple[TokenPair, Links, Links]
"""The tokens of one sentence pair, and its links as two annotators drew them."""


def directional_error(first: Sequence[Links], second: Sequence[Links]) -> dict[str, float | None]:
    """AER of two annotators' links of the same pairs, in the same order, in both directions.

    All links of one side, SURE and POSSIBLE, are scored against S and P of the other. The AER is asymmetric
    when both sides distinguish SURE and POSSIBLE: both directions are averaged.

    Returns
    -------
    dict
        Shares from 0 to 1, None where undefined: `agreement`, what the papers print as interrater agreement
        (93.1 % and 83.7 % in DQB04), is 1 - the mean of `first_against_second` and `second_against_first`.

    Raises
    ------
    ValueError
        The two are not equally long.

    References
    ----------
    Dolan, Quirk & Brockett (2004), section 3.2 and footnote 5.
    """
    there, back = (_error(drawn, gold) for drawn, gold in ((first, second), (second, first)))
    agreement = None if there is None or back is None else 1 - (there + back) / 2
    return {"agreement": agreement, "first_against_second": there, "second_against_first": back}


def _error(drawn: Sequence[Links], gold: Sequence[Links]) -> float | None:
    """AER of all links of one side against the other side."""
    pairs = zip(drawn, gold, strict=True)
    counts = np.array(
        [counts_of_pair(links.possible, reference) for links, reference in pairs], dtype=np.int64
    )
    return aer_of(counts.reshape(-1, 4))


def link_similarity(drawn: Links, reference: Links) -> Fraction:
    """1 - AER of all links of one side against S and P of the other, 0 to 1; 1 where neither has any."""
    every, sure, drawn_possible, drawn_sure = counts_of_pair(drawn.possible, reference)
    return Fraction(drawn_possible + drawn_sure, every + sure) if every + sure else Fraction(1)


def link_kappa(pairs: Sequence[Annotated]) -> Estimate:
    """Cohen's kappa of two annotators over every two words of the same pairs: linked, by any link, or not.

    Without an interval: links of one pair depend on each other.
    """
    table = np.zeros((2, 2), dtype=np.int64)
    for (source, target), first, second in pairs:
        both, either = len(first.possible & second.possible), len(first.possible | second.possible)
        only = len(first.possible) - both, len(second.possible) - both
        table += [[both, only[0]], [only[1], len(source) * len(target) - either]]
    return cohen_estimate(table, resamples=0)


def link_agreement(pairs: Sequence[Annotated]) -> dict[str, Any]:
    """The agreement of two annotators over the same pairs: shares from 0 to 1, None where undefined.

    The shares of `directional_error`; `f1_sure` and `f1_all`, 2 |X n Y| / (|X| + |Y|) of the SURE and of all
    links; the numbers of links that are `shared`, drawn by both, the `same`, with one strength, and
    `drawn`, by either; and the number of `pairs`.
    """
    both = [(first, second) for _, first, second in pairs]
    drawn = sum(len(first.possible | second.possible) for first, second in both)
    return {
        **directional_error([first for first, _ in both], [second for _, second in both]),
        "f1_sure": _f1((first.sure, second.sure) for first, second in both),
        "f1_all": _f1((first.possible, second.possible) for first, second in both),
        "shared": sum(len(first.possible & second.possible) for first, second in both),
        "same": drawn - sum(len(disputed(first, second)) for first, second in both),
        "drawn": drawn,
        "pairs": len(pairs),
    }


def _f1(sides: Iterable[tuple[frozenset[Link], frozenset[Link]]]) -> float | None:
    shared = total = 0
    for first, second in sides:
        shared += len(first & second)
        total += len(first) + len(second)
    return 2 * shared / total if total else None


def link_agreement_table(pairs: Sequence[Annotated]) -> dict[str, dict[str, Any]]:
    """The agreement on all links, and on links between identical and non-identical words (lower-cased)."""
    rows = {"all": link_agreement(pairs)}
    for words, identical in (("identical", True), ("non_identical", False)):
        rows[words] = link_agreement([_of_words(pair, identical=identical) for pair in pairs])
    return rows


def _of_words(pair: Annotated, *, identical: bool) -> Annotated:
    tokens, first, second = pair
    drawn = first.possible | second.possible
    keep = links_of_words(drawn, *tokens, identical=identical)
    return tokens, first.restricted_to(keep), second.restricted_to(keep)


def disputed(first: Links, second: Links) -> frozenset[Link]:
    """The links that one of the two did not draw, or that they drew with different strengths."""
    return (first.possible ^ second.possible) | (
        (first.sure ^ second.sure) & first.possible & second.possible
    )


def word_class(token: str) -> str:
    """One of WORD_CLASSES: no letter or digit; a digit; up to 3 letters; upper case first; the rest."""
    if not any(character.isalnum() for character in token):
        return "punctuation"
    if any(character.isdigit() for character in token):
        return "number"
    if len(token) <= SHORT:
        return "short word"
    return "capitalised" if token[0].isupper() else "other word"


def class_heat_map(pairs: Iterable[Annotated]) -> list[list[dict[str, Any]]]:
    """For each class of source words (rows) and of target words (columns), links between such words.

    Cells have the classes `source` and `target`, how many links either `drawn`, on how many the two differ
    (`disputed`), and the `share` of these, None of none.
    """
    drawn, differing = _counted(pairs, word_class)

    def cell(source: str, target: str) -> dict[str, Any]:
        every, apart = drawn[source, target], differing[source, target]
        share = apart / every if every else None
        return {"source": source, "target": target, "drawn": every, "disputed": apart, "share": share}

    return [[cell(source, target) for target in WORD_CLASSES] for source in WORD_CLASSES]


def most_disputed(pairs: Iterable[Annotated], limit: int = 20) -> list[dict[str, Any]]:
    """The lower-cased words that annotators differ on most often; ties by the fewer drawn, then by the words.

    Rows have the words `source` and `target`, and how many links are `disputed` of those `drawn`.
    """
    drawn, differing = _counted(pairs, str.lower)
    ranked = sorted(differing, key=lambda words: (-differing[words], drawn[words], words))
    return [
        {"source": a, "target": b, "disputed": differing[a, b], "drawn": drawn[a, b]}
        for a, b in ranked[:limit]
    ]


def _counted(
    pairs: Iterable[Annotated], called: Callable[[str], str]
) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Links drawn and disputed by what their words are called."""
    drawn: Counter[tuple[str, str]] = Counter()
    differing: Counter[tuple[str, str]] = Counter()
    for tokens, first, second in pairs:
        source, target = ([called(token) for token in side] for side in tokens)
        drawn.update((source[i], target[j]) for i, j in first.possible | second.possible)
        differing.update((source[i], target[j]) for i, j in disputed(first, second))
    return drawn, differing


def agreement_of_files(paths: Sequence[Path], format_name: str | None = None) -> list[dict[str, Any]]:
    """The agreement of every two of the files, in order; formats that carry their own text only.

    Rows have the names of the `first` and the `second` file and their `link_agreement_table`.
    Raises FileProblem for what a format does not allow and for files of other pairs than the first's,
    ValueError for fewer than two files.
    """
    if len(paths) < 2:
        raise ValueError("Agreement takes two files of links or more.")
    files: list[list[LinkedPair]] = []
    for path in paths:
        text = [pair.tokens for pair in files[0]] if files else None
        files.append(read_links(path, format_name, tokens=text))
    rows = []
    for m, n in combinations(range(len(files)), 2):
        both = zip(files[m], files[n], strict=True)
        pairs = [(first.tokens, first.links, second.links) for first, second in both]
        rows.append({"first": paths[m].name, "second": paths[n].name, **link_agreement_table(pairs)})
    return rows
