import itertools

import numpy as np
import pytest

from paragold import parallel
from paragold.aligners import cooccurrences, expectation_maximisation
from paragold.aligners.aligner import TrainingParameters
from paragold.aligners.expectation_maximisation import LINKS_UNIT, SET_ASIDE
from paragold.aligners.relations import Relations
from paragold.aligners.training import Training, train
from paragold.formats.model_files import content_hash

NOTHING = Relations(None, None, spelling=False)
PLAIN = {"identical": 0.0, "prune": 0.0}
PAIRS = [
    (source.split(), target.split())
    for source, target in [
        ("das haus", "the house"),
        ("das buch", "the book"),
        ("ein buch", "a book"),
        ("ein altes haus", "an old house"),
        ("das alte buch ist hier", "the old book is here"),
    ]
]


# With one table for both directions their sum never falls; the HMM goes on from IBM 1.
@pytest.mark.parametrize(
    ("one_language", "ibm1", "hmm", "falls"), [(False, 12, 0, 1e-9), (True, 12, 0, 1e-9), (False, 3, 6, 1e-6)]
)
def test_the_likelihood_never_falls(one_language, ibm1, hmm, falls):
    iterations = {"ibm1_iterations": ibm1, "hmm_iterations": hmm, "uniform": 0.0}
    parameters = TrainingParameters(**PLAIN, **iterations, one_language=one_language)
    steps = train(PAIRS, parameters, NOTHING).state.iterations
    assert [step["model"] for step in steps] == ["ibm1"] * ibm1 + ["hmm"] * hmm
    last = [(step["forward"], step["backward"]) for step in steps if step["model"] == steps[-1]["model"]]
    for values in [map(sum, last)] if one_language else zip(*last, strict=True):
        assert all(after >= before - falls for before, after in itertools.pairwise(values))


def test_shared_tables_are_the_same_from_either_side():
    swapped = [(target, source) for source, target in PAIRS]
    parameters = TrainingParameters(prune=0.0)
    one, other = train(PAIRS, parameters, NOTHING), train(swapped, parameters, NOTHING)
    (result,) = one.posteriors(PAIRS[4:])
    (turned,) = other.posteriors(swapped[4:])
    assert result.forward == pytest.approx(turned.backward.T, rel=1e-4, abs=1e-9)
    assert np.array_equal(*one.state.jumps)


@pytest.mark.parametrize("one_language", [True, False])
def test_any_number_of_cores_gives_the_same_bytes(monkeypatch, one_language):
    rng = np.random.default_rng(1)
    pairs = [
        tuple([f"w{n}" for n in rng.zipf(1.5, size=rng.integers(1, 9)) % 40] for _ in range(2))
        for _ in range(60)
    ]
    monkeypatch.setattr(cooccurrences, "CELLS_AT_ONCE", 200)
    result = []
    for cores in (1, 2, 5):
        monkeypatch.setattr(parallel, "cores", lambda cores=cores: cores)
        monkeypatch.setattr(expectation_maximisation, "cores", lambda cores=cores: cores)
        model = train(pairs, TrainingParameters(one_language=one_language), NOTHING)
        numbers, description = model.contents()
        result.append(content_hash(numbers, description))
    assert len(set(result)) == 1


@pytest.fixture
def pairs():
    rng = np.random.default_rng(5)
    return [
        tuple([f"w{n}" for n in rng.zipf(1.4, size=rng.integers(1, 12)) % 60] for _ in range(2))
        for _ in range(90)
    ]


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
    (one, jumps, likelihoods), (many, *sums) = (step.counts(state, ibm1=False) for step in (once, often))
    assert (jumps * 100_000 == sums[0]).all() and (likelihoods * 100_000 == sums[1]).all()
    assert (one.null_forward * 100_000 == many.null_forward).all()
    assert many.forward.max() > 1_000 * SET_ASIDE * LINKS_UNIT
    assert many.forward == pytest.approx(one.forward * 100_000.0, rel=1e-7)
    assert many.backward == pytest.approx(one.backward * 100_000.0, rel=1e-7)
