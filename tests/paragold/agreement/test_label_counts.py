import numpy as np
import pytest

from paragold.agreement.label_counts import confusion_matrix, pair_tables, unit_types

LABELS = ("y", "n")


def test_items_labelled_alike_are_one_kind():
    types = unit_types([["y", "n", None], ["n", "y"], ["y", "y", "y"], ["y", None]], LABELS)
    assert types.counts.tolist() == [[1, 1], [3, 0]]
    assert types.frequencies.tolist() == [2, 1]
    assert types.items == 3


def test_the_usual_number_of_labels_is_the_most_frequent_and_of_several_the_greatest():
    types = unit_types([["y", "n"], ["y", "y", "y"]], LABELS)
    assert types.usual_number == 3
    assert types.with_labels(2).counts.tolist() == [[1, 1]]
    assert unit_types([["y", "n"], ["n", "n"], ["y", "y", "y"]], LABELS).usual_number == 2
    assert unit_types([], LABELS).usual_number == 0


def test_an_unknown_label_is_refused():
    with pytest.raises(ValueError, match="'maybe' is not among the labels y, n"):
        unit_types([["y", "maybe"]], LABELS)


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
