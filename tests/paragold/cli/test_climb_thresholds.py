import json

import pytest

from paragold.formats.link_files import write_links
from paragold.metrics.links import LinkedPair, Links, TokenPair
from tests.paragold.extraction.test_files import FLOOD, STORM

PAIR = LinkedPair("1", TokenPair(("The", "storm"), ("the", "storm")), Links.of([(0, 0), (1, 1)]))


@pytest.fixture
def options(tmp_path):
    clusters, gold = tmp_path / "clusters.jsonl", tmp_path / "gold.jsonl"
    clusters.write_text("".join(json.dumps(one) + "\n" for one in (STORM, FLOOD)), encoding="utf-8")
    write_links(gold, [PAIR], "jsonl")
    return [
        *(
            "--input",
            clusters,
            "--gold",
            gold,
            "--aligner",
            "ibm1",
            "--preset",
            "L12-2004-word",
            "--processes",
            1,
        ),
        *("--output", tmp_path / "report.json"),
    ]


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


def test_pairs_can_be_counted_without_training(paragold, options):
    counted = ("--parameter", "max_edit_distance", "--values", "0,12", "--count-only")
    done = paragold("climb-thresholds", *options, *counted)
    assert [line.split() for line in done.out.splitlines()] == [
        ["0", "max_edit_distance", "0"],
        ["4", "max_edit_distance", "12"],
        ["4", *["pairs", "to", "train", "on", "in", "2", "trainings"]],
    ]
    assert not options[-1].exists()


def test_what_cannot_be_tried_is_refused(refused, options):
    message = refused("climb-thresholds", *options, "--parameter", "max_edit_distance", "--values", "4,x")
    assert "max_edit_distance: 'x' is not a whole number" in message
    twice = ("--parameter", "min_length", "--values", "1,2") * 2
    assert "each parameter once" in refused("climb-thresholds", *options, *twice)
