import json
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from paragold.aligners.adaptation import FILE, WITH_ENCODER, Priors, adapt, english, loads
from paragold.aligners.aligner import transfer_in_words
from paragold.aligners.best import BestAligner, BestSpec
from paragold.aligners.evidence_sources import CONTEXT
from paragold.aligners.link_classifier import Fitting, fit, mean_of
from paragold.aligners.registry import aligner_of
from paragold.metrics.links import Links
from paragold.problems import FileProblem
from scripts.starting_point import SOURCES, description, dumps, learn, read_sets
from tests.paragold.aligners.test_best import GOLD, PAIRS, error_rate
from tests.paragold.aligners.test_link_classifier import PAIRS as OF_DIAGONAL, diagonal, pair

MINILM = "encoder-53aa51172d142c89-layer-3"


@pytest.mark.parametrize(
    ("file", "encoder"), [(FILE, ""), (FILE, "encoder-of-others"), (WITH_ENCODER, MINILM)]
)
def test_the_file_is_read_as_it_was_written(file, encoder):
    classifier, content = english(encoder)
    assert content == json.loads(file.read_text("utf-8"))
    assert dumps(classifier, content["sources"], content["parameters"]) == file.read_text("utf-8")
    assert {one["name"] for one in content["sources"]} == set(SOURCES)
    assert classifier.weighs(CONTEXT) == (file == WITH_ENCODER)


@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text.replace('"thresholds": [\n   0.4', '"thresholds": [\n   0.5'),
        lambda text: text[:-10],
    ],
)
def test_a_file_changed_by_hand_or_of_other_features_is_refused(changed, monkeypatch):
    text = FILE.read_text("utf-8")
    assert changed(text) != text
    with pytest.raises(FileProblem, match="changed"):
        loads(changed(text))
    monkeypatch.setattr("paragold.aligners.adaptation.FEATURES", ("one", "two"))
    with pytest.raises(FileProblem, match="another set of link features"):
        loads(text)


def test_it_is_the_default_for_english_alone():
    signatures = {
        name: BestAligner(BestSpec(**settings)).fit(PAIRS).signature
        for name, settings in {
            "default": {},
            "none": {"starting_point": "none"},
            "german": {"stemmer": "german"},
            "two languages": {"one_language": False},
        }.items()
    }
    assert f"|starting-point:{english()[1]['signature']}|" in signatures.pop("default")
    assert not any("starting-point" in signature for signature in signatures.values())
    assert all("|rules:" in signature for signature in signatures.values())
    assert "starting_point" not in BestAligner().without_effect("en")
    assert "English" in BestAligner().without_effect("nl")["starting_point"]
    assert BestAligner().settings_for("nl")["starting_point"] == "none"


@pytest.fixture(scope="module")
def learned():
    return fit(OF_DIAGONAL, [diagonal()] * len(OF_DIAGONAL), strength=0.3)


def own_pairs(number):
    return [pair() for _ in range(number)], [diagonal()] * number


def other_pairs(name, number=40, *, turned=False):
    """Pairs of the same convention, or of another one: everything but the diagonal is linked."""
    candidates, links = own_pairs(number)
    if turned:
        cells = [(i, j) for i in range(4) for j in range(4) if i != j]
        links = [Links.of(cells)] * number
    return name, candidates, links


def test_other_gold_of_the_same_convention_helps_and_that_of_another_is_left_out():
    candidates, gold = own_pairs(24)
    good, bad = other_pairs("news"), other_pairs("jokes", turned=True)
    alone, nothing = adapt(Priors(None), candidates, gold)
    assert nothing == []
    with_good, transfers = adapt(Priors(None, [bad, good]), candidates, gold)
    assert [(one["gold"], one["helps"]) for one in transfers] == [("jokes", False), ("news", True)]
    assert transfer_in_words(transfers[1]).startswith("Learned elsewhere, gold links of news: helps (AER ")
    assert "jokes: left out (AER" in transfer_in_words(transfers[0])
    assert not np.array_equal(with_good.second.weights, alone.second.weights)
    few, (transfer,) = adapt(Priors(None, [good]), candidates[:8], gold[:8])
    assert not transfer["helps"]
    assert np.array_equal(few.second.weights, fit(candidates[:8], gold[:8]).second.weights)
    with_bad, (transfer,) = adapt(Priors(None, [bad]), candidates, gold)
    assert transfer["aer"] > transfer["aer_alone"]
    assert np.array_equal(with_bad.second.weights, alone.second.weights)


