"""Word links as annotation tools have them: relations between marked spans of a text.

The text of a pair is two lines: the tokens of the source, separated by spaces, and those of the target.
Offsets are in code points. A relation links every word of one span with every word of the other.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from paragold import limits
from paragold.formats.link_formats import check_inside, spaced_texts
from paragold.formats.unknown import Unknown
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.problems import FileProblem, quoted

SURE, POSSIBLE, WORD = "SURE", "POSSIBLE", "word"
Span = tuple[int, int]
"""Offsets of the first character and of the one after the last."""
_WORD = re.compile(r"[^ \t\r\n]+")


def pair_text(pair: LinkedPair) -> tuple[str, list[Span]]:
    """The text of a pair and the spans of its words, those of the source first.

    Raises FileProblem for a token that holds a space, a tab or a line break.
    """
    text = "\n".join(spaced_texts(pair))
    return text, [match.span() for match in _WORD.finditer(text)]


def labelled_links(pair: LinkedPair) -> list[tuple[int, int, str]]:
    """Each link, in order, as the numbers of its words among those of `pair_text`, and its label."""
    before = len(pair.tokens.source)
    links = sorted(pair.links.possible)
    return [(i, before + j, SURE if (i, j) in pair.links.sure else POSSIBLE) for i, j in links]


class SpanPair:
    """A pair that is read from a text and relations between spans of it.

    Its words are separated by spaces and tabs. What is not read is counted in `unknown`, by its name.
    Raises FileProblem for a text that is not two lines.
    """

    def __init__(self, text: str, unknown: Unknown) -> None:
        lines = text.split("\n")
        if len(lines) == 3 and not lines[2]:
            lines.pop()
        if len(lines) != 2:
            raise FileProblem(
                f"The text has {len(lines)} lines.", "Write a pair as two lines: source, then target."
            )
        self._spans = [match.span() for match in _WORD.finditer(text)]
        words = [text[start:end] for start, end in self._spans]
        self._starts = [start for start, _ in self._spans]
        self._ends = [end for _, end in self._spans]
        self._marked = self._linked = 0
        self._source = sum(start <= len(lines[0]) for start, _ in self._spans)
        self.tokens = TokenPair(tuple(words[: self._source]), tuple(words[self._source :]))
        self._text = text
        self._unknown = unknown
        self._links: dict[bool, set[Link]] = {True: set(), False: set()}

    def words(self, start: object, end: object) -> list[int]:
        """The numbers of the words that a span covers. Raises FileProblem unless they are whole words."""
        if not isinstance(start, int) or not isinstance(end, int):
            raise FileProblem("A span has no offsets.", "Give its start and end as whole numbers.")
        first, after = bisect_right(self._ends, start), bisect_left(self._starts, end)
        marked = [n for n in range(first, after) if start < self._spans[n][1]]
        if not marked:
            raise FileProblem(f"{self._shown(start, end)} covers no word.", "Mark whole words.")
        for n in (marked[0], marked[-1]):
            begins, ends = self._spans[n]
            if begins < start or ends > end:
                word = quoted(self._text[begins:ends])
                raise FileProblem(
                    f"{self._shown(start, end)} covers only a part of the word {word}.",
                    "Mark whole words; words are separated by spaces.",
                )
        self._marked += after - first
        if self._marked > limits.MARKED_WORDS:
            raise FileProblem(
                f"The spans of the pair cover more than {limits.MARKED_WORDS:,} words together.",
                "Give sentences, not whole texts.",
            )
        return marked

    def _shown(self, start: int, end: int) -> str:
        return f"The span {start} to {end} ({quoted(self._text[max(start, 0) : max(end, 0)])})"

    def link(self, first: Sequence[int], second: Sequence[int], label: object) -> None:
        """Link the words of two spans, in either order; anything but SURE and POSSIBLE is counted."""
        if label is not None and not isinstance(label, str):
            raise FileProblem(f"The label {quoted(label)} is not a text.", "Export the dataset again.")
        name = (label or "").upper()
        if not name:
            self._unknown["relation without a label, read as SURE"] += 1
        elif name not in (SURE, POSSIBLE):
            self._unknown[f"relation label {label}"] += 1
            return
        self._linked += len(first) * len(second)
        if self._linked > limits.LINKS_OF_PAIR:
            raise FileProblem(
                f"The relations of the pair make more than {limits.LINKS_OF_PAIR:,} links.",
                "Link the words that mean the same, not whole texts.",
            )
        added = {
            (min(a, b), max(a, b) - self._source)
            for a in first
            for b in second
            if (a < self._source) != (b < self._source)
        }
        if not added:
            self._unknown["relation within one sentence"] += 1
        self._links[name != POSSIBLE] |= added

    def linked(self, key: str, line: int) -> LinkedPair:
        """The pair with its links; one that is both is SURE."""
        links = Links.of(self._links[True], self._links[False])
        check_inside(links.possible, self.tokens)
        return LinkedPair(key, self.tokens, links, line)
