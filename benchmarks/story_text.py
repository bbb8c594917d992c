"""Story text found in pages whose story is known: precision and recall of words, as JSON.

    python -m benchmarks.story_text

Two methods on 36 pages of twelve layouts: trafilatura as it is, and the hidden Markov model trained on the
pages of the eleven other layouts, so that it has never seen the site. The yardstick is the whole text of the
page. Words are counted as multisets; figures are in percent, over all words and for the worst layout.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence

from benchmarks.news_pages.pages import NewsPage, news_pages
from paragold.sources.blocks import Block, blocks_of
from paragold.sources.main_text import extract_main_text
from paragold.sources.main_text_model import MainTextModel, train_main_text_model


def marks_of(page: NewsPage, blocks: Sequence[Block]) -> list[bool]:
    """What a careful person would mark: the blocks that are paragraphs of the story."""
    story = {" ".join(text.split()) for text in page.article.paragraphs}
    return [block.text in story for block in blocks]


def model_without(layout: str, pages: Sequence[NewsPage]) -> MainTextModel:
    """A model of all pages but those of one layout."""
    marked = [
        (blocks, marks_of(page, blocks))
        for page in pages
        if page.layout != layout
        for blocks in [blocks_of(page.html)]
    ]
    return train_main_text_model(marked)


def overlap(found: Sequence[str], wanted: Sequence[str]) -> tuple[int, int, int]:
    """Words in common, found and wanted."""
    seen, known = (Counter(" ".join(texts).split()) for texts in (found, wanted))
    return (seen & known).total(), seen.total(), known.total()


def measured(pages: Sequence[NewsPage], method: Callable[[NewsPage], Sequence[str]]) -> dict[str, object]:
    started = time.process_time()
    results = [(page.layout, overlap(method(page), page.article.paragraphs)) for page in pages]
    seconds = time.process_time() - started
    by_layout: dict[str, float] = {}
    for layout in {page.layout for page in pages}:
        by_layout[layout] = _scores([counts for name, counts in results if name == layout])["f"]
    worst = min(by_layout, key=by_layout.__getitem__)
    return {
        **_scores([counts for _, counts in results]),
        "worst_layout": worst,
        "worst_layout_f": by_layout[worst],
        "cpu_ms_a_page": round(1000 * seconds / len(pages), 2),
    }


def _scores(counts: Sequence[tuple[int, int, int]]) -> dict[str, float]:
    common, found, wanted = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = 100 * common / max(1, found), 100 * common / max(1, wanted)
    return {
        "precision": round(precision, 1),
        "recall": round(recall, 1),
        "f": round(2 * precision * recall / max(1e-9, precision + recall), 1),
    }


def results() -> dict[str, object]:
    pages = news_pages()
    models = {page.layout: model_without(page.layout, pages) for page in pages}
    return {
        "pages": len(pages),
        "layouts": len(models),
        "trafilatura": measured(pages, lambda page: extract_main_text(page.html)["paragraphs"]),
        "hmm_unseen_layout": measured(
            pages, lambda page: extract_main_text(page.html, model=models[page.layout])["paragraphs"]
        ),
        "whole_page": measured(pages, lambda page: [block.text for block in blocks_of(page.html)]),
    }


if __name__ == "__main__":
    print(json.dumps(results(), indent=2))
