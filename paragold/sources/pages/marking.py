"""Pages as people mark them, and how well models trained on marks do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import TextLines
from paragold.problems import FileProblem, quoted

from .blocks import Block, blocks_of
from .main_text_model import PAGES_NEEDED, train_main_text_model

FOLDS = 10

Marked = tuple[Sequence[Block], Sequence[bool]]


def read_marked_pages(paths: Sequence[Path]) -> list[Marked]:
    """The pages of JSON Lines files, an object a page: `html`, and `paragraphs`, those of the main text.

    A block is main text where it is one of the paragraphs; white space does not count. Raises FileProblem.
    """
    pages: list[Marked] = []
    for path in paths:
        problems: list[FileProblem] = []
        for number, line in TextLines(path, "utf-8", problems, json_lines=True):
            try:
                pages.append(_marked(parse_object(line)))
            except FileProblem as problem:
                problems.append(problem.at(number))
        if problems:
            raise FileProblem.of(problems, file=str(path))
    return pages


def _marked(page: dict[str, Any]) -> Marked:
    html, paragraphs = page.get("html"), page.get("paragraphs")
    if not (isinstance(html, str) and isinstance(paragraphs, list)):
        raise FileProblem("It is not a marked page.", 'Write {"html": "...", "paragraphs": ["..."]}.')
    blocks = blocks_of(html)
    left = {" ".join(str(text).split()) for text in paragraphs} - {block.text for block in blocks}
    if left:
        raise FileProblem(f"The page has no block {quoted(min(left))}.", "Copy paragraphs as they are.")
    wanted = {" ".join(str(text).split()) for text in paragraphs}
    return blocks, [block.text in wanted for block in blocks]


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
