from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.sampling.sampling import pseudo_random, sample

KEYS = st.lists(st.integers(), unique=True, max_size=30)


def test_known_draw_so_that_it_stays_the_same_everywhere():
    assert sample(range(10), 4, seed=1) == [0, 7, 5, 6]
    assert sample(["a", "b", "c", "d"], 2, seed=1) == ["a", "d"]


@given(KEYS, st.integers(0, 5), st.randoms())
def test_order_of_the_keys_does_not_matter(keys, seed, random):
    shuffled = list(keys)
    random.shuffle(shuffled)
    assert sample(keys, len(keys), seed=seed) == sample(shuffled, len(keys), seed=seed)


@given(KEYS, st.data())
def test_draw_is_without_replacement_and_grows_by_appending(keys, data):
    size = data.draw(st.integers(0, len(keys)))
    drawn = sample(keys, size, seed=3)
    assert len(set(drawn)) == len(drawn) == size
    assert set(drawn) <= set(keys)
    assert sample(keys, len(keys), seed=3)[:size] == drawn


def test_seeds_draw_every_key_about_equally_often():
    drawn = Counter(key for seed in range(2000) for key in sample(range(10), 3, seed=seed))
    # 600 expected for each, standard deviation 20.5.
    assert all(520 < drawn[key] < 680 for key in range(10))


def test_positions_are_random_too():
    first = Counter(sample(range(5), 5, seed=seed)[0] for seed in range(2000))
    assert all(320 < first[key] < 480 for key in range(5))


@pytest.mark.parametrize("size", [-1, 4])
def test_more_than_there_are_is_refused(size):
    with pytest.raises(ValueError, match=f"{size} asked for, but there are 3 to draw from; ask for 0 to 3"):
        sample([1, 2, 3], size, seed=1)


def test_key_that_occurs_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        sample([1, 1], 1, seed=1)


def test_parts_do_not_run_together():
    assert pseudo_random(1, "ab", "c") != pseudo_random(1, "a", "bc")
    assert pseudo_random(11, "a") != pseudo_random(1, "1", "a")
