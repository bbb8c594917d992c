"""k-means by cosine and the PK1 stopping rule, beside their definitions."""

import numpy as np
import pytest

from paragold.matching.kmeans import Groupings, criterion, kmeans_solutions, pk1_choice


def unit_vectors(seed: int, headlines: int = 24, terms: int = 10) -> np.ndarray:
    vectors = np.random.default_rng(seed).random((headlines, terms)) ** 3
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_different_topics_are_separated() -> None:
    topics = np.repeat(np.eye(3), [4, 3, 5], axis=0)
    labels = kmeans_solutions(topics @ topics.T, 3)[2]
    assert len(set(zip(labels.tolist(), topics.argmax(axis=1).tolist(), strict=True))) == 3


@pytest.mark.parametrize("seed", range(5))
def test_every_solution_is_settled_and_has_no_empty_group(seed: int) -> None:
    vectors = unit_vectors(seed)
    for k, labels in enumerate(kmeans_solutions(vectors @ vectors.T, len(vectors)), start=1):
        assert set(labels.tolist()) == set(range(k))
        sums = np.array([vectors[labels == label].sum(axis=0) for label in range(k)])
        fits = vectors @ (sums / np.linalg.norm(sums, axis=1, keepdims=True)).T
        shared = np.bincount(labels)[labels] > 1
        own = fits[np.arange(len(vectors)), labels]
        assert (own[shared] >= fits.max(axis=1)[shared] - 1e-6).all()


def test_criterion_is_h2_from_the_vectors() -> None:
    vectors = unit_vectors(3)
    labels = np.arange(len(vectors)) % 4
    sums = [vectors[labels == label].sum(axis=0) for label in range(4)]
    within = sum(np.linalg.norm(total) for total in sums)
    between = sum(6 * (total @ vectors.sum(axis=0)) / np.linalg.norm(total) for total in sums)
    assert criterion(vectors @ vectors.T, labels) == pytest.approx(within / between)


def test_pk1_by_hand() -> None:
    # Mean 3, deviation sqrt(2): scores -1.41, -0.71, 0, 0.71, 1.41. Above 1 first at k = 5.
    assert pk1_choice([1, 2, 3, 4, 5], threshold=1) == 4
    assert pk1_choice([1, 2, 3, 4, 5], threshold=0.5) == 3
    assert pk1_choice([1, 2, 3, 4, 5], threshold=2) == 5
    assert pk1_choice([5, 1, 1, 1], threshold=1) == 1
    assert pk1_choice([2, 2, 2]) == 1


def test_headlines_without_weight_are_alone() -> None:
    similarities = np.zeros((5, 5))
    similarities[np.ix_([0, 2, 3], [0, 2, 3])] = 1
    assert Groupings(similarities).at() == [[0, 2, 3], [1], [4]]
    assert Groupings(np.zeros((0, 0))).at() == []


def test_more_groups_than_headlines_are_refused() -> None:
    with pytest.raises(ValueError, match="2 headlines cannot make 3 groups"):
        kmeans_solutions(np.eye(2), 3)
