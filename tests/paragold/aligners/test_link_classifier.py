import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from paragold.aligners.evidence import NAMES, Evidence
from paragold.aligners.explanations import FREE_WORD_RULES, links_by_rules
from paragold.aligners.link_classifier import fit, fit_regression, labels
from paragold.aligners.relations import IDENTICAL, STEM, SYNONYM
from paragold.aligners.translation_model import Posteriors
from paragold.metrics.links import Links
from scripts.starting_point import fit_pooled


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


def test_learns_what_the_gold_links_have_in_common_and_counts_possible_ones_half(classifier):
    fresh = [pair() for _ in range(20)]
    links = [link for candidates in fresh for link in classifier.links(candidates)]
    right = sum(i == j for i, j in links)
    assert right >= 75
    assert len(links) - right <= 8
    candidates = pair(2)
    assert labels(candidates, Links.of([(0, 0)], [(1, 1)])).tolist() == [1, 0, 0, 0.5]


def test_sets_with_other_shares_of_links_teach_the_same_weights():
    rng = np.random.default_rng(1)
    sets, features, answers = [], [], []
    for number in [0, 1] * 40:
        rows = rng.normal(size=(50, 3))
        rows[:, 2] = rows[:, 2] > 0
        odds = 2 * rows[:, 0] + (1.5 if number else -1.5) + (1 if number else 2) * rows[:, 2]
        sets.append(number)
        features.append(rows)
        answers.append((rng.random(50) < 1 / (1 + np.exp(-odds))).astype(float))
    ignored = np.array([False, True, False])
    result = fit_pooled(features, answers, 10.0, ignored, sets, [2], importance=[1.0] * 80)
    assert result.weights / result.scale == pytest.approx([2, 0, 1.5], abs=0.3)
    assert result.bias - result.mean @ (result.weights / result.scale) == pytest.approx(0, abs=0.3)
    again = fit_pooled(features, answers, 10.0, ignored, sets, [2], importance=[1.0] * 80, near=result)
    assert again.weights == pytest.approx(result.weights, abs=1e-6)


@pytest.mark.parametrize(
    ("average", "kinds", "spelling", "links"),
    [
        ([[0.7, 0.65], [0.6, 0.1]], 0, 0, [(0, 0), (0, 1)]),
        # Free words are linked where they have one stem, or are spelled alike.
        ([[0.7, 0.0], [0.0, 0.4]], 0, 0, [(0, 0)]),
        ([[0.7, 0.0], [0.0, 0.4]], [[0, 0], [0, STEM]], 0, [(0, 0), (1, 1)]),
        ([[0.7, 0.0], [0.0, 0.4]], 0, [[0, 0], [0, 0.8]], [(0, 0), (1, 1)]),
        # Words that are linked stay as they are; of two partners the likelier is taken.
        ([[0.7, 0.4], [0.0, 0.0]], [[0, STEM], [0, 0]], 0, [(0, 0)]),
        ([[0.35, 0.4], [0.0, 0.0]], [[STEM, STEM], [0, 0]], 0, [(0, 1)]),
        # Sentences of unequal length: 0-0 is no more than likely; 2-0 is below the least posterior.
        ([[0.9, 0.0], [0.0, 0.5], [0.2, 0.0]], [[0, 0], [0, IDENTICAL], [IDENTICAL, 0]], 0, [(1, 1)]),
        # Related words in them need a high posterior.
        ([[0.92, 0, 0, 0]], [[SYNONYM, 0, 0, 0]], 0, [(0, 0)]),
        ([[0.88, 0, 0, 0]], [[SYNONYM, 0, 0, 0]], 0, []),
        (np.zeros((0, 1)), 0, 0, []),
    ],
)
def test_rules_for_free_words(average, kinds, spelling, links):
    average = np.array(average, dtype=float)
    kinds = np.zeros(average.shape, dtype=np.uint8) + np.array(kinds, dtype=np.uint8)
    spelling = np.zeros(average.shape, dtype=np.float32) + np.array(spelling, dtype=np.float32)
    words = [
        [f"{side}{number}" for number in range(size)] for side, size in zip("ab", average.shape, strict=True)
    ]
    rules = {**FREE_WORD_RULES, "minimum": 0.3}
    found = Posteriors(average, average, kinds, spelling, average)
    assert links_by_rules(*words, found, rules) == links
    if SYNONYM in kinds:
        assert links_by_rules(*words, found, {**FREE_WORD_RULES, "meaning": 1.1}) == []
