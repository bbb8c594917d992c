"""climb-thresholds and train-main-text."""

import json

import pytest

from benchmarks.news_pages.pages import news_pages
from benchmarks.story_text import marks_of
from paragold.formats.link_files import write_links
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.sources.blocks import blocks_of
from paragold.sources.main_text_model import read_main_text_model, train_main_text_model
from tests.paragold.extraction.test_files import FLOOD, STORM

PAIR = LinkedPair("1", TokenPair(("The", "storm"), ("the", "storm")), Links.of([(0, 0), (1, 1)]))


@pytest.fixture
def options(tmp_path):
    clusters, gold = tmp_path / "clusters.jsonl", tmp_path / "gold.jsonl"
    clusters.write_text("".join(json.dumps(one) + "\n" for one in (STORM, FLOOD)), encoding="utf-8")
    write_links(gold, [PAIR], "jsonl")
    criteria = ("--aligner", "ibm1", "--preset", "L12-2004-word", "--processes", 1)
    return ["--input", clusters, "--gold", gold, *criteria, "--output", tmp_path / "report.json"]


def test_two_parameters_are_tried_in_all_combinations(paragold, options):
    varied = ("--parameter", "max_edit_distance", "--values", "0,4,12", "--parameter", "min_length")
    done = paragold("climb-thresholds", *options, *varied, "--values", "1,6", "--aligner-set", "lexicon=true")
    assert done.status == 0, done.err
    report = json.loads(options[-1].read_text())
    assert report["parameters"] == ["max_edit_distance", "min_length"]
    assert [one["pairs"] for one in report["steps"]] == [0, 0, 3, 2, 4, 2]
    assert report["steps"][3]["settings"] == {"max_edit_distance": 4, "min_length": 6}
    assert report["recipe"]["lexicon"] is True and report["preset"] == "L12-2004-word"
    rows = [line.split(" | ") for line in done.out.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 6 and {len(row) for row in rows} == {10}
    assert sum("*" in cell for row in rows for cell in row) == 1
    assert "max_edit_distance 4, min_length 6: 2 pairs" in done.err


def test_pairs_can_be_counted_without_training(paragold, refused, options):
    counted = ("--parameter", "max_edit_distance", "--values", "0,12", "--count-only")
    done = paragold("climb-thresholds", *options, *counted)
    assert [line.split() for line in done.out.splitlines()] == [
        ["0", "max_edit_distance", "0"],
        ["4", "max_edit_distance", "12"],
        ["4", *["pairs", "to", "train", "on", "in", "2", "trainings"]],
    ]
    assert not options[-1].exists()
    twice = ("--parameter", "min_length", "--values", "1,2") * 2
    assert "each parameter once" in refused("climb-thresholds", *options, *twice)


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


def test_too_few_pages_are_refused(marked, tmp_path, refused):
    marked.write_text("\n".join(marked.read_text(encoding="utf-8").split("\n")[:2]), encoding="utf-8")
    output = tmp_path / "model.json"
    assert "2 marked pages are too few; 3 are needed." in refused(
        "train-main-text", marked, "--output", output
    )
    assert not output.exists()
