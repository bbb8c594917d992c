"""Placeholders for comparison, in the manner of the papers."""

import pytest

from paragold.extraction.cluster import extract_cluster
from paragold.extraction.criteria import Criteria
from paragold.extraction.records import ClusterSentences
from paragold.text.placeholders import with_placeholders
from paragold.text.tokenisation import tokenise


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("at least 1,200 died on monday", "at least %%number%% died on %%day%%"),
        ("the 2nd quake at 12:30", "the %%number%% quake at %%number%%"),
        ("paid $ 3.5 million to him", "paid %%money%% to him"),
        ("paid us$3.5bn", "paid %%money%%"),
        ("€5 euros and 20 cents", "%%money%% and %%money%%"),
        ("3 million dollars for 3 million people", "%%money%% for %%number%% million people"),
        ("a 3-million-dollar deal , a 5 million-euro one", "a %%money%% deal , a %%money%% one"),
        ("million $", "million $"),
        ("$ signs , b52 and mondays", "$ signs , b52 and mondays"),
        ("usd", "usd"),
        ("", ""),
    ],
)
def test_numbers_days_and_money(text, compared):
    assert " ".join(with_placeholders(text.split())) == compared


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        # Brockett and Dolan 2005, table 5
        ("A 12-year-old girl was arrested", "a %%number%% -year-old girl was arrested"),
        ("two 19th-century maps", "two %%number%% -century maps"),
        ("EUR 5bn, or EUR5bn", "%%money%% , or %%money%%"),
        ("$ 1.2 million of $1.2m", "%%money%% of %%money%%"),
        ("a $5-billion-a-year loss", "a %%money%% -a-year loss"),
        ("$30,000-a-year jobs and £175million", "%%money%% -a-year jobs and %%money%%"),
        ("1.2 million US dollars, 400m yuan", "%%money%% , %%money%%"),
        ("a 450-pound man, 3m tall", "a %%number%% -pound man , 3m tall"),
        ("the 2003-04 season, B-52s", "the %%number%% season , b-52s"),
    ],
)
def test_words_as_the_tokeniser_makes_them(text, compared):
    assert " ".join(with_placeholders([token.lower() for token in tokenise(text)[0]])) == compared


def test_placeholders_decide_but_the_words_as_printed_are_kept():
    texts = ["Bombs killed 12 on Monday for $ 3 million", "Bombs killed 9 on Friday for $ 2 billion"]
    cluster = ClusterSentences.from_articles([[text.split()] for text in texts])
    asked = Criteria(method="levenshtein", max_edit_distance=0)
    assert extract_cluster(cluster, asked) == []
    (pair,) = extract_cluster(cluster, asked.with_settings({"placeholders": "yes"}))
    assert (pair.edit_distance, pair.length_a, pair.length_b, pair.shared_words) == (4, 9, 9, 2)
