"""A training text in shards: equal models, however it is divided and in whatever order it is counted."""

import numpy as np
import pytest

from paragold.aligners import cooccurrences, expectation_maximisation
from paragold.aligners.parameters import TrainingParameters
from paragold.aligners.relations import Relations
from paragold.aligners.training import Training, train
from paragold.formats.model_files import content_hash
from paragold.text.stemming import Stemmer

NOTHING = Relations(None, None, spelling=False)


@pytest.fixture
def pairs():
    rng = np.random.default_rng(5)
    return [
        tuple([f"w{n}" for n in rng.zipf(1.4, size=rng.integers(1, 12)) % 60] for _ in range(2))
        for _ in range(90)
    ]


def model_hash(training, orders=None):
    state = training.start()
    for number in range(training.iterations):
        state = training.advance(state, orders(number) if orders else None)
    return content_hash(*training.model(state).contents())


@pytest.mark.parametrize("lexicon", [True, False])
@pytest.mark.parametrize("one_language", [True, False])
def test_any_number_of_shards_in_any_order_gives_the_same_bytes(monkeypatch, pairs, one_language, lexicon):
    # Small numbers, so that blocks end within shards and counts are set aside.
    monkeypatch.setattr(cooccurrences, "CELLS_AT_ONCE", 300)
    parameters = TrainingParameters(one_language=one_language, lexicon=lexicon)
    rng = np.random.default_rng(2)
    hashes = {
        model_hash(
            Training(pairs, parameters, NOTHING, shards=shards),
            lambda _, n=shards: rng.permutation(n).tolist(),
        )
        for shards in (1, 2, 8, 89)
    }
    assert len(hashes) == 1


def test_more_shards_than_pairs(pairs):
    parameters = TrainingParameters()
    few = pairs[:3]
    assert model_hash(Training(few, parameters, NOTHING, shards=8)) == model_hash(
        Training(few, parameters, NOTHING)
    )


def test_the_order_of_the_pairs_has_no_effect(pairs):
    relations = Relations(Stemmer("english"), None, spelling=True)
    parameters = TrainingParameters(stem=5.0, spelling=3.0, lexicon=True)
    models = [train(text, parameters, relations) for text in (pairs, pairs[::-1])]
    assert len({content_hash(*model.contents()) for model in models}) == 1
    assert models[0].source_vocabulary.words == sorted(models[0].source_vocabulary.words)


def test_large_counts_are_exact_sums():
    # 100,000 equal pairs: counts far above what is set aside.
    once, often = (
        Training([(["a", "b"], ["b", "c"])] * copies, TrainingParameters(lexicon=False), NOTHING)
        for copies in (1, 100_000)
    )
    counts = [
        training.shards[0].counts(once.start().tables, once.start().jumps, model="hmm")
        for training in (once, often)
    ]
    for one, many in zip(counts[0].whole(), counts[1].whole(), strict=True):
        assert (one * 100_000 == many).all()
    assert (counts[0].jumps * 100_000 == counts[1].jumps).all()
    assert (counts[0].null_forward * 100_000 == counts[1].null_forward).all()
    assert len(counts[1].carried) > 1_000
    expected = counts[1].whole()[0] * expectation_maximisation.LINKS_UNIT
    assert counts[1].tables().forward == pytest.approx(expected, rel=1e-7)