def test_other_gold_is_learned_without_the_sentences_of_the_own(monkeypatch):
    linked = []

    def watched(priors, candidates, gold, *, seed):
        linked.extend(len(candidates) for _, candidates, _ in priors.others)
        return adapt(priors, candidates, gold, seed=seed)

    monkeypatch.setattr("paragold.aligners.training.adapt", watched)
    fresh = [replace(one, source=("New", *one.source), target=("New", *one.target)) for one in GOLD]
    other = {"same": GOLD, "half": [*GOLD[:3], *fresh[3:]]}
    trained = BestAligner(starting_point="none").fit(PAIRS, gold=GOLD, other_gold=other)
    assert linked == [3]
    assert [one["gold"] for one in trained.transfers] == ["half"]
    assert ("|other-gold,prior:" in trained.signature) == trained.transfers[0]["helps"]
    with pytest.raises(ValueError, match="no use for"):
        aligner_of({"aligner": "hmm"}).fit(PAIRS, other_gold=other)


def test_strength_importance_and_more_pairs_than_decide(learned, monkeypatch):
    candidates, gold = own_pairs(30)
    few = candidates[:10], gold[:10]
    # A strong prior keeps its weights and a weak one lets them go; importance counts as often as it says.
    near, far = (fit(*few, strength=s, prior=learned).first.weights for s in (1e-9, 1.0))
    assert near == pytest.approx(learned.first.weights, abs=1e-4)
    assert np.abs(far - learned.first.weights).max() > 0.01
    twice, _ = Fitting(*few, importance=[2] * 10).fit(0.3, None)
    assert twice.first.weights == pytest.approx(fit(*few, strength=0.6).first.weights)
    monkeypatch.setattr("paragold.aligners.adaptation.MAX_PAIRS", 20)
    classifier, (transfer,) = adapt(Priors(learned), candidates, gold)
    assert transfer["pairs"] == 20
    if transfer["variance"]:
        expected = fit(candidates, gold, strength=transfer["variance"], prior=learned)
        assert np.array_equal(classifier.second.weights, expected.second.weights)


def test_means_of_classifiers_have_the_means_of_their_log_odds(learned):
    candidates, gold = own_pairs(10)
    other = fit(candidates, gold, without=["rivals"])
    mean = mean_of([learned, other], np.array([0.25, 0.75]), (0.5, 0.6))
    odds = [
        one.first.contributions(candidates[0].features).sum(axis=1) + one.first.bias
        for one in (learned, other, mean)
    ]
    assert odds[2] == pytest.approx(0.25 * odds[0] + 0.75 * odds[1])
    assert mean.thresholds == (0.5, 0.6)


@pytest.mark.real_data
def test_the_file_names_the_data_that_it_was_made_of(alignment_data):
    data = alignment_data.parent
    sources = english()[1]["sources"]
    assert sources == description(data, read_sets(data))
    for source in sources:
        for name, digest in source["files"].items():
            (path,) = data.glob(f"*/{name}")
            assert sha256(path.read_bytes()).hexdigest() == digest


@pytest.mark.real_data
def test_learning_again_gives_equal_bytes_and_fewer_errors_than_the_rules(alignment_data):
    """A part of the data: all of it takes a minute and more."""
    sets = {name: gold[:40] for name, gold in read_sets(alignment_data.parent).items()}
    left_out = sets.pop("Edinburgh++ train")
    first, second = (dumps(learn(sets).classifier, [], {}) for _ in range(2))
    assert first == second
    pairs = [one.tokens for one in left_out]
    aligner = BestAligner().fit(pairs)
    rules = BestAligner(starting_point="none").with_model(aligner.model)
    start = aligner.with_model(aligner.model, loads(first)[0])
    assert error_rate(start.align_all(pairs), left_out) < error_rate(rules.align_all(pairs), left_out)
