"""Main text: the hidden Markov model, marked pages, and 36 pages whose story is known."""

import itertools
import json
import math

import pytest

from paragold.problems import FileProblem
from paragold.sources.main_text_model import (
    FEATURES,
    Block,
    blocks_of,
    cross_validated,
    features_of,
    load_main_text_model,
    read_marked_pages,
    train_main_text_model,
)
from paragold.sources.pages import extract_main_text
from tests.factories.news_pages.pages import news_pages
from tests.paragold.sources.pages.story_text import marks_of, measured, model_without

MENU = Block("li", ("nav", "ul"), "Home World", 9)
STORY = Block("p", ("article",), "The fire was put out at noon, and nobody was hurt, the mayor said.", 0)
NOTICE = Block("p", ("div",), "All rights reserved.", 0)
PAGES = [([MENU, STORY, STORY, NOTICE], [False, True, True, False])] * 3


def test_probabilities_are_smoothed_counts_and_survive_being_written():
    model = train_main_text_model(PAGES)
    assert model.pages, model.blocks == (3, 12)
    # Three pages begin with a block that is no story.
    assert model.start == pytest.approx((math.log(3.5 / 4), math.log(0.5 / 4)))
    # After a story block: three times story, three times not.
    assert model.transitions[1] == pytest.approx((math.log(0.5), math.log(0.5)))
    # Of six story blocks all are paragraphs; there are four values of the feature.
    assert model.emissions["tag"]["paragraph"][1] == pytest.approx(math.log(6.5 / 8))
    for values in model.emissions.values():
        for state in (0, 1):
            assert math.fsum(math.exp(value[state]) for value in values.values()) == pytest.approx(1)
    model = train_main_text_model(PAGES)
    again = load_main_text_model(model.to_json())
    assert again == model
    assert again.to_json() == model.to_json()


def test_blocks_that_are_paragraphs_are_main_text_and_viterbi_finds_the_best(tmp_path):
    model = train_main_text_model([*PAGES, ([NOTICE, STORY, MENU, STORY], [False, True, False, False])])
    for blocks in itertools.product((MENU, STORY, NOTICE), repeat=4):
        rows = itertools.product((False, True), repeat=4)
        best = max(score(model, blocks, row) for row in rows)
        assert score(model, blocks, tuple(model.label(blocks))) == pytest.approx(best)
    assert model.label([]) == []
    rows = [{"html": page.html, "paragraphs": page.article.paragraphs} for page in NEWS]
    files = [written(tmp_path / "a.jsonl", *rows[:20]), written(tmp_path / "b.jsonl", *rows[20:])]
    expected = [(blocks, marks_of(page, blocks)) for page in NEWS for blocks in [blocks_of(page.html)]]
    assert read_marked_pages(files) == expected


def score(model, blocks, states):
    """Logarithm of the probability of blocks and states together, by the definition."""
    total = model.start[states[0]]
    total += sum(model.transitions[a][b] for a, b in itertools.pairwise(states))
    for block, state in zip(blocks, states, strict=True):
        total += sum(model.emissions[n][v][state] for n, v in zip(FEATURES, features_of(block), strict=True))
    return total


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: "no json",
        lambda data: json.dumps(data | {"start": [0.5, -1]}),
        lambda data: json.dumps(data | {"emissions": {}}),
    ],
)
def test_another_file_is_refused(damage):
    data = json.loads(train_main_text_model(PAGES).to_json())
    with pytest.raises(FileProblem):
        load_main_text_model(damage(data))


NEWS = news_pages()


def written(path, *pages):
    path.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"html": "<p>A dam.", "paragraphs": ["A dam", "A dam."]}, "line 1: The page has no block 'A dam'."),
        ({"html": "<p>A dam."}, "line 1: It is not a marked page."),
        ({"html": 1, "paragraphs": []}, "line 1: It is not a marked page."),
        ({"html": "", "paragraphs": []}, "line 1: The page is empty."),
    ],
)
def test_what_is_no_marked_page_is_refused_with_its_line(tmp_path, page, message):
    path = written(tmp_path / "a.jsonl", page)
    with pytest.raises(FileProblem) as refused:
        read_marked_pages([path])
    assert f"{path}, {message}" in str(refused.value)


def test_figures_are_those_of_pages_left_out():
    marked = [(blocks, marks_of(page, blocks)) for page in NEWS for blocks in [blocks_of(page.html)]]
    figures = cross_validated(marked)
    assert figures is not None
    precision, recall, f = figures.values()
    assert f > 93
    assert f == pytest.approx(2 * precision * recall / (precision + recall), abs=0.1)
    assert cross_validated(marked[:3]) is None
    assert cross_validated(marked[:4]) is not None


def test_stories_are_found_in_pages_of_other_sites():
    figures = measured(NEWS, lambda page: extract_main_text(page.html)["paragraphs"])
    assert figures["recall"] >= 99
    assert figures["f"] >= 93
    models = {page.layout: model_without(page.layout, NEWS) for page in NEWS}
    figures = measured(
        NEWS, lambda page: extract_main_text(page.html, model=models[page.layout])["paragraphs"]
    )
    assert figures["f"] >= 95
    assert figures["worst_layout_f"] >= 88
