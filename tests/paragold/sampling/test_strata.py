from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.sampling.sampling import sample
from paragold.sampling.strata import allocate, at_most, distance_bin, sample_strata

STRATA = st.dictionaries(st.integers(), st.sampled_from("abcd"), max_size=40)
SIZES = st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 60))


@pytest.mark.parametrize(
    ("distance", "name"), [(0, "0-4"), (4, "0-4"), (5, "5-8"), (12, "9-12"), (20, "13-20"), (99, "21+")]
)
def test_bins_of_edit_distance(distance, name):
    assert distance_bin(distance) == name


def test_proportional_shares_by_largest_remainder():
    assert allocate({"L12": 47, "F2": 33, "both": 20}, 10, "proportional") == {"L12": 5, "F2": 3, "both": 2}
    assert allocate({"a": 1, "b": 1, "c": 1}, 2, "proportional") == {"a": 1, "b": 1, "c": 0}


def test_equal_shares_as_far_as_they_reach():
    assert allocate({"L12": 100, "F2": 100, "both": 4}, 24, "equal") == {"L12": 10, "F2": 10, "both": 4}
    assert allocate({"a": 5, "b": 5}, 5, "equal") == {"a": 2, "b": 3}


@given(SIZES, st.data(), st.sampled_from(["proportional", "equal"]))
def test_shares_add_up_and_fit(sizes, data, how):
    wanted = data.draw(st.integers(0, sum(sizes.values())))
    shares = allocate(sizes, wanted, how)
    assert sum(shares.values()) == wanted
    assert all(0 <= shares[name] <= size for name, size in sizes.items())
    if how == "equal" and shares:
        largest = max(shares.values())
        assert all(shares[name] in (size, largest, largest - 1) for name, size in sizes.items())


def test_impossible_shares_are_refused():
    with pytest.raises(ValueError, match="4 asked for, but there are 3"):
        allocate({"a": 3}, 4, "equal")
    with pytest.raises(ValueError, match="proportional, equal"):
        allocate({"a": 3}, 1, "fair")


@given(STRATA, st.data(), st.randoms())
def test_stratified_draw_does_not_depend_on_the_order_of_the_keys(strata, data, random):
    size = data.draw(st.integers(0, len(strata)))
    shuffled = list(strata.items())
    random.shuffle(shuffled)
    drawn = sample_strata(strata, size, seed=3, allocation="equal")
    assert drawn == sample_strata(dict(shuffled), size, seed=3, allocation="equal")
    assert len(set(drawn)) == size
    assert Counter(strata[key] for key in drawn) == +Counter(
        allocate(Counter(strata.values()), size, "equal")
    )


@given(st.sets(st.integers(), max_size=30), st.data())
def test_one_stratum_is_a_plain_draw(keys, data):
    size = data.draw(st.integers(0, len(keys)))
    assert sample_strata(dict.fromkeys(keys, "all"), size, seed=5) == sample(keys, size, seed=5)


@given(STRATA, st.integers(1, 5))
def test_at_most_so_many_of_a_group(groups, most):
    kept = at_most(groups, most, seed=2)
    sizes = Counter(groups.values())
    assert Counter(groups[key] for key in kept) == {name: min(most, size) for name, size in sizes.items()}


def test_at_most_none_is_refused():
    with pytest.raises(ValueError, match="1 or more"):
        at_most({1: "a"}, 0, seed=1)
