import json

import pytest

from paragold.sources.main_text_model import blocks_of, read_main_text_model, train_main_text_model
from tests.factories.news_pages.pages import news_pages
from tests.paragold.sources.pages.story_text import marks_of

PAGES = news_pages()


@pytest.fixture
def marked(tmp_path):
    path = tmp_path / "marked.jsonl"
    rows = [{"html": page.html, "paragraphs": page.article.paragraphs} for page in PAGES]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_model_is_that_of_the_marks(marked, tmp_path, paragold):
    done = paragold("train-main-text", marked, "--output", tmp_path / "model.json")
    assert done.status == 0
    assert f"{len(PAGES)} pages, " in done.out and "left out of the training: precision 9" in done.out
    blocks = [(blocks, marks_of(page, blocks)) for page in PAGES for blocks in [blocks_of(page.html)]]
    assert read_main_text_model(tmp_path / "model.json") == train_main_text_model(blocks)
