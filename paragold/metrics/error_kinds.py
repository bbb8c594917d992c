"""Errors of word aligners by kind: what the words are that a link is missing or false between.

An error is a SURE gold link that was not drawn (missing), or a drawn link that is not even POSSIBLE in the
gold (false), as in the alignment error rate of Och & Ney (2003). Each error has exactly one kind: the first
of KINDS that holds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.closed_classes import ENGLISH
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.statistics import RESAMPLES, Interval, percentile_interval, resampled_sums

VERSION = 1
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
_NAMES = tuple(KINDS)


@dataclass(frozen=True, slots=True)
class LinkError:
    """A wrong link: `missing` is SURE in the gold and was not drawn, else it is false."""

    link: Link
    missing: bool
    kind: str


@dataclass(frozen=True, slots=True)
class KindCounts:
    """How many errors are of one kind. Shares are of all missing, or of all false, links, from 0 to 1.

    A share is None where there is no such error, its interval (percentile bootstrap of sentence pairs) also
    with fewer than two pairs.
    """

    kind: str
    missing: int
    false: int
    missing_share: float | None
    false_share: float | None
    missing_interval: Interval | None
    false_interval: Interval | None

    @property
    def label(self) -> str:
        return KINDS[self.kind][0]


def function_words(language: str) -> Collection[str]:
    """The function words of a language (BCP 47) in lower case: those of English; none are known of others."""
    return ENGLISH if language.lower().split("-")[0] == "en" else ()


def errors_of_pair(pair: LinkedPair, drawn: Collection[Link], function: Collection[str]) -> list[LinkError]:
    """The wrong links of one sentence pair, in ascending order.

    Parameters
    ----------
    pair : LinkedPair
        The tokens and the gold links.
    drawn : collection of (source, target) indices from 0
        The links of the aligner.
    function : collection of str
        Function words in lower case, see `function_words`.
    """
    links = frozenset(drawn)
    gold = pair.links
    classify = _Classifier(pair.tokens, gold, function)
    errors = [LinkError(link, True, classify(link, links)) for link in gold.sure - links]
    errors += [LinkError(link, False, classify(link, gold.possible)) for link in links - gold.possible]
    return sorted(errors, key=lambda error: error.link)


def errors_by_kind(
    pairs: Sequence[LinkedPair],
    drawn: Sequence[Collection[Link]],
    *,
    language: str,
    seed: int,
    resamples: int = RESAMPLES,
) -> list[KindCounts]:
    """The errors of an aligner on a gold set by kind, in the order of KINDS.

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

    Raises
    ------
    ValueError
        The two are not equally long.
    """
    function = function_words(language)
    counts = np.zeros((len(pairs), 2, len(KINDS)), dtype=np.int64)
    for number, (pair, links) in enumerate(zip(pairs, drawn, strict=True)):
        for error in errors_of_pair(pair, links, function):
            counts[number, 0 if error.missing else 1, _NAMES.index(error.kind)] += 1
    totals = counts.sum(axis=0)
    intervals = _intervals(counts, seed, resamples)
    return [
        KindCounts(
            kind,
            int(totals[0, place]),
            int(totals[1, place]),
            _share(totals[0], place),
            _share(totals[1], place),
            intervals[0][place],
            intervals[1][place],
        )
        for place, kind in enumerate(KINDS)
    ]


def _share(counts: NDArray[np.int64], place: int) -> float | None:
    total = int(counts.sum())
    return int(counts[place]) / total if total else None


def _intervals(counts: NDArray[np.int64], seed: int, resamples: int) -> list[list[Interval | None]]:
    """The intervals of the shares, by way of being wrong and by kind."""
    if len(counts) < 2 or resamples < 1:
        return [[None] * len(KINDS)] * 2
    sums = resampled_sums(counts.reshape(len(counts), -1), seed=seed, resamples=resamples)
    drawn = sums.reshape(-1, 2, len(KINDS)).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = drawn / drawn.sum(axis=2, keepdims=True)
    return [[percentile_interval(shares[:, way, place]) for place in range(len(KINDS))] for way in (0, 1)]


class _Classifier:
    """Says the kind of an error of one sentence pair."""

    def __init__(self, tokens: TokenPair, gold: Links, function: Collection[str]) -> None:
        self._sides = tokens.source, tokens.target
        self._function = function
        self._partners: tuple[dict[int, set[int]], dict[int, set[int]]] = ({}, {})
        for a, b in gold.possible:
            self._partners[0].setdefault(a, set()).add(b)
            self._partners[1].setdefault(b, set()).add(a)
        self._names = [_names(words, function) for words in self._sides]

    def __call__(self, link: Link, others: Collection[Link]) -> str:
        """`others` are the links of the other side: the drawn ones of a missing link, else the gold's."""
        a, b = link
        words = self._sides[0][a], self._sides[1][b]
        partners = self._partners[0].get(a, set()), self._partners[1].get(b, set())
        if not all(partners):
            return "unlinked"
        if words[0].lower() == words[1].lower() and self._elsewhere(link, others):
            return "identical"
        if max(map(len, partners)) > 1:
            return "phrases"
        if any(character.isdigit() for word in words for character in word):
            return "numbers"
        if a in self._names[0] or b in self._names[1]:
            return "names"
        if all(word.lower() in self._function or _is_mark(word) for word in words):
            return "function"
        return "other"

    def _elsewhere(self, link: Link, others: Collection[Link]) -> bool:
        a, b = link
        word = self._sides[0][a].lower()
        return any(
            (i == a) != (j == b) and self._sides[0][i].lower() == word and self._sides[1][j].lower() == word
            for i, j in others
        )


def _is_mark(word: str) -> bool:
    return not any(map(str.isalnum, word))


def _names(words: Sequence[str], function: Collection[str]) -> set[int]:
    """The places of capitalised words that are neither the first word nor function words."""
    places = [n for n, word in enumerate(words) if not _is_mark(word)]
    content = [n for n in places if words[n].lower() not in function]
    if not any(words[n][:1].islower() for n in content):
        return set()
    return {n for n in content if words[n][:1].isupper() and n != places[0]}
