"""The ladder: both sentences of a pair as columns of words, links as curves between them, as a static SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

from paragold.metrics.links import Links

ROW, GAP, LETTER, MARGIN = 22, 140, 8, 12
"""Pixels: from word to word, between the columns, a letter across, and around a word."""
LONGEST_WORD = 40
POSSIBLE_COLOUR = "#b9741f"
"""Readable on white and on black; all else takes the colour of the text around it."""


def ladder_svg(source: Sequence[str], target: Sequence[str], links: Links) -> str:
    """An `<svg>` without styles or scripts: SURE links as lines, POSSIBLE ones dashed.

    Raises ValueError for a link that points outside the sentences.
    """
    if (outside := links.first_outside(len(source), len(target))) is not None:
        raise ValueError(f"link {outside} points outside its sentences")
    left, right = (MARGIN + LETTER * max(map(_letters, side), default=0) for side in (source, target))
    width, height = left + GAP + right, ROW * max(len(source), len(target), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img" '
        f'viewBox="0 0 {width} {height}" style="max-width:100%;height:auto" fill="currentColor" '
        f'font-family="serif" font-size="15" aria-label="{_title(links)}">'
    ]
    middle = left + GAP / 2
    for strength, drawn in (("sure", links.sure), ("possible", links.possible_only)):
        dashed = "" if strength == "sure" else ' stroke-dasharray="6 5"'
        colour = POSSIBLE_COLOUR if dashed else "currentColor"
        for i, j in sorted(drawn):
            y0, y1 = _centre(i), _centre(j)
            path = f"M{left} {y0}C{middle:g} {y0} {middle:g} {y1} {left + GAP} {y1}"
            parts.append(
                f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dashed}>'
                f"<title>{escape(source[i])} - {escape(target[j])}, {strength.upper()}</title></path>"
            )
    for words, x, anchor in ((source, left - MARGIN / 2, "end"), (target, left + GAP + MARGIN / 2, "start")):
        parts += [
            f'<text x="{x:g}" y="{_centre(index) + 5}" text-anchor="{anchor}">{escape(_shown(word))}</text>'
            for index, word in enumerate(words)
        ]
    return "".join([*parts, "</svg>"])


def _centre(index: int) -> int:
    return index * ROW + ROW // 2


def _title(links: Links) -> str:
    return f"Word links: {len(links.sure)} SURE, {len(links.possible_only)} POSSIBLE"


def _shown(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 3] + "..."


def _letters(word: str) -> int:
    """How many letters of usual width a word takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in _shown(word))
