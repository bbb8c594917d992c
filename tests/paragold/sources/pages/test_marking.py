"""Marks on blocks: suggestions, hashes, and figures of pages that a model has not seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.news_pages.pages import news_pages
from benchmarks.story_text import marks_of, model_without
from paragold.sources.pages.blocks import blocks_of
from paragold.sources.pages.marking import (
    block_rows,
    blocks_from,
    blocks_sha256,
    cross_validated,
    numbers_in,
    ranges_of,
    suggested_marks,
)

PAGES = news_pages()


def test_trafilaturas_paragraphs_are_the_blocks_that_are_suggested() -> None:
    right = wrong = 0
    for page in PAGES:
        blocks = blocks_of(page.html)
        for suggested, wanted in zip(suggested_marks(page.html, blocks), marks_of(page, blocks), strict=True):
            right += suggested and wanted
            wrong += suggested != wanted
    assert right == sum(len(page.article.paragraphs) for page in PAGES)
    assert wrong < 0.25 * right


def test_a_models_suggestions_are_its_labels() -> None:
    page = PAGES[0]
    model = model_without(page.layout, PAGES)
    blocks = blocks_of(page.html)
    assert suggested_marks(page.html, blocks, model) == model.label(blocks)


def test_blocks_survive_json_and_are_known_again() -> None:
    blocks = blocks_of(PAGES[0].html)
    assert blocks_from(block_rows(blocks)) == blocks
    assert blocks_sha256(blocks) == blocks_sha256(blocks_from(block_rows(blocks)))
    assert blocks_sha256(blocks) != blocks_sha256(blocks[1:])
    assert len(blocks_sha256(blocks_of("<p>a \ud800</p>"))) == 64


def test_figures_are_those_of_pages_left_out() -> None:
    marked = [(blocks, marks_of(page, blocks)) for page in PAGES for blocks in [blocks_of(page.html)]]
    figures = cross_validated(marked)
    assert figures is not None
    assert figures.f > 93
    assert figures.f == pytest.approx(
        2 * figures.precision * figures.recall / (figures.precision + figures.recall), abs=0.1
    )
    assert cross_validated(marked[:3]) is None
    assert cross_validated(marked[:4]) is not None


@given(st.lists(st.booleans(), max_size=40))
def test_ranges_name_the_marked_blocks(marks: list[bool]) -> None:
    story = [number for number, mark in enumerate(marks) if mark]
    assert numbers_in(ranges_of(marks), len(marks)) == story


def test_ranges_are_written_as_short_as_can_be() -> None:
    assert ranges_of([False, True, True, True, False, True]) == "2-4,6"
    assert numbers_in(" 6, 2 - 4 ,3,", 6) == [1, 2, 3, 5]


@pytest.mark.parametrize("wrong", ["0", "7", "4-2", "1-7", "-1", "1-", "a", "1;2", "9" * 30])
def test_what_is_no_range_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="numbered 1 to 6"):
        numbers_in(wrong, 6)
