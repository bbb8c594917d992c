"""A training text has equal counts in whatever order its pairs are given, and exact ones."""

import numpy as np
import pytest

from paragold.aligners.expectation_maximisation import LINKS_UNIT, SET_ASIDE
from paragold.aligners.parameters import TrainingParameters
from paragold.aligners.relations import Relations
from paragold.aligners.training import Training, train
from paragold.formats.model_files import content_hash
from paragold.text.stemming import Stemmer


@pytest.fixture
def pairs():
    rng = np.random.default_rng(5)
    return [
        tuple([f"w{n}" for n in rng.zipf(1.4, size=rng.integers(1, 12)) % 60] for _ in range(2))
        for _ in range(90)
    ]


def test_the_order_of_the_pairs_has_no_effect(pairs):
    relations = Relations(Stemmer("english"), None, spelling=True)
    parameters = TrainingParameters(stem=5.0, spelling=3.0, lexicon=True)
    models = [train(text, parameters, relations) for text in (pairs, pairs[::-1])]
    assert len({content_hash(*model.contents()) for model in models}) == 1
    assert models[0].source_vocabulary.words == sorted(models[0].source_vocabulary.words)


def whole(counts):
    """Both counts of every entry in 64 bits."""
    both = counts.forward.astype(np.int64), counts.backward.astype(np.int64)
    for own, (entries, times) in zip(both, counts.carries(), strict=True):
        own[entries] += times * SET_ASIDE
    return both


def test_large_counts_are_exact_sums():
    # 100,000 equal pairs: counts far above what is set aside.
    once, often = (
        Training(
            [(["a", "b"], ["b", "c"])] * copies,
            TrainingParameters(lexicon=False),
            Relations(None, None, spelling=False),
        )
        for copies in (1, 100_000)
    )
    state = once.start()
    counts = [training.text.counts(state.tables, state.jumps, model="hmm") for training in (once, often)]
    for one, many in zip(whole(counts[0]), whole(counts[1]), strict=True):
        assert (one * 100_000 == many).all()
    assert (counts[0].jumps * 100_000 == counts[1].jumps).all()
    assert (counts[0].null_forward * 100_000 == counts[1].null_forward).all()
    assert len(counts[1].carried) > 1_000
    expected = whole(counts[1])[0] * LINKS_UNIT
    assert counts[1].tables().forward == pytest.approx(expected, rel=1e-7)
