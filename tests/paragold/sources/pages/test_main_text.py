"""Both methods on pages whose story is known: 36 of them, of twelve layouts."""

from __future__ import annotations

import pytest

from benchmarks.news_pages.pages import news_pages
from benchmarks.story_text import marks_of, measured, model_without
from paragold.problems import FileProblem
from paragold.sources.pages.blocks import blocks_of
from paragold.sources.pages.main_text import extract_main_text

PAGES = news_pages()


def test_there_are_36_pages_of_twelve_layouts_and_marks_for_each() -> None:
    assert len(PAGES) == 36
    assert len({page.layout for page in PAGES}) == 12
    for page in PAGES:
        assert sum(marks_of(page, blocks_of(page.html))) == len(page.article.paragraphs), page.layout


def test_title_date_and_outlet_come_from_the_page() -> None:
    page = next(page for page in PAGES if page.layout == "semantic")
    story = extract_main_text(page.html)
    assert (story.title, story.source) == (page.article.title, page.article.source)
    assert story.published == page.article.published[:10]
    assert story.title not in story.paragraphs


def test_trafilatura_finds_the_stories() -> None:
    figures = measured(PAGES, lambda page: extract_main_text(page.html).paragraphs)
    assert figures["recall"] >= 99
    assert figures["f"] >= 93


def test_the_model_finds_the_stories_of_sites_that_it_has_not_seen() -> None:
    models = {page.layout: model_without(page.layout, PAGES) for page in PAGES}
    figures = measured(PAGES, lambda page: extract_main_text(page.html, model=models[page.layout]).paragraphs)
    assert figures["f"] >= 95
    assert figures["worst_layout_f"] >= 88


def test_a_page_without_a_story_and_an_empty_one() -> None:
    assert extract_main_text("<html><body><a href=x>Home</a></body></html>").paragraphs == ()
    with pytest.raises(FileProblem, match="empty"):
        extract_main_text("")
