from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.sampling.assigning import assign

TEAMS = st.integers(1, 7).flatmap(lambda size: st.tuples(st.just(size), st.integers(1, size)))


@given(st.integers(0, 40), TEAMS, st.integers(0, 3))
def test_every_item_has_its_annotators_and_loads_are_even_after_each(items, team, seed):
    size, overlap = team
    assigned = assign(items, list(range(size)), overlap, seed=seed)
    assert len(assigned) == items
    load = Counter(dict.fromkeys(range(size), 0))
    for chosen in assigned:
        assert len(set(chosen)) == overlap
        assert chosen == tuple(sorted(chosen))
        load.update(chosen)
        assert max(load.values()) - min(load.values()) <= 1


@pytest.mark.parametrize("overlap", [2, 3])
@pytest.mark.parametrize("size", range(3, 9))
@pytest.mark.parametrize("seed", range(5))
def test_every_two_annotators_meet(size, overlap, seed):
    pairs = comb(size, 2)
    assigned = assign(2 * pairs, list(range(size)), overlap, seed=seed)
    met = Counter(pair for chosen in assigned for pair in combinations(chosen, 2))
    assert len(met) == pairs


def test_two_annotators_with_overlap_two_see_everything():
    assert assign(3, ["B", "A"], 2, seed=1) == [("A", "B")] * 3


def test_overlap_one_gives_each_item_to_one():
    assigned = assign(9, ["A", "B", "C"], 1, seed=1)
    assert Counter(assigned) == {("A",): 3, ("B",): 3, ("C",): 3}


def test_seed_changes_who_and_nothing_else_does():
    people = ["A", "B", "C", "D"]
    assert assign(20, people, 2, seed=1) == assign(20, people[::-1], 2, seed=1)
    assert assign(20, people, 2, seed=1) != assign(20, people, 2, seed=2)
    assert assign(20, people, 2, seed=1)[:10] == assign(10, people, 2, seed=1)


@pytest.mark.parametrize("overlap", [0, 3])
def test_impossible_overlap_is_refused(overlap):
    with pytest.raises(ValueError, match=f"an overlap of {overlap} with 2 annotators"):
        assign(5, ["A", "B"], overlap, seed=1)


def test_annotator_named_twice_and_negative_count_are_refused():
    with pytest.raises(ValueError, match="named twice"):
        assign(5, ["A", "A"], 1, seed=1)
    with pytest.raises(ValueError, match="-1 items"):
        assign(-1, ["A"], 1, seed=1)


@given(st.integers(1, 12), st.lists(st.integers(0, 12), min_size=2, max_size=5), st.integers(0, 3))
def test_quotas_hold_and_reach_whenever_they_can(items, limits, seed):
    quotas = dict(enumerate(limits))
    needed = 2 * items
    if sum(min(limit, items) for limit in limits) < needed:
        with pytest.raises(ValueError, match=f"{items} items with an overlap of 2 need {needed}"):
            assign(items, list(quotas), 2, seed=seed, quotas=quotas)
        return
    assigned = assign(items, list(quotas), 2, seed=seed, quotas=quotas)
    assert all(len(set(chosen)) == 2 for chosen in assigned)
    load = Counter(person for chosen in assigned for person in chosen)
    assert all(load[person] <= limit for person, limit in quotas.items())


def test_quotas_that_do_not_bind_change_nothing():
    people = ["ann", "ben", "cas"]
    assert assign(9, people, 2, seed=4, quotas={"ann": 6}) == assign(9, people, 2, seed=4)
