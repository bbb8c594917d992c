"""Placeholders for comparison, in the manner of the papers."""

import pytest

from paragold.extraction.cluster import extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.records import ClusterSentences, with_placeholders


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("at least 1,200 died on monday", "at least %%number%% died on %%day%%"),
        ("the 2nd quake at 12:30", "the %%number%% quake at %%number%%"),
        ("paid $ 3.5 million to him", "paid %%money%% to him"),
        ("paid us$3.5bn", "paid %%money%%"),
        ("€5 euros and 20 cents", "%%money%% and %%money%%"),
        ("3 million dollars for 3 million people", "%%money%% for %%number%% million people"),
        ("million $", "million $"),
        ("$ signs , b52 and mondays", "$ signs , b52 and mondays"),
        ("", ""),
    ],
)
def test_numbers_days_and_money(text, compared):
    assert " ".join(with_placeholders(text.split())) == compared


def test_placeholders_decide_but_the_words_as_printed_are_kept():
    texts = ["Bombs killed 12 on Monday for $ 3 million", "Bombs killed 9 on Friday for $ 2 billion"]
    cluster = ClusterSentences.from_articles([[text.split()] for text in texts])
    asked = Criteria(method="levenshtein", max_edit_distance=0)
    assert extract_cluster(cluster, asked) == []
    (pair,) = extract_cluster(cluster, asked.with_settings({"placeholders": "yes"}))
    assert (pair.edit_distance, pair.length_a, pair.length_b, pair.shared_words) == (4, 9, 9, 2)
