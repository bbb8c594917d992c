"""Phrase pairs read off word links, with counts: which phrases stand for each other, and how often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from paragold.metrics.links import Link, LinkedPair
from paragold.spec import Spec, param

LETTER = re.compile(r"[^\W_]")
"""A letter or a number."""
Box = tuple[int, int, int, int]
"""First and last token of the one side, first and last of the other, from 0, both inclusive."""


class PhraseSpec(Spec):
    """Which phrase pairs are read off word links (Koehn, Och & Marcu 2003, section 2)."""

    longest: int = param(
        7, "Maximum length", "Of a phrase; 3 is usually enough (Koehn et al. 2003).", ge=1, le=20
    )
    shortest: int = param(
        1, "Minimum length", "Of a pair's longer phrase; 2 leaves out pairs of single words.", ge=1, le=20
    )
    unaligned: bool = param(
        False, "Unlinked words at the edges", "A phrase may begin and end with words that have no link."
    )
    identical: bool = param(
        False, "Keep identical phrases", "If off, they only count in the relative frequencies."
    )
    either_order: bool = param(
        False, "Count both orders together", "x | y and y | x become one phrase pair, in alphabetical order."
    )
    symbols: bool = param(
        False, "Keep phrases of punctuation", "If off, both phrases have a letter or a number."
    )
    keep_case: bool = param(False, "Keep upper and lower case", "If off, words are put in lower case.")
    sure_only: bool = param(False, "SURE links only", "Ignores POSSIBLE links.")


PhrasePair = tuple[int, str, str, float, float]
"""Two phrases, tokens separated by spaces, with the values that COLUMNS names.

count: sentence pairs in which they are a consistent phrase pair, each once.
second_given_first, first_given_second: relative frequencies, 0 to 1: the count over the sum of the counts of
    all phrase pairs, identical ones too, that have the given phrase on the same side.
"""
COLUMNS = ("count", "first", "second", "second_given_first", "first_given_second")


def as_columns(pair: PhrasePair) -> list[str]:
    """The values of a phrase pair in files, the frequencies with six decimals."""
    count, first, second, *shares = pair
    return [str(count), first, second, *(f"{share:.6f}" for share in shares)]


def consistent_boxes(
    links: Collection[Link], lengths: tuple[int, int], *, longest: int, unaligned: bool = False
) -> Iterator[Box]:
    """The boxes that no link leaves and at least one is in (Koehn, Och & Marcu 2003, section 2).

    Each once, in ascending order of its first side. `lengths` are the tokens of the two sentences, `longest`
    the maximum of either side of a box; with `unaligned` tokens without links may be at its edges.
    """
    forward = _reach(links, lengths[0])
    backward = _reach([(j, i) for i, j in links], lengths[1])
    for start in range(lengths[0]):
        if forward[start] is None and not unaligned:
            continue
        low, high = lengths[1], -1
        for end in range(start, min(start + longest, lengths[0])):
            reach = forward[end]
            if reach is not None:
                low, high = min(low, reach[0]), max(high, reach[1])
                if high - low >= longest:
                    break
            elif not unaligned:
                continue
            reaches = [reach for reach in backward[low : high + 1] if reach is not None]
            if high < 0 or any(first < start or last > end for first, last in reaches):
                continue
            if not unaligned:
                yield start, end, low, high
                continue
            for first in _widened(backward, low, -1, longest):
                for last in _widened(backward, high, 1, longest):
                    if last - first < longest:
                        yield start, end, first, last


def _reach(links: Iterable[Link], length: int) -> list[tuple[int, int] | None]:
    """The first and the last token that each token is linked to; None where it has no link."""
    reach: list[tuple[int, int] | None] = [None] * length
    for i, j in links:
        known = reach[i]
        reach[i] = (j, j) if known is None else (min(known[0], j), max(known[1], j))
    return reach


def _widened(reaches: Sequence[tuple[int, int] | None], edge: int, step: int, longest: int) -> Iterator[int]:
    """The edge, and those beyond it over tokens without links."""
    yield edge
    for place in range(edge + step, edge + step * longest, step):
        if not 0 <= place < len(reaches) or reaches[place] is not None:
            return
        yield place


def phrase_table(
    pairs: Iterable[LinkedPair], spec: PhraseSpec, *, max_phrases: int | None = None
) -> tuple[list[PhrasePair], int]:
    """The phrase pairs of sentence pairs with links, by count, then alphabetically (Koehn et al. 2003).

    Beside them stands how many sentence pairs were read.
    Reading ends after the sentence pair with which `max_phrases` phrase pairs or more are read, each counted
    once for every sentence pair that has it. Raises IndexError when a link points outside its sentences.
    """
    counts: Counter[tuple[str, str]] = Counter()
    sentence_pairs = phrases = 0
    for pair in pairs:
        if max_phrases is not None and phrases >= max_phrases:
            break
        own = _phrases(pair, spec)
        counts.update(own)
        phrases += len(own)
        sentence_pairs += 1
    firsts: Counter[str] = Counter()
    seconds: Counter[str] = firsts if spec.either_order else Counter()
    for (first, second), count in counts.items():
        firsts[first] += count
        if first != second or not spec.either_order:
            seconds[second] += count
    kept = [
        (count, first, second, count / firsts[first], count / seconds[second])
        for (first, second), count in counts.items()
        if (spec.identical or first != second)
        and max(first.count(" "), second.count(" ")) >= spec.shortest - 1
        and (spec.symbols or (LETTER.search(first) and LETTER.search(second)))
    ]
    return sorted(kept, key=lambda pair: (-pair[0], *pair[1:3])), sentence_pairs


def _phrases(pair: LinkedPair, spec: PhraseSpec) -> set[tuple[str, str]]:
    """Those of one sentence pair, each once."""
    links = pair.links.sure if spec.sure_only else pair.links.possible
    source, target = (
        tokens if spec.keep_case else [token.lower() for token in tokens] for tokens in pair.tokens
    )
    phrases = set()
    boxes = consistent_boxes(
        links, (len(source), len(target)), longest=spec.longest, unaligned=spec.unaligned
    )
    for start, end, low, high in boxes:
        first, second = " ".join(source[start : end + 1]), " ".join(target[low : high + 1])
        phrases.add((second, first) if spec.either_order and second < first else (first, second))
    return phrases
