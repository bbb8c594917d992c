import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from paragold.aligners.evidence import NAMES, Evidence
from paragold.aligners.link_classifier import (
    FEATURES,
    FreeWordRules,
    LinkClassifier,
    fit,
    fit_regression,
    labels,
)
from paragold.aligners.relations import IDENTICAL, STEM, SYNONYM
from paragold.aligners.translation_model import Posteriors
from paragold.metrics.links import Links


def test_weights_are_those_of_another_implementation():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, 6)) * [1, 5, 0.1, 2, 1, 1] + 3
    soft = rng.choice([0, 0.5, 1], size=300) * (rows[:, 0] + rng.normal(size=300) > 3)
    ignored = np.array([False] * 5 + [True])
    result = fit_regression([rows[:100], rows[100:]], [soft[:100], soft[100:]], 0.3, ignored)
    scaled = (rows - rows.mean(axis=0))[:, :5] / rows.std(axis=0)[:5]
    # A half counts half as one and half as the other.
    other = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000).fit(
        np.vstack([scaled, scaled]), np.repeat([1, 0], 300), sample_weight=np.concatenate([soft, 1 - soft])
    )
    assert result.weights[:5] == pytest.approx(other.coef_[0], abs=1e-5)
    assert result.weights[5] == 0
    assert result.bias == pytest.approx(other.intercept_[0], abs=1e-5)


@pytest.mark.parametrize(("answer", "probability"), [(0.0, 0), (1.0, 1)])
def test_answers_that_are_all_alike_are_given_always(answer, probability):
    rows = np.arange(6.0).reshape(3, 2)
    result = fit_regression([rows], [np.full(3, answer)], 1.0, np.zeros(2, dtype=bool))
    assert result.probabilities(rows) == pytest.approx(probability, abs=1e-6)


rng = np.random.default_rng(1)


def pair(size=4):
    """All cells are candidates; the first feature tells the links of the diagonal, the rest is noise."""
    i, j = (index.ravel() for index in np.indices((size, size)))
    features = rng.normal(size=(size * size, len(NAMES)))
    features[:, 0] += 6 * (i == j)
    return Evidence((size, size), i, j, features)


def diagonal(size=4):
    return Links.of([(n, n) for n in range(size)])


PAIRS = [pair() for _ in range(40)]


@pytest.fixture(scope="module")
def classifier():
    return fit(PAIRS, [diagonal()] * 40, strength=0.3)


def test_learns_what_the_gold_links_have_in_common(classifier):
    fresh = [pair() for _ in range(20)]
    links = [link for candidates in fresh for link in classifier.links(candidates)]
    right = sum(i == j for i, j in links)
    assert right >= 75
    assert len(links) - right <= 8


def test_probabilities_are_those_of_the_contributions(classifier):
    features = classifier.features([PAIRS[0]])
    assert features.shape[1] == len(FEATURES)
    odds = classifier.second.contributions(features).sum(axis=1) + classifier.second.bias
    assert classifier.probabilities(PAIRS[0]) == pytest.approx(1 / (1 + np.exp(-odds)))


def test_possible_links_count_half():
    candidates = pair(2)
    assert labels(candidates, Links.of([(0, 0)], [(1, 1)])).tolist() == [1, 0, 0, 0.5]


def test_numbers_there_and_back(classifier):
    again = LinkClassifier.of_numbers(classifier.numbers())
    assert again.links(PAIRS[0]) == classifier.links(PAIRS[0])
    assert np.array_equal(again.probabilities(PAIRS[0]), classifier.probabilities(PAIRS[0]))


def test_a_feature_that_never_changes_is_no_evidence():
    flat = [
        Evidence(p.shape, p.sources, p.targets, np.where(np.arange(len(NAMES)) == 5, 1.0, p.features))
        for p in PAIRS
    ]
    classifier = fit(flat, [diagonal()] * 40, strength=0.3)
    assert (classifier.first.contributions(flat[0].features)[:, 5] == 0).all()


def test_nothing_to_learn_from():
    with pytest.raises(ValueError, match="at least two sentence pairs"):
        fit(PAIRS[:1], [diagonal()], strength=1)
    with pytest.raises(ValueError, match="nothing to learn"):
        fit(PAIRS[:2], [Links.of()] * 2, strength=1)


def posteriors(average, kinds=None, spelling=None):
    average = np.array(average, dtype=float)
    return Posteriors(
        average,
        average,
        np.zeros(average.shape, dtype=np.uint8) if kinds is None else np.array(kinds, dtype=np.uint8),
        np.zeros(average.shape, dtype=np.float32)
        if spelling is None
        else np.array(spelling, dtype=np.float32),
        average,
    )


RULES = FreeWordRules(threshold=0.6, unequal=0.75, minimum=0.3, spelling=0.75)
TWO = ["a", "b"], ["c", "d"]


def test_links_above_the_threshold_are_drawn():
    assert RULES.links(*TWO, posteriors([[0.7, 0.65], [0.6, 0.1]])) == [(0, 0), (0, 1)]


def test_free_words_of_one_stem_or_spelled_alike_are_linked():
    average = [[0.7, 0.0], [0.0, 0.4]]
    assert RULES.links(*TWO, posteriors(average)) == [(0, 0)]
    assert RULES.links(*TWO, posteriors(average, kinds=[[0, 0], [0, STEM]])) == [(0, 0), (1, 1)]
    assert RULES.links(*TWO, posteriors(average, spelling=[[0, 0], [0, 0.8]])) == [(0, 0), (1, 1)]


def test_words_that_are_linked_stay_as_they_are():
    result = posteriors([[0.7, 0.4], [0.0, 0.0]], kinds=[[0, STEM], [0, 0]])
    assert RULES.links(*TWO, result) == [(0, 0)]


def test_the_likelier_of_two_partners_is_taken():
    result = posteriors([[0.35, 0.4], [0.0, 0.0]], kinds=[[STEM, STEM], [0, 0]])
    assert RULES.links(*TWO, result) == [(0, 1)]


def test_sentences_of_unequal_length_are_linked_by_form():
    source, target = ["x", "y", "z"], ["z", "y"]
    kinds = [[0, 0], [0, IDENTICAL], [IDENTICAL, 0]]
    result = posteriors([[0.9, 0.0], [0.0, 0.5], [0.2, 0.0]], kinds)
    # 0-0 is no more than likely; 2-0 is below the least posterior.
    assert RULES.links(source, target, result) == [(1, 1)]


def test_a_sentence_without_words_has_no_links():
    assert RULES.links([], ["a"], posteriors(np.zeros((0, 1)))) == []


def test_related_words_in_unequal_sentences_need_a_high_posterior():
    source, target = ["car"], ["automobile", "in", "the", "street"]
    kinds = [[SYNONYM, 0, 0, 0]]
    assert RULES.links(source, target, posteriors([[0.92, 0, 0, 0]], kinds)) == [(0, 0)]
    assert RULES.links(source, target, posteriors([[0.88, 0, 0, 0]], kinds)) == []
    never = FreeWordRules(meaning=1.1)
    assert never.links(source, target, posteriors([[0.92, 0, 0, 0]], kinds)) == []


def test_signature_names_all_parameters():
    assert RULES.signature == "threshold=0.6,unequal=0.75,minimum=0.3,spelling=0.75,meaning=0.9"
