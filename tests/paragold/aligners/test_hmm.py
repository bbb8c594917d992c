import numpy as np
import pytest

from paragold.aligners import hmm
from tests.paragold.aligners.reference import jump_probability, summed

UNIFORM = 0.2
NULL = 0.15


def toy(seed, length, positions):
    rng = np.random.default_rng(seed)
    emission = rng.random((length, positions))
    emission[rng.random((length, positions)) < 0.2] = 1e-9
    return emission, rng.random(length), rng.random(hmm.JUMPS) + 0.05


@pytest.mark.parametrize(
    ("seed", "length", "positions"), [(1, 1, 1), (2, 4, 3), (3, 3, 4), (4, 5, 2), (5, 2, 1)]
)
def test_equals_the_sum_over_all_alignments(seed, length, positions):
    emission, null_emission, jumps = toy(seed, length, positions)
    moves = hmm.transitions(jumps, positions, UNIFORM)
    counts = np.zeros(hmm.JUMPS)
    links, nulls, likelihood = hmm.forward_backward(emission, null_emission, moves, NULL, 0.0, counts)

    expected = summed(
        emission.tolist(),
        null_emission.tolist(),
        NULL,
        lambda last, i: jump_probability(jumps, hmm.FARTHEST_JUMP, last, i, positions, UNIFORM),
    )
    expected_links, expected_nulls, expected_jumps, expected_likelihood, likeliest = expected
    assert likelihood == pytest.approx(expected_likelihood)
    for j in range(length):
        assert nulls[j] == pytest.approx(expected_nulls[j])
        for i in range(positions):
            assert links[j, i] == pytest.approx(expected_links[j, i], abs=1e-12)
    for jump in range(-hmm.FARTHEST_JUMP, hmm.FARTHEST_JUMP + 1):
        assert counts[jump + hmm.FARTHEST_JUMP] == pytest.approx(expected_jumps[jump], abs=1e-12)
    path = hmm.viterbi(emission, null_emission, moves, NULL)
    assert [None if i < 0 else i for i in path] == list(likeliest)


def test_transitions_are_probabilities():
    moves = hmm.transitions(hmm.first_jumps(), 130, UNIFORM)
    assert moves.shape == (131, 130)
    assert moves.sum(axis=1) == pytest.approx(1)
    # From the start and from anywhere else, the next word is the likeliest.
    assert moves[130].argmax() == 0
    assert all(moves[k].argmax() == k + 1 for k in range(129))


def test_pruning_changes_little():
    emission, null_emission, jumps = toy(7, 12, 12)
    moves = hmm.transitions(jumps, 12, UNIFORM)
    exact, pruned = (
        hmm.forward_backward(emission, null_emission, moves, NULL, prune, np.zeros(hmm.JUMPS))[0]
        for prune in (0.0, 1e-5)
    )
    assert np.abs(exact - pruned).max() < 1e-3
