"""Marked pages: read from files, and figures of pages that a model has not seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.news_pages.pages import news_pages
from benchmarks.story_text import marks_of
from paragold.problems import FileProblem
from paragold.sources.pages.blocks import blocks_of
from paragold.sources.pages.marking import cross_validated, read_marked_pages

PAGES = news_pages()


def written(path: Path, *pages: object) -> Path:
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return path


def test_blocks_that_are_paragraphs_are_main_text(tmp_path: Path) -> None:
    rows = [{"html": page.html, "paragraphs": page.article.paragraphs} for page in PAGES]
    files = [written(tmp_path / "a.jsonl", *rows[:20]), written(tmp_path / "b.jsonl", *rows[20:])]
    expected = [(blocks, marks_of(page, blocks)) for page in PAGES for blocks in [blocks_of(page.html)]]
    assert read_marked_pages(files) == expected


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"html": "<p>A dam.", "paragraphs": ["A dam", "A dam."]}, "line 1: The page has no block 'A dam'."),
        ({"html": "<p>A dam."}, "line 1: It is not a marked page."),
        ({"html": 1, "paragraphs": []}, "line 1: It is not a marked page."),
        ({"html": "", "paragraphs": []}, "line 1: The page is empty."),
    ],
)
def test_what_is_no_marked_page_is_refused_with_its_line(tmp_path: Path, page: object, message: str) -> None:
    path = written(tmp_path / "a.jsonl", page)
    with pytest.raises(FileProblem) as refused:
        read_marked_pages([path])
    assert f"{path}, {message}" in str(refused.value)


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
