import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from paragold.aligners.logistic_regression import fit_regression


def test_weights_are_those_of_another_implementation():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, 6)) * [1, 5, 0.1, 2, 1, 1] + 3
    soft = rng.choice([0, 0.5, 1], size=300) * (rows[:, 0] + rng.normal(size=300) > 3)
    ignored = np.array([False] * 5 + [True])
    found = fit_regression([rows[:100], rows[100:]], [soft[:100], soft[100:]], 0.3, ignored)
    scaled = (rows - rows.mean(axis=0))[:, :5] / rows.std(axis=0)[:5]
    # A half counts half as one and half as the other.
    other = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000).fit(
        np.vstack([scaled, scaled]), np.repeat([1, 0], 300), sample_weight=np.concatenate([soft, 1 - soft])
    )
    assert found.weights[:5] == pytest.approx(other.coef_[0], abs=1e-5)
    assert found.weights[5] == 0
    assert found.bias == pytest.approx(other.intercept_[0], abs=1e-5)


@pytest.mark.parametrize(("answer", "probability"), [(0.0, 0), (1.0, 1)])
def test_answers_that_are_all_alike_are_given_always(answer, probability):
    rows = np.arange(6.0).reshape(3, 2)
    found = fit_regression([rows], [np.full(3, answer)], 1.0, np.zeros(2, dtype=bool))
    assert found.probabilities(rows) == pytest.approx(probability, abs=1e-6)
