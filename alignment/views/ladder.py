"""The links of one pair as a ladder: the words of each sentence in a column, links as curves between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alignment.models import Strength

ROW = 26
TOP = 18
LEFT_EDGE, RIGHT_EDGE = 156, 284
"""Where the columns end and begin, in the units of the drawing, which is 440 wide."""
WIDTH = 440
LONGEST_SHOWN_WORD = 20


@dataclass(frozen=True, slots=True)
class Word:
    """A word at its place; `shown` is cut where the column ends, `linked` says whether any link holds it."""

    text: str
    shown: str
    y: int
    linked: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """A link: the two words, SURE or POSSIBLE, and the SVG path between them."""

    a: int
    b: int
    word_a: str
    word_b: str
    strength: str
    path: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """A drawing of `width` x `height` units. Words and links are in the order of the tokens."""

    words_a: list[Word]
    words_b: list[Word]
    links: list[Curve]
    height: int
    width: int = WIDTH

    @property
    def sure(self) -> int:
        return sum(link.strength == Strength.SURE for link in self.links)

    @property
    def possible(self) -> int:
        return len(self.links) - self.sure


def ladder(tokens_a: Sequence[str], tokens_b: Sequence[str], links: Sequence[Sequence[object]]) -> Ladder:
    """The drawing of [a, b, strength] links between two sentences' tokens."""
    drawn = [
        Curve(a, b, tokens_a[a], tokens_b[b], str(strength), _path(a, b))
        for a, b, strength in ((int(str(a)), int(str(b)), strength) for a, b, strength, *_ in links)
    ]
    return Ladder(
        words_a=_column(tokens_a, {link.a for link in drawn}),
        words_b=_column(tokens_b, {link.b for link in drawn}),
        links=drawn,
        height=TOP + ROW * max(len(tokens_a), len(tokens_b)),
    )


def _column(tokens: Sequence[str], linked: set[int]) -> list[Word]:
    return [Word(token, _cut(token), TOP + ROW * n, n in linked) for n, token in enumerate(tokens)]


def _cut(token: str) -> str:
    return token if len(token) <= LONGEST_SHOWN_WORD else f"{token[: LONGEST_SHOWN_WORD - 1]}…"


def point_on(a: int, b: int, share: float) -> tuple[float, float]:
    """The place on the curve between two words, `share` of the way from the first (0) to the second (1)."""
    start, end = TOP + ROW * a - 5, TOP + ROW * b - 5
    middle = (LEFT_EDGE + RIGHT_EDGE) // 2
    ends = (LEFT_EDGE + 6, start), (middle, start), (middle, end), (RIGHT_EDGE - 6, end)
    rest = 1 - share
    weights = rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3
    x, y = (sum(weight * end[axis] for weight, end in zip(weights, ends, strict=True)) for axis in (0, 1))
    return round(x, 1), round(y, 1)


def _path(a: int, b: int) -> str:
    start, end = TOP + ROW * a - 5, TOP + ROW * b - 5
    middle = (LEFT_EDGE + RIGHT_EDGE) // 2
    left, right = LEFT_EDGE + 6, RIGHT_EDGE - 6
    return f"M{left} {start}C{middle} {start} {middle} {end} {right} {end}"
