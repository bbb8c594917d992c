import json

import numpy as np
import pytest

from paragold.aligners.registry import aligner_of
from paragold.cli.console import run_command
from paragold.extraction.presets import get_preset
from paragold.formats.link_files import write_links
from paragold.metrics.links import LinkedPair, Links
from replication.climbing import (
    COMMAND,
    climb,
    grid,
)
from tests.paragold.extraction.test_files import FLOOD, STORM

L12 = get_preset("L12").criteria
RECIPE = aligner_of({"aligner": "ibm1", "one_language": False, "identical": False})
GOLD = [
    LinkedPair(str(n), (f"vendors{n}", "sold"), (f"sellers{n}", "sold"), Links.of([(0, 0), (1, 1)]))
    for n in range(10)
]
RIGHT = [((f"vendors{n}",), (f"sellers{n}",)) for n in range(10)]
WRONG = [((f"vendors{n}",), ("sold",)) for n in range(10)]


def extract(criteria):
    """Narrow criteria find the right translations, wide ones many wrong ones as well."""
    wide = criteria.max_edit_distance > 8
    pairs = RIGHT * 4 + (WRONG * 20 if wide else [])
    return pairs, np.array([len(pairs) - 4, 4, 0])


def test_the_grid_has_every_combination_once():
    found = grid(L12, {"max_edit_distance": ["4", 8], "min_length_ratio": ["2/3", "0.5", "1/2"]})
    assert [(one.max_edit_distance, str(one.min_length_ratio)) for one in found] == [
        *((4, "2/3"), (4, "1/2"), (8, "2/3"), (8, "1/2"))
    ]
    assert {one.min_shared_words for one in found} == {3}


def test_the_value_that_yields_better_pairs_wins_and_is_tested_against_the_others():
    seen = []
    report = climb(L12, {"max_edit_distance": [12, 4, 8]}, extract, GOLD, RECIPE, progress=seen.append)
    wide, narrow, same = report["steps"]
    assert seen == report["steps"]
    # Both narrow values find the same; the first of them is named.
    assert report["best"] == {"max_edit_distance": 4}
    assert narrow["scores"]["all"]["aer"] < wide["scores"]["all"]["aer"]
    assert narrow["p"] is narrow["p_holm"] is None
    assert wide["p_holm"] < 0.05 <= same["p_holm"]
    assert report["as_good_as_the_best"] == [{"max_edit_distance": 4}, {"max_edit_distance": 8}]
    # Whatever is left out, a narrow value is best.
    assert report["held_out_aer"]["all"] == pytest.approx(narrow["scores"]["all"]["aer"])
    assert [step["pairs"] for step in report["steps"]] == [240, 40, 40]
    assert report["fixed"]["min_shared_words"] == 3 and "max_edit_distance" not in report["fixed"]
    low, high = wide["pairs_interval"]
    assert low < 240 < high


PAIR = LinkedPair("1", ("The", "storm"), ("the", "storm"), Links.of([(0, 0), (1, 1)]))


@pytest.fixture
def options(tmp_path):
    clusters, gold = tmp_path / "clusters.jsonl", tmp_path / "gold.jsonl"
    clusters.write_text("".join(json.dumps(one) + "\n" for one in (STORM, FLOOD)), encoding="utf-8")
    write_links(gold, [PAIR], "jsonl")
    criteria = ("--aligner", "ibm1", "--preset", "L12-2004-word", "--processes", 1)
    return ["--input", clusters, "--gold", gold, *criteria, "--output", tmp_path / "report.json"]


def run(*arguments):
    return run_command(COMMAND, "climbing", [*map(str, arguments)])


def test_two_parameters_are_tried_in_all_combinations(options, capsys):
    varied = ("--parameter", "max_edit_distance", "--values", "0,4,12", "--parameter", "min_length")
    assert run(*options, *varied, "--values", "1,6", "--aligner-set", "lexicon=true") == 0
    done = capsys.readouterr()
    report = json.loads(options[-1].read_text())
    assert report["parameters"] == ["max_edit_distance", "min_length"]
    assert [one["pairs"] for one in report["steps"]] == [0, 0, 3, 2, 4, 2]
    assert report["steps"][3]["settings"] == {"max_edit_distance": 4, "min_length": 6}
    assert report["recipe"]["lexicon"] is True and report["preset"] == "L12-2004-word"
    rows = [line.split(" | ") for line in done.out.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 6 and {len(row) for row in rows} == {10}
    assert sum("*" in cell for row in rows for cell in row) == 1
    assert "max_edit_distance 4, min_length 6: 2 pairs" in done.err
