import numpy as np
import pytest

from paragold.agreement.coefficients import (
    NOTHING_SHARED,
    ONE_LABEL_ONLY,
    krippendorff_alpha,
    observed_agreement,
)
from paragold.agreement.estimates import Estimate, cohen_estimate, estimates, observed_estimate

BINARY = ("y", "n")
UNITS = [["y", "y"]] * 20 + [["y", "n"]] * 5 + [["n", "y"]] * 10 + [["n", "n"]] * 15
TABLE = np.array([[20, 5], [10, 15]])


def test_values_are_those_of_the_exact_coefficients():
    found = estimates(UNITS, BINARY)
    assert list(found) == ["observed", "fleiss_kappa", "alpha_nominal"]
    assert found["observed"].value == pytest.approx(observed_agreement(UNITS).value)
    assert found["alpha_nominal"].value == pytest.approx(krippendorff_alpha(UNITS).value)
    assert {estimate.items for estimate in found.values()} == {50}


def test_three_labels_have_an_ordinal_alpha():
    assert "alpha_ordinal" in estimates([["a", "b"], ["c", "c"]], "abc")


def test_fleiss_kappa_rests_on_items_with_the_usual_number_of_labels():
    found = estimates([["y", "n"], ["n", "n"], ["y", "y", "y"]], BINARY)
    assert found["fleiss_kappa"].items == 2
    assert found["observed"].items == 3


def test_the_interval_is_that_of_drawing_items():
    # The observed agreement of 50 items of which 35 agree: the share of a binomial(50, 0.7) over 50.
    found = estimates(UNITS, BINARY, resamples=20_000)["observed"]
    assert found.low == pytest.approx(0.56, abs=0.011)
    assert found.high == pytest.approx(0.82, abs=0.011)


def test_the_interval_of_alpha_is_that_of_a_bootstrap_item_by_item():
    generator = np.random.default_rng(7)
    values = []
    for _ in range(400):
        drawn = [UNITS[index] for index in generator.integers(len(UNITS), size=len(UNITS))]
        values.append(krippendorff_alpha(drawn).value)
    found = estimates(UNITS, BINARY, resamples=5_000)["alpha_nominal"]
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(values, (2.5, 97.5))), abs=0.05)


def test_the_seed_decides():
    assert estimates(UNITS, BINARY, seed=3) == estimates(UNITS, BINARY, seed=3)
    assert estimates(UNITS, BINARY, seed=3) != estimates(UNITS, BINARY, seed=4)


def test_cohen_and_observed_of_two():
    kappa, share = cohen_estimate(TABLE), observed_estimate(TABLE)
    assert (kappa.value, kappa.items) == (pytest.approx(0.4), 50)
    assert kappa.low < 0.4 < kappa.high
    assert (share.value, share.items) == (pytest.approx(0.7), 50)


def test_undefined_says_why():
    assert cohen_estimate(np.zeros((2, 2), dtype=int)) == Estimate(None, 0, undefined_because=NOTHING_SHARED)
    assert cohen_estimate(np.diag([4, 0])) == Estimate(None, 4, undefined_because=ONE_LABEL_ONLY)
    found = estimates([["y", None]], BINARY)
    assert found["alpha_nominal"] == Estimate(None, 0, undefined_because=NOTHING_SHARED)
    assert estimates([["y", "y"]], BINARY)["fleiss_kappa"].undefined_because == ONE_LABEL_ONLY


def test_one_item_has_a_value_and_no_interval():
    assert estimates([["y", "n"]], BINARY)["observed"] == Estimate(0.0, 1)
