from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from paragold.metrics.agreement_depth import by_group, by_pair_and_label, quarters
from paragold.metrics.label_agreement import estimates

LABELS = ("y", "n")


def test_specific_agreement_by_hand():
    rows = by_pair_and_label({("a", "b"): np.array([[20, 5], [10, 15]])}, LABELS)
    assert [(row["label"], row["both"], row["first_only"], row["second_only"]) for row in rows] == [
        ("y", 20, 5, 10),
        ("n", 15, 10, 5),
    ]
    assert [row["agreement"] for row in rows] == [pytest.approx(40 / 55), pytest.approx(30 / 45)]
    assert by_pair_and_label({("a", "b"): np.zeros((2, 2), int)}, LABELS)[0]["agreement"] is None


def test_an_item_counts_in_each_of_its_groups():
    units = [("y", "y"), ("y", "n"), ("n", "n"), ("y", "y")]
    rows = by_group(units, {"L12": [1, 1, 0, 0], "F2": [0, 1, 1, 0]}, LABELS, resamples=50)
    assert [(row["group"], row["items"], row["observed"]["value"]) for row in rows] == [
        ("L12", 2, 0.5),
        ("F2", 2, 0.5),
    ]
    assert rows[1]["alpha_nominal"] == estimates(units[1:3], LABELS, resamples=50)["alpha_nominal"]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_each_value_lies_in_its_range_and_ranges_do_not_overlap(values):
    in_order, places = quarters(np.array(values))
    assert set(places) == set(range(len(in_order)))
    names = [in_order[place] for place in places]
    ranges = {name: (int(name.split(" ")[0]), int(name.split(" ")[-1])) for name in names}
    assert all(ranges[name][0] <= value <= ranges[name][1] for name, value in zip(names, values, strict=True))
    ordered = sorted(ranges.values())
    assert all(before[1] < after[0] for before, after in pairwise(ordered))
    assert len(ranges) <= 4
