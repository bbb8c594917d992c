from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from paragold.sampling.sampling import (
    AUDIT,
    UNCERTAIN,
    allocate,
    assign,
    audit_size,
    choose,
    distance_bin,
    limited_per_group,
    pair_at,
    pair_count,
    pseudo_random,
    sample,
    sample_strata,
)

KEYS = st.lists(st.integers(), unique=True, max_size=30)


def test_known_draws_and_shares():
    assert sample(range(10), 4, seed=1) == [0, 7, 5, 6]
    assert sample(["a", "b", "c", "d"], 2, seed=1) == ["a", "d"]
    # Parts do not run together.
    assert pseudo_random(1, "ab", "c") != pseudo_random(1, "a", "bc")
    assert pseudo_random(11, "a") != pseudo_random(1, "1", "a")
    names = {0: "0-4", 4: "0-4", 5: "5-8", 12: "9-12", 20: "13-20", 99: "21+"}
    assert {distance: distance_bin(distance) for distance in names} == names
    assert allocate({"L12": 47, "F2": 33, "both": 20}, 10, "proportional") == {"L12": 5, "F2": 3, "both": 2}
    assert allocate({"a": 1, "b": 1, "c": 1}, 2, "proportional") == {"a": 1, "b": 1, "c": 0}
    assert allocate({"L12": 100, "F2": 100, "both": 4}, 24, "equal") == {"L12": 10, "F2": 10, "both": 4}
    assert allocate({"a": 5, "b": 5}, 5, "equal") == {"a": 2, "b": 3}


@given(KEYS, st.data())
def test_draw_is_without_replacement_and_grows_by_appending(keys, data):
    size = data.draw(st.integers(0, len(keys)))
    drawn = sample(keys, size, seed=3)
    assert len(set(drawn)) == len(drawn) == size
    assert set(drawn) <= set(keys)
    assert sample(keys, len(keys), seed=3)[:size] == drawn
    # One stratum is a plain draw.
    assert sample_strata(dict.fromkeys(keys, "all"), size, seed=3) == drawn


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: sample([1, 2, 3], -1, seed=1), "-1 requested, but only 3 are available; request 0 to 3"),
        *((lambda n=n: choose(many(), n, audit=20, seed=1), "request") for n in (201, -1)),
        *((lambda n=n: choose(many(), 10, audit=n, seed=1), "request") for n in (0, 101)),
        *(
            (lambda n=n: assign(5, ["A", "B"], n, seed=1), f"an overlap of {n} with 2 annotators")
            for n in (0, 3)
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


STRATA = st.dictionaries(st.integers(), st.sampled_from("abcd"), max_size=40)


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


@given(STRATA, st.integers(1, 5))
def test_at_most_so_many_of_a_group(groups, most):
    kept = limited_per_group(groups, most, seed=2)
    sizes = Counter(groups.values())
    assert Counter(groups[key] for key in kept) == {name: min(most, size) for name, size in sizes.items()}


def pool(*rows):
    return {key: scored for key, *scored in rows}


def many(count=200, clusters=20):
    return pool(*((f"p{n}", n / count, f"c{n % clusters}", (2 * n, 2 * n + 1)) for n in range(count)))


def uncertain(chosen):
    return [key for key, stratum in chosen.items() if stratum == UNCERTAIN]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Clusters take turns with their least certain pair.
        (
            [("a1", 0.50, "a", (1, 2)), ("a2", 0.51, "a", (3, 4)), ("b1", 0.70, "b", (5, 6)),
             ("c1", 0.95, "c", (7, 8))],
            ["a1", "b1", "c1"],
        ),
        # A sentence comes again only after all others of its cluster.
        (
            [("near", 0.50, "a", (1, 2)), ("same sentence", 0.51, "a", (1, 3)), ("fresh", 0.60, "a", (4, 5))],
            ["near", "fresh"],
        ),
    ],
)  # fmt: skip
def test_the_least_certain_pairs_come_first(rows, expected):
    known = pool(*rows, ("audited", 0.99, "d", (9, 10)))
    # 1 percent, rounded up, is one pair: which one, the seed alone decides.
    drawn = (choose(known, len(expected) + 1, audit=1, seed=seed) for seed in range(40))
    chosen = next(one for one in drawn if one.get("audited") == AUDIT)
    assert uncertain(chosen) == expected


def test_the_audit_is_a_fair_sample_and_the_seed_alone_decides():
    sure = {key: (0.99, *rest) for key, (_, *rest) in many().items()}
    chosen, other = choose(many(), 50, audit=20, seed=3), choose(sure, 50, audit=20, seed=3)
    audited = [key for key, stratum in chosen.items() if stratum == AUDIT]
    assert len(audited) == 10 == audit_size(50, 20)
    assert audited == [key for key, stratum in other.items() if stratum == AUDIT]
    assert len(chosen) == 50
    certainty = {key: abs(probability - 0.5) for key, (probability, *_) in many().items()}
    mean = sum(certainty[key] for key in uncertain(chosen)) / 40
    assert mean < 0.15 < sum(certainty[key] for key in audited) / 10
    turned = dict(reversed(many().items()))
    assert choose(many(), 30, audit=10, seed=1) == choose(turned, 30, audit=10, seed=1)
    assert choose(many(), 30, audit=10, seed=1) != choose(many(), 30, audit=10, seed=2)


ARTICLE_SIZES = st.lists(st.integers(0, 5), max_size=6)


@given(ARTICLE_SIZES)
def test_every_rank_is_another_pair_of_different_articles(sizes):
    places = [(article, number) for article, size in enumerate(sizes) for number in range(size)]
    expected = [(a, b) for a, b in combinations(places, 2) if a[0] != b[0]]
    assert pair_count(sizes) == len(expected)
    assert sorted(pair_at(sizes, rank) for rank in range(len(expected))) == expected
    for rank in (-1, len(expected)):
        with pytest.raises(IndexError):
            pair_at(sizes, rank)


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
