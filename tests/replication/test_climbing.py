import numpy as np
import pytest

from paragold.aligners.registry import aligner_of
from paragold.extraction.presets import get_preset
from paragold.metrics.links import LinkedPair, Links
from replication.climbing import (
    climb,
    grid,
)

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
