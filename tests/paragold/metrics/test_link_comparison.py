"""Two aligners, link by link: outcomes, order of the pairs, the same rates as everywhere else."""

import csv
import io

import pytest

from paragold.metrics.error_rate import compare, counts_by_words, score_table
from paragold.metrics.link_comparison import CSV_HEAD, OUTCOMES, as_csv, by_difference, compare_links
from paragold.metrics.links import LinkedPair, Links, TokenPair

PAIRS = [
    LinkedPair(
        "one",
        TokenPair(("The", "dog", "barked"), ("the", "hound", "barked")),
        Links.of([(0, 0), (1, 1)], [(2, 2)]),
    ),
    LinkedPair("two", TokenPair(("yes", "sir"), ("yes", "madam")), Links.of([(0, 0)], [(1, 1)])),
    LinkedPair("three", TokenPair(("a", "b"), ("a", "b")), Links.of([(0, 0), (1, 1)])),
]
A = [[(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 0)], []]
B = [[(0, 0), (2, 1)], [(1, 0), (1, 1)], [(0, 0)]]


@pytest.fixture(scope="module")
def comparison():
    return compare_links(PAIRS, A, B, language="en", seed=3, resamples=100, shuffles=200)


def test_who_is_right_where(comparison):
    first = {one.link: one for one in comparison.pairs[0].links}
    assert {link: one.outcome for link, one in first.items()} == {
        (0, 0): "both_right", (1, 1): "only_a", (2, 1): "only_a", (2, 2): "both_right",
    }  # fmt: skip
    assert (first[2, 2].strength, first[2, 2].drawn_by) == ("possible", "A")
    assert (first[2, 1].strength, first[2, 1].drawn_by, first[2, 1].kind_b) == ("none", "B", "other")
    assert {one.link: one.outcome for one in comparison.pairs[1].links} == {
        (0, 0): "only_a", (1, 0): "both_wrong", (1, 1): "both_right",
    }  # fmt: skip
    assert comparison.totals == {"both_right": 3, "only_a": 3, "only_b": 1, "both_wrong": 2}
    assert comparison.possible == {"AB": 0, "A": 1, "B": 1, "": 0}
    rows = {(row.strength, row.identical): row.counts for row in comparison.rows}
    assert rows["sure", True] == {"both_right": 1, "only_a": 1, "only_b": 1, "both_wrong": 1}
    assert rows["none", False] == {"both_right": 0, "only_a": 1, "only_b": 0, "both_wrong": 1}
    assert rows["possible", True]["both_right"] == 1
    assert sum(row.total for row in comparison.rows) == sum(len(pair.links) for pair in comparison.pairs)


def test_rates_and_test_are_those_of_experiments(comparison):
    gold, tokens = [pair.links for pair in PAIRS], [pair.tokens for pair in PAIRS]
    assert comparison.scores_a == score_table(A, gold, tokens, seed=3, resamples=100)
    assert comparison.scores_b == score_table(B, gold, tokens, seed=3, resamples=100)
    counts = [counts_by_words(drawn, gold, tokens)["all"] for drawn in (A, B)]
    assert comparison.tests["all"] == compare(*counts, seed=3, resamples=100, shuffles=200)
    wrong = [sum(k.missing + k.false for k in kinds) for kinds in (comparison.kinds_a, comparison.kinds_b)]
    assert wrong == [
        sum(bool(getattr(one, name)) for pair in comparison.pairs for one in pair.links)
        for name in ("kind_a", "kind_b")
    ]


def test_pairs_are_in_order_of_difference_and_filtered(comparison):
    def numbers(**chosen):
        return [pair.number for pair in by_difference(comparison.pairs, **chosen)]

    assert [pair.difference for pair in comparison.pairs] == [2, 1, -1]
    assert numbers() == [1, 2, 3]
    assert numbers(outcome="only_b") == [3]
    assert numbers(outcome="both_wrong") == [2, 3]
    assert numbers(outcome="both_right") == [1, 2]
    assert numbers(kind="function") == [3]  # "a" is an article
    assert numbers(kind="phrases") == []
    assert numbers(kind="other", outcome="only_b") == []


def test_the_file_has_every_link(comparison):
    head, *rows = list(csv.reader(io.StringIO(as_csv(comparison.pairs).lstrip("\ufeff"))))
    assert tuple(head) == CSV_HEAD
    assert rows[1] == ["1", "one", "dog", "hound", "1", "1", "sure", "yes", "no", "only_a", "no", "", "other"]
    assert len(rows) == sum(len(pair.links) for pair in comparison.pairs)
    assert {row[9] for row in rows} == set(OUTCOMES)


def test_links_of_other_pairs_are_refused():
    with pytest.raises(ValueError, match="link sets"):
        compare_links(PAIRS, A, B[:2], language="en", seed=1)
    with pytest.raises(ValueError, match="outside"):
        compare_links(PAIRS, A, [[(9, 9)], [], []], language="en", seed=1)
