"""The word links of a sentence pair, several annotators' links made into one set, and links as a picture.

A text where words are expected is refused: without an error it would be taken by characters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from types import MappingProxyType
from typing import Self
from unicodedata import east_asian_width

from paragold.problems import quoted

Link = tuple[int, int]
"""(source token, target token), both counted from 0."""


def links_of(text: str) -> list[Link]:
    """Links written as `0-0 1-2`, in their order. Raises ValueError for what is no pair of whole numbers."""
    return [(int(a), int(b)) for a, _, b in (link.partition("-") for link in text.split())]


def check_words(*sentences: Sequence[str]) -> None:
    """Raises TypeError for a text where a sequence of words is expected."""
    for sentence in sentences:
        if isinstance(sentence, str | bytes):
            raise TypeError(
                f"A sentence must be a list of words here, not the text {quoted(sentence)}. "
                "Split it into words."
            )


def check_pairs(pairs: Iterable[Sequence[Sequence[str]]]) -> None:
    """Raises TypeError for a pair of which a sentence is a text; see `check_words`."""
    for pair in pairs:
        check_words(pair, *pair)  # type: ignore[arg-type]  # a text in place of a pair


def check_links(links: object) -> None:
    """Raises TypeError for a text where a collection of links is expected."""
    if isinstance(links, str | bytes):
        raise TypeError(f"Links must be pairs of numbers, not the text {quoted(links)}. Use links_of(text).")


@dataclass(frozen=True, slots=True)
class Links:
    """SURE and POSSIBLE links of one pair, as sets S and P of Och & Ney (2003, section 4.2).

    `possible` includes `sure`, so `possible` alone is everything that was drawn.
    Raises ValueError when it does not, or when an index is negative.
    """

    sure: frozenset[Link]
    possible: frozenset[Link]

    def __post_init__(self) -> None:
        if not self.sure <= self.possible:
            raise ValueError(f"sure links missing from possible: {sorted(self.sure - self.possible)}")
        for source, target in self.possible:
            if source < 0 or target < 0:
                raise ValueError(f"link ({source}, {target}) has a negative token index")

    @classmethod
    def of(cls, sure: Iterable[Link] = (), possible: Iterable[Link] = ()) -> Self:
        """Links from any two collections; a link in both is SURE."""
        check_links(sure)
        check_links(possible)
        sure_set = frozenset(sure)
        return cls(sure_set, sure_set | frozenset(possible))

    @property
    def possible_only(self) -> frozenset[Link]:
        """The links that are POSSIBLE and not SURE."""
        return self.possible - self.sure

    def first_outside(self, source_length: int, target_length: int) -> Link | None:
        """The first link, in order, that points outside a pair of so many tokens; None when all fit."""
        return min(
            ((i, j) for i, j in self.possible if i >= source_length or j >= target_length), default=None
        )

    def restricted_to(self, keep: Collection[Link]) -> Self:
        """These links without the ones that are not in `keep`."""
        remaining = frozenset(keep)
        return type(self)(self.sure & remaining, self.possible & remaining)


TokenPair = tuple[tuple[str, ...], tuple[str, ...]]
"""The tokens of a source and of a target sentence."""


@dataclass(frozen=True, slots=True)
class LinkedPair:
    """The tokens of a sentence pair with its links, as formats that carry their own text hold it.

    `line` is where it begins in the file it was read from, 0 for none; equality passes it over.
    Raises TypeError for a text in place of tokens.
    """

    key: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links
    line: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        check_words(self.source, self.target)

    @property
    def tokens(self) -> TokenPair:
        return self.source, self.target

    def _repr_html_(self) -> str:
        """What a notebook shows: the ladder."""
        return ladder_svg(self.source, self.target, self.links.sure, self.links.possible_only)


def links_of_words(
    links: Collection[Link], source: Sequence[str], target: Sequence[str], *, identical: bool
) -> frozenset[Link]:
    """The links between words that are equal when lower-cased, or with `identical` False those that differ.

    Raises IndexError when a link points outside the tokens, TypeError for a sentence that is a text.
    """
    check_words(source, target)
    return frozenset((i, j) for i, j in links if (source[i].lower() == target[j].lower()) is identical)


_Together = Callable[..., frozenset[Link]]
MERGE_RULES: Mapping[str, tuple[_Together, _Together]] = MappingProxyType(
    {
        "papers": (frozenset.intersection, frozenset.union),
        "intersection": (frozenset.intersection, frozenset.intersection),
        "union_sure": (frozenset.union, frozenset.union),
    }
)
"""By rule, how the SURE links of all annotators are put together, and how all their links are.

