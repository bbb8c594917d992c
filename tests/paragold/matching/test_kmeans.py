"""Spherical k-means with several starts and the PK1 stopping rule, beside slow references."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from paragold.matching.kmeans import Groupings, best_solution, criterion_h2, criterion_i2, stops

SEEDS = st.integers(0, 2**20)


def unit_vectors(seed, headlines=24, terms=10):
    """Sparse, as headlines are: most terms are absent."""
    random = np.random.default_rng(seed)
    vectors = random.random((headlines, terms)) * (random.random((headlines, terms)) < 0.4) + 1e-3
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def slow_i2(vectors, labels):
    return sum(float(np.linalg.norm(vectors[labels == label].sum(axis=0))) for label in set(labels.tolist()))


def slow_settled(vectors, centres):
    """To the nearest centre first; then one by one to where I2 is highest, computed from scratch."""
    labels = np.argmax(vectors @ vectors[centres].T, axis=1)
    labels[centres] = range(len(centres))
    moved = True
    while moved:
        moved = False
        for one in range(len(vectors)):
            if (labels == labels[one]).sum() == 1:
                continue
            tried = np.repeat(labels[None], len(centres), axis=0)
            tried[:, one] = range(len(centres))
            values = np.array([slow_i2(vectors, labels) for labels in tried])
            if values.max() > values[labels[one]] + 1e-9:
                labels[one] = values.argmax()
                moved = True
    return labels


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 9), st.data())
def test_a_start_settles_as_the_slow_reference_does(seed, headlines, data):
    groups = data.draw(st.integers(1, headlines))
    vectors = unit_vectors(seed, headlines)
    chances = np.random.default_rng(seed).random(groups)
    order = list(range(headlines))
    for place, chance in enumerate(chances):
        other = place + int(chance * (headlines - place))
        order[place], order[other] = order[other], order[place]
    expected = slow_settled(vectors, order[:groups])
    assert best_solution(vectors @ vectors.T, chances[None], False).tolist() == expected.tolist()


def test_a_seed_decides_and_solutions_do_not_depend_on_what_was_asked_before():
    cosines = unit_vectors(5) @ unit_vectors(5).T
    labels = [Groupings(cosines, seed=seed).solution(6).tolist() for seed in (1, 1, 2)]
    assert labels[0] == labels[1]
    groupings = Groupings(cosines)
    groupings.at(delta=0)
    assert groupings.solution(6).tolist() == labels[0]
    assert len({tuple(Groupings(cosines, starts=1, seed=seed).solution(6)) for seed in range(5)}) > 1


def test_criteria_from_the_vectors_and_headlines_without_weight():
    vectors = unit_vectors(3)
    labels = np.arange(len(vectors)) % 4
    whole = vectors.sum(axis=0)
    sums = [vectors[labels == label].sum(axis=0) for label in range(4)]
    external = sum(6 * (one @ whole) / np.linalg.norm(one) / np.linalg.norm(whole) for one in sums)
    within = slow_i2(vectors, labels)
    assert criterion_i2(vectors @ vectors.T, labels) == pytest.approx(within)
    assert criterion_h2(vectors @ vectors.T, labels) == pytest.approx(within / external)
    similarities = np.zeros((5, 5))
    similarities[np.ix_([0, 2, 3], [0, 2, 3])] = 1
    assert Groupings(similarities).at() == [[0, 2, 3], [1], [4]]
    assert Groupings(np.zeros((0, 0))).at() == []
    with pytest.raises(ValueError, match="2 headlines cannot make 3 groups"):
        Groupings(np.eye(2)).solution(3)


@pytest.mark.parametrize(
    ("before", "after", "delta", "stopped"),
    [
        # The documentation of SenseClusters: delta 1 is 0.0001 for 0.0123, 5 is 0.005 for 0.245.
        (0.0123, 0.0124, 1, True),
        (0.0123, 0.0125, 1, False),
        (0.245, 0.250, 5, True),
        (0.245, 0.251, 5, False),
        (1.23, 1.234, 0, True),
        (1.23, 1.24, 0, False),
    ],
)
def test_where_the_criterion_stops_changing(before, after, delta, stopped):
    assert stops([before, after], delta) == stopped
    assert not stops([before], delta)


def slow_choice(criteria, threshold, delta):
    """k by the documentation of SenseClusters' clusterstopping.pl, from criteria as CLUTO prints them."""
    printed = [f"{value:.2e}" for value in criteria]
    values = [float(text) for text in printed]
    last = len(values)
    for k in range(1, len(values)):
        unit = float("0.01e" + printed[k - 1].split("e")[1])
        if round((values[k] - values[k - 1]) / unit) <= delta:
            last = k + 1
            break
    average = sum(values[:last]) / last
    deviation = (sum((value - average) ** 2 for value in values[:last]) / last) ** 0.5
    for k in range(2, last + 1):
        if deviation > 1e-12 and (values[k - 1] - average) / deviation > threshold:
            return k - 1
    return max(last - 1, 1)


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 25), st.sampled_from([-0.7, 0.5, 1.0, 1.3]), st.sampled_from([0, 1, 4, 20, 300]))
def test_k_is_that_of_the_slow_reference(seed, headlines, threshold, delta):
    vectors = unit_vectors(seed, headlines)
    cosines = vectors @ vectors.T
    groupings = Groupings(cosines, starts=2)
    chosen = groupings.choice(threshold, delta)
    criteria = [criterion_h2(cosines, groupings.solution(k)) for k in range(1, headlines + 1)]
    assert chosen == slow_choice(criteria, threshold, delta)
    assert len(groupings.at(threshold, delta)) == chosen
