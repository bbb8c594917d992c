"""Blocks as people mark them: the suggestion of a method, and how well models trained on marks do."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .blocks import Block
from .main_text import extract_main_text
from .main_text_model import PAGES_NEEDED, MainTextModel, train_main_text_model

FOLDS = 10
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")

Marked = tuple[Sequence[Block], Sequence[bool]]


def suggested_marks(page: str, blocks: Sequence[Block], model: MainTextModel | None = None) -> list[bool]:
    """Which blocks a method takes for main text: `model`, or else trafilatura.

    Trafilatura gives paragraphs, not blocks: a block is marked when its text is one of them, or is in one.
    """
    if model is not None:
        return model.label(blocks)
    paragraphs = [" ".join(text.split()) for text in extract_main_text(page).paragraphs]
    whole = set(paragraphs)
    joined = " ".join(paragraphs)
    return [block.text in whole or (len(block.text) > 60 and block.text in joined) for block in blocks]


def block_rows(blocks: Sequence[Block]) -> list[list[Any]]:
    """Blocks as JSON: rows of tag, tags around, text and linked characters."""
    return [[block.tag, list(block.inside), block.text, block.linked] for block in blocks]


def blocks_from(rows: Sequence[Sequence[Any]]) -> list[Block]:
    """The blocks of such rows."""
    return [Block(tag, tuple(inside), text, linked) for tag, inside, text, linked in rows]


def blocks_sha256(blocks: Sequence[Block]) -> str:
    """The hash by which a page is known again, whatever its file is called."""
    text = json.dumps(block_rows(blocks), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def ranges_of(marks: Sequence[bool]) -> str:
    """The numbers of the marked blocks, from 1, as ranges: "2-5,9"."""
    ends = [number for number, (a, b) in enumerate(pairwise([False, *marks, False])) if a != b]
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return ",".join(f"{start + 1}" if end == start + 1 else f"{start + 1}-{end}" for start, end in pairs)


def numbers_in(ranges: str, blocks: int) -> list[int]:
    """The numbers, from 0, of the blocks in such ranges, ascending. White space does not count.

    Raises ValueError for anything else, and for a number that is not one of `blocks`.
    """
    numbers: set[int] = set()
    for part in filter(None, "".join(ranges.split()).split(",")):
        match = _RANGE.fullmatch(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= blocks:
            raise ValueError(
                f"{part[:40]!r} is not a range of blocks; blocks are numbered 1 to {blocks:,}, as in 2-5, 9."
            )
        numbers.update(range(first - 1, last))
    return sorted(numbers)


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision, recall and their harmonic mean over the words of main text of all pages, in percent."""

    precision: float
    recall: float
    f: float


def cross_validated(pages: Sequence[Marked]) -> Figures | None:
    """Cross-validation over marked pages, ten folds at most: how models find the main text of unseen pages.

    None where the pages are too few, or too much alike, to leave some out.
    """
    folds = min(FOLDS, len(pages))
    if len(pages) - -(-len(pages) // max(1, folds)) < PAGES_NEEDED:
        return None
    common = predicted = expected = 0
    for fold in range(folds):
        rest = [page for number, page in enumerate(pages) if number % folds != fold]
        if len({mark for _, marks in rest for mark in marks}) < 2:
            return None
        model = train_main_text_model(rest)
        for blocks, marks in pages[fold::folds]:
            seen, known = _words(blocks, model.label(blocks)), _words(blocks, marks)
            common += (seen & known).total()
            predicted += seen.total()
            expected += known.total()
    precision, recall = 100 * common / max(1, predicted), 100 * common / max(1, expected)
    mean = 2 * precision * recall / (precision + recall) if common else 0.0
    return Figures(round(precision, 1), round(recall, 1), round(mean, 1))


def _words(blocks: Sequence[Block], marks: Sequence[bool]) -> Counter[str]:
    return Counter(
        word for block, mark in zip(blocks, marks, strict=True) if mark for word in block.text.split(" ")
    )
