from paragold.agreement.disagreements import Disagreement, disagreements, label_table

JUDGEMENTS = {
    7: {"A": "paraphrase", "B": "not_paraphrase"},
    3: {"A": "paraphrase", "B": "paraphrase"},
    5: {"B": "paraphrase", "C": None},
    4: {"A": "paraphrase", "B": "paraphrase", "C": "not_paraphrase"},
}


def test_items_with_different_labels_in_the_order_given():
    assert disagreements(JUDGEMENTS) == [
        Disagreement(7, (("A", "paraphrase"), ("B", "not_paraphrase"))),
        Disagreement(4, (("A", "paraphrase"), ("B", "paraphrase"), ("C", "not_paraphrase"))),
    ]


def test_missing_labels_do_not_disagree():
    assert disagreements({1: {"A": "paraphrase", "B": None}, 2: {}}) == []


def test_table_has_a_row_for_each_item_and_a_column_for_each_annotator():
    annotators, rows = label_table(JUDGEMENTS)
    assert annotators == ["A", "B", "C"]
    assert rows == [
        ["paraphrase", "not_paraphrase", None],
        ["paraphrase", "paraphrase", None],
        [None, "paraphrase", None],
        ["paraphrase", "paraphrase", "not_paraphrase"],
    ]
