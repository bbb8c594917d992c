"""Story text found in pages whose story is known: precision and recall of words.

There are 36 pages of twelve layouts; a model is trained on the eleven other layouts, so that it has never
seen the site. Words are counted as multisets; figures are in percent, of all words and for the worst layout.
"""

from __future__ import annotations

from collections import Counter

from paragold.sources.main_text_model import blocks_of, train_main_text_model


def marks_of(page, blocks):
    """What a careful person would mark: the blocks that are paragraphs of the story."""
    story = {" ".join(text.split()) for text in page.article.paragraphs}
    return [block.text in story for block in blocks]


def model_without(layout, pages):
    """A model of all pages but those of one layout."""
    marked = [
        (blocks, marks_of(page, blocks))
        for page in pages
        if page.layout != layout
        for blocks in [blocks_of(page.html)]
    ]
    return train_main_text_model(marked)


def overlap(found, wanted):
    """Words in common, found and wanted."""
    seen, known = (Counter(" ".join(texts).split()) for texts in (found, wanted))
    return (seen & known).total(), seen.total(), known.total()


def measured(pages, method):
    results = [(page.layout, overlap(method(page), page.article.paragraphs)) for page in pages]
    by_layout = {}
    for layout in {page.layout for page in pages}:
        by_layout[layout] = _scores([counts for name, counts in results if name == layout])["f"]
    return {**_scores([counts for _, counts in results]), "worst_layout_f": min(by_layout.values())}


def _scores(counts):
    common, found, wanted = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = 100 * common / max(1, found), 100 * common / max(1, wanted)
    return {
        "precision": round(precision, 1),
        "recall": round(recall, 1),
        "f": round(2 * precision * recall / max(1e-9, precision + recall), 1),
    }
