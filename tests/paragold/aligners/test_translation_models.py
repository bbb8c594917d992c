"""IBM model 1 and the HMM, beside the sum over all alignments."""

from functools import partial

import numpy as np
import pytest

from paragold.aligners import hmm
from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences
from paragold.aligners.expectation_maximisation import expected_counts
from paragold.aligners.hmm import Tables

UNIFORM = 0.2
NULL = 0.15


def toy(seed, length, positions):
    rng = np.random.default_rng(seed)
    emission = rng.random((length, positions))
    emission[rng.random((length, positions)) < 0.2] = 1e-9
    return emission, rng.random(length), rng.random(hmm.JUMPS) + 0.05


def jump_probability(jumps, positions, last, i):
    def weight(k):
        return jumps[max(-hmm.FARTHEST_JUMP, min(hmm.FARTHEST_JUMP, k - last)) + hmm.FARTHEST_JUMP]

    return UNIFORM / positions + (1 - UNIFORM) * weight(i) / sum(map(weight, range(positions)))


@pytest.mark.parametrize(
    ("seed", "length", "positions"), [(1, 1, 1), (2, 4, 3), (3, 3, 4), (4, 5, 2), (5, 2, 1)]
)
def test_equals_the_sum_over_all_alignments(seed, length, positions):
    emission, null_emission, jumps = toy(seed, length, positions)
    moves = hmm.transitions(jumps, positions, UNIFORM)
    counts = np.zeros(hmm.JUMPS)
    links, nulls, likelihood = hmm.forward_backward(emission, null_emission, moves, NULL, 0.0, counts)

    move = partial(jump_probability, jumps, positions)
    expected = hmm.plain_posteriors(emission.tolist(), null_emission.tolist(), NULL, move)
    expected_links, expected_nulls, expected_jumps, expected_likelihood, likeliest = expected
    assert likelihood == pytest.approx(expected_likelihood)
    for j in range(length):
        assert nulls[j] == pytest.approx(expected_nulls[j])
        for i in range(positions):
            assert links[j, i] == pytest.approx(expected_links[j, i], abs=1e-12)
    for jump in range(-hmm.FARTHEST_JUMP, hmm.FARTHEST_JUMP + 1):
        assert counts[jump + hmm.FARTHEST_JUMP] == pytest.approx(expected_jumps[jump], abs=1e-12)
    path = hmm.viterbi(emission, null_emission, moves, NULL)
    assert tuple(path) == tuple(likeliest)


def test_transitions_are_probabilities_and_the_likeliest_links_by_hand():
    moves = hmm.transitions(hmm.first_jumps()[0], 130, UNIFORM)
    assert moves.shape == (131, 130)
    assert moves.sum(axis=1) == pytest.approx(1)
    # From the start and from anywhere else, the next word is the likeliest.
    assert moves[130].argmax() == 0
    assert all(moves[k].argmax() == k + 1 for k in range(129))
    emission, null_emission = np.array([[0.2, 0.6], [0.0, 0.01]]), np.array([0.1, 0.4])
    # Each word has a quarter: 0.05 and 0.15 against 0.05, and 0.0025 against 0.2.
    assert hmm.ibm1_viterbi(emission, null_emission, 0.5).tolist() == [1, -1]
    assert hmm.ibm1_viterbi(np.zeros((2, 0)), null_emission, 0.5).tolist() == [-1, -1]


PAIRS = [(["a", "b", "a"], ["x", "y"]), (["b"], ["y", "x", "z"]), (["c", "a"], ["z", "z"])]


def ibm1_kernel(source, target, tables, nulls):
    return partial(hmm.compute, source, target, tables, np.zeros((0, hmm.JUMPS)), nulls, 0.0, 0.0)


def test_expected_counts_equal_the_sum_over_all_alignments():
    sources, targets = Vocabulary(), Vocabulary()
    source = Text.of((pair[0] for pair in PAIRS), sources)
    target = Text.of((pair[1] for pair in PAIRS), targets)
    entries = cooccurrences(source, target, source_words=len(sources), target_words=len(targets))
    rng = np.random.default_rng(3)
    tables = Tables(*(rng.random(n) for n in (len(entries), len(entries), len(targets), len(sources))))
    nulls = rng.random(len(PAIRS)) / 3, rng.random(len(PAIRS)) / 3
    kernel = ibm1_kernel(source, target, tables, nulls)
    counts, jumps, (forward, backward) = expected_counts(source, target, entries, tables, kernel)
    assert not jumps.any()

    words = {
        (int(a), int(b)): e for e, (a, b) in enumerate(zip(entries.sources, entries.targets, strict=True))
    }
    expected = Tables.zeros(len(entries), len(sources), len(targets))
    likelihoods = [0.0, 0.0]
    for number, (left, right) in enumerate(PAIRS):
        a, b = sources.encode(left), targets.encode(right)
        cells = [[words[i, j] for j in b] for i in a]
        transposed = [list(column) for column in zip(*cells, strict=True)]
        for direction, (grid, table, null_table, generated, total, null_total) in enumerate(
            (
                (transposed, tables.forward, tables.null_forward, b, expected.forward, expected.null_forward),
                (cells, tables.backward, tables.null_backward, a, expected.backward, expected.null_backward),
            )
        ):
            positions = len(grid[0])
            links, to_null, _, likelihood, _ = hmm.plain_posteriors(
                [[table[e] for e in row] for row in grid],
                [null_table[word] for word in generated],
                nulls[direction][number],
                lambda last, i, positions=positions: 1 / positions,
            )
            likelihoods[direction] += likelihood
            for (j, i), share in links.items():
                total[grid[j][i]] += share
            for j, share in to_null.items():
                null_total[generated[j]] += share
    for name in ("forward", "backward", "null_forward", "null_backward"):
        assert getattr(counts, name) == pytest.approx(getattr(expected, name), rel=1e-6, abs=1e-7), name
    assert (forward, backward) == pytest.approx(tuple(likelihoods), abs=1e-5)