papers: POSSIBLE is what only some drew, or drew with different strengths (Dolan, Quirk & Brockett 2004,
section 3.2). intersection: only the links that every annotator drew. union_sure: every link that anybody
drew, SURE where at least one says so.
"""


def merge(annotations: Sequence[Links], rule: str = "papers") -> Links:
    """Merge the links of one or more annotators by the rule of that name.

    One annotator's links come back as they are under every rule.
    Raises ValueError for no annotator, or for a name that is not in MERGE_RULES.
    """
    if rule not in MERGE_RULES:
        raise ValueError(f"no merge rule {rule!r}; choose one of {', '.join(MERGE_RULES)}")
    if not annotations:
        raise ValueError("there are no annotations to merge")
    sure, possible = MERGE_RULES[rule]
    return Links(
        sure(*(links.sure for links in annotations)), possible(*(links.possible for links in annotations))
    )


ROW, GAP, LETTER, MARGIN = 22, 140, 8, 12
"""Pixels: from word to word, between the columns, a letter across, and around a word."""
LONGEST_SHOWN_WORD = 40
POSSIBLE_COLOUR = "#b9741f"
"""Readable on white and on black; all else takes the colour of the text around it."""


def ladder_svg(
    source: Sequence[str],
    target: Sequence[str],
    sure: Collection[tuple[int, int]],
    possible_only: Collection[tuple[int, int]] = (),
) -> str:
    """The ladder, both sentences as columns of words: an `<svg>` without styles or scripts.

    SURE links are lines between the columns, POSSIBLE ones are dashed.
    Links are (source token, target token), counted from 0. Raises IndexError for one that points outside.
    """
    check_words(source, target)
    left, right = (MARGIN + LETTER * max(map(_letters, side), default=0) for side in (source, target))
    width, height = left + GAP + right, ROW * max(len(source), len(target), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'viewBox="0 0 {width} {height}" style="max-width:100%;height:auto" fill="currentColor" '
        'font-family="serif" font-size="15" '
        f'aria-label="Word links: {len(sure)} SURE, {len(possible_only)} POSSIBLE">'
    ]
    middle = left + GAP / 2
    for strength, drawn in (("SURE", sure), ("POSSIBLE", possible_only)):
        dashed = "" if strength == "SURE" else ' stroke-dasharray="6 5"'
        colour = POSSIBLE_COLOUR if dashed else "currentColor"
        for i, j in sorted(drawn):
            y0, y1 = _centre(i), _centre(j)
            path = f"M{left} {y0}C{middle:g} {y0} {middle:g} {y1} {left + GAP} {y1}"
            parts.append(
                f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dashed}>'
                f"<title>{escape(source[i])} - {escape(target[j])}, {strength}</title></path>"
            )
    for words, x, anchor in ((source, left - MARGIN / 2, "end"), (target, left + GAP + MARGIN / 2, "start")):
        parts += [
            f'<text x="{x:g}" y="{_centre(index) + 5}" text-anchor="{anchor}">{escape(_shown(word))}</text>'
            for index, word in enumerate(words)
        ]
    return "".join([*parts, "</svg>"])


def _centre(index: int) -> int:
    return index * ROW + ROW // 2


def _shown(word: str) -> str:
    return word if len(word) <= LONGEST_SHOWN_WORD else word[: LONGEST_SHOWN_WORD - 3] + "..."


def _letters(word: str) -> int:
    """How many letters of usual width a word takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in _shown(word))
