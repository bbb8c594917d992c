"""The ladder: both sentences of a pair as columns of words, links as curves between them, as a static SVG."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from unicodedata import east_asian_width

from paragold.metrics.word_lists import check_words

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
    """An `<svg>` without styles or scripts: SURE links as lines, POSSIBLE ones dashed.

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
