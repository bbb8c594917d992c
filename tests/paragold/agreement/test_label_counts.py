from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from paragold.agreement.label_counts import (
    confusion_matrix,
    days,
    first_and_last,
    pair_tables,
    tenths,
    unit_types,
)

LABELS = ("y", "n")


def test_items_labelled_alike_are_one_kind():
    types = unit_types([["y", "n", None], ["n", "y"], ["y", "y", "y"], ["y", None]], LABELS)
    assert types.counts.tolist() == [[1, 1], [3, 0]]
    assert types.frequencies.tolist() == [2, 1]
    assert types.items == 3
    with pytest.raises(ValueError, match="'maybe' is not among the labels y, n"):
        unit_types([["y", "maybe"]], LABELS)


def test_the_usual_number_of_labels_is_the_most_frequent_and_of_several_the_greatest():
    types = unit_types([["y", "n"], ["y", "y", "y"]], LABELS)
    assert types.usual_number == 3
    assert types.with_labels(2).counts.tolist() == [[1, 1]]
    assert unit_types([["y", "n"], ["n", "n"], ["y", "y", "y"]], LABELS).usual_number == 2
    assert unit_types([], LABELS).usual_number == 0


def test_tables_of_every_two_annotators_that_share_items():
    judgements = [
        {"A": "y", "B": "n"},
        {"B": "n", "A": "y", "C": None},
        {"A": "n", "C": "n"},
        {"C": "y"},
    ]
    tables = pair_tables(judgements, LABELS, ["A", "B", "C"])
    assert {pair: table.tolist() for pair, table in tables.items()} == {
        ("A", "B"): [[0, 2], [0, 0]],
        ("A", "C"): [[0, 0], [0, 1]],
    }


def test_the_confusion_matrix_counts_both_orders():
    tables = [np.array([[3, 2], [0, 1]]), np.array([[1, 0], [4, 0]])]
    assert confusion_matrix(tables, LABELS).tolist() == [[8, 6], [6, 2]]
    assert confusion_matrix([], LABELS).tolist() == [[0, 0], [0, 0]]


START = datetime(2026, 3, 1, 22, tzinfo=UTC)


def finished(number):
    return [(START + timedelta(hours=hour), (f"label {hour}",)) for hour in range(number)]


def test_tenths_are_equal_parts_in_the_order_of_time():
    periods = tenths(finished(23)[::-1])
    assert [len(period.units) for period in periods] == [2, 2, 2, 3, 2, 2, 3, 2, 2, 3]
    assert [period.name for period in periods] == [str(number) for number in range(1, 11)]
    assert [unit for period in periods for unit in period.units] == [unit for _, unit in finished(23)]
    assert (periods[0].first, periods[0].last) == (START, START + timedelta(hours=1))
    assert [period.units for period in tenths(finished(2))] == [(("label 0",),), (("label 1",),)]
    assert tenths([]) == []


def test_days_with_work():
    entries = [*finished(3), (START + timedelta(days=3), ("y",))]
    assert [(period.name, len(period.units)) for period in days(entries)] == [
        ("2026-03-01", 2),
        ("2026-03-02", 1),
        ("2026-03-04", 1),
    ]
    assert days([]) == []


# Minutes after the first answer at which the second pass began; before it a corrected label counts.
@pytest.mark.parametrize(
    ("given", "second_pass", "expected"),
    [
        ((), None, (None, None)),
        (("y",), None, ("y", "y")),
        ((None, "y", "n"), None, ("y", "n")),
        (("y", None), None, ("y", None)),
        ((None,), None, (None, None)),
        (("y", None, "n", "y"), 3, ("n", "y")),
        (("y", None, "n", "y"), 0, (None, "y")),
        (("y", None, "n", "y"), 1440, ("y", "y")),
    ],
)
def test_first_label_and_the_current_one(given, second_pass, expected):
    answers = [(START + timedelta(minutes=minute), label) for minute, label in enumerate(given)]
    began = None if second_pass is None else START + timedelta(minutes=second_pass)
    assert first_and_last(answers, began) == expected
