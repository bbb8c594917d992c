from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.sampling.sentence_pairs import Place, pair_at, pair_count, permuted, random_pairs

SIZES = st.lists(st.integers(0, 5), max_size=6)


@given(SIZES)
def test_every_rank_is_another_pair_of_different_articles(sizes):
    places = [Place(article, number) for article, size in enumerate(sizes) for number in range(size)]
    expected = [(a, b) for a, b in combinations(places, 2) if a.article != b.article]
    assert pair_count(sizes) == len(expected)
    assert sorted(pair_at(sizes, rank) for rank in range(len(expected))) == expected
    for rank in (-1, len(expected)):
        with pytest.raises(IndexError):
            pair_at(sizes, rank)


@given(st.integers(0, 700), st.integers(0, 3))
def test_permutation(count, seed):
    assert sorted(permuted(count, seed=seed)) == list(range(count))


def test_every_number_comes_first_about_equally_often():
    first = Counter(next(permuted(6, seed=seed)) for seed in range(3000))
    # 500 expected for each, standard deviation 20.4.
    assert all(410 < first[number] < 590 for number in range(6))


def test_pairs_of_all_clusters_once_whatever_their_order():
    clusters = {"b": [2, 1], "a": [1, 1, 2], "empty": [3], "none": []}
    drawn = list(random_pairs(clusters, seed=9))
    assert len(set(drawn)) == len(drawn) == 2 + 5
    assert Counter(key for key, *_ in drawn) == {"a": 5, "b": 2}
    assert drawn == list(random_pairs(dict(reversed(clusters.items())), seed=9))
    assert list(random_pairs({}, seed=1)) == []


def test_large_corpus_is_not_enumerated():
    clusters = {str(number): [20] * 15 for number in range(1000)}
    assert len(list(islice(random_pairs(clusters, seed=1), 5))) == 5
