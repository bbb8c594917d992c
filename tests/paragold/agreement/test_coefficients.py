from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.agreement.estimates import (
    NOTHING_SHARED,
    ONE_LABEL_ONLY,
    Estimate,
    agreement_of_labels,
    estimates,
)
from tests.paragold.agreement.reference import cohen_kappa, krippendorff_alpha, observed_agreement

LABELS = st.sampled_from(["paraphrase", "partial", "unrelated", None])
TABLES = st.integers(1, 4).flatmap(
    lambda annotators: st.lists(st.lists(LABELS, min_size=annotators, max_size=annotators), max_size=8)
)

# 50 items: both yes 20, yes / no 5, no / yes 10, both no 15.
TWO_BY_TWO = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15


def columns(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


def test_observed_agreement_of_two():
    assert observed_agreement(TWO_BY_TWO) == Estimate(0.7, 50)


def test_observed_agreement_of_three_is_the_mean_share_of_agreeing_pairs():
    # 1 of 3 pairs agrees, then 3 of 3; the third item has one label only and is left out.
    result = observed_agreement([["y", "y", "n"], ["n", "n", "n"], ["y", None, None]])
    assert result.value == pytest.approx((1 / 3 + 1) / 2)
    assert result.items == 2


def test_kappa_by_hand():
    # po = 35/50 = 0.7; first says y 25/50, second 30/50: pe = 0.5 * 0.6 + 0.5 * 0.4 = 0.5; (0.7 - 0.5) / 0.5.
    assert cohen_kappa(*columns(TWO_BY_TWO)) == Estimate(pytest.approx(0.4), 50)


def test_kappa_of_full_agreement_disagreement_and_chance():
    assert cohen_kappa(["y", "n"], ["y", "n"]).value == 1
    assert cohen_kappa(["y", "n"], ["n", "y"]).value == -1
    assert cohen_kappa(["y", "y", "n", "n"], ["y", "n", "y", "n"]).value == 0


def test_kappa_leaves_out_items_with_one_label():
    assert cohen_kappa(["y", "n", None, "y"], ["y", "n", "y", None]) == Estimate(1.0, 2)


def test_kappa_is_undefined_when_both_gave_one_label_only():
    assert cohen_kappa(["y", "y"], ["y", "y"]) == Estimate(None, 2, ONE_LABEL_ONLY)


def test_kappa_is_zero_when_one_of_them_gave_one_label_only():
    assert cohen_kappa(["y", "y"], ["y", "n"]).value == 0


def test_kappa_refuses_unequal_lengths():
    with pytest.raises(ValueError, match="2 labels of one annotator, but 1 of the other"):
        cohen_kappa(["y", "n"], ["y"])


def test_alpha_by_hand():
    # Units (a, a), (a, b), (b, b): n = 6, observed 2 / (2 - 1) = 2, expected 36 - 9 - 9 = 18.
    # alpha = 1 - (6 - 1) * 2 / 18 = 4 / 9.
    result = krippendorff_alpha([["a", "a"], ["a", "b"], ["b", "b"]])
    assert result == Estimate(pytest.approx(4 / 9), 3)


def test_alpha_of_the_published_example_with_missing_labels():
    # Krippendorff (2011), section C: four observers, twelve units, the last with one label.
    observers = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    units = [[None if label == "." else label for label in unit] for unit in zip(*observers, strict=True)]
    result = krippendorff_alpha(units)
    assert round(result.value, 3) == 0.743
    assert result.items == 11


def test_alpha_is_undefined_for_one_label():
    assert krippendorff_alpha([["y", "y"], ["y", None], ["n", None]]) == Estimate(None, 1, ONE_LABEL_ONLY)


@pytest.mark.parametrize("units", [[], [["y", None]], [[None, None]], [["y"], ["n"]]])
def test_nothing_shared_is_said(units):
    for coefficient in (observed_agreement, krippendorff_alpha):
        assert coefficient(units) == Estimate(None, 0, NOTHING_SHARED)


def test_kappa_says_when_nothing_is_shared():
    assert cohen_kappa(["y", None], [None, "n"]) == Estimate(None, 0, NOTHING_SHARED)


@given(TABLES)
def test_alpha_equals_its_definition_by_coincidence_matrix(units):
    coincidences = Counter()
    for unit in units:
        labels = [label for label in unit if label is not None]
        for pair in permutations(labels, 2):
            coincidences[pair] += Fraction(1, len(labels) - 1)
    totals = Counter()
    for (label, _), weight in coincidences.items():
        totals[label] += weight
    n = sum(totals.values())
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b)
    result = krippendorff_alpha(units)
    if not expected:
        assert result.value is None
    else:
        observed = sum(weight for (a, b), weight in coincidences.items() if a != b)
        assert result.value == pytest.approx(float(1 - (n - 1) * observed / expected))


@given(TABLES)
def test_values_stay_in_range_and_do_not_depend_on_order(units):
    observed, alpha = observed_agreement(units), krippendorff_alpha(units)
    assert observed.value is None or 0 <= observed.value <= 1
    assert alpha.value is None or alpha.value <= 1
    assert (observed.value is None) == bool(observed.undefined_because)
    assert (alpha.value is None) == bool(alpha.undefined_because)
    turned = [unit[::-1] for unit in units[::-1]]
    assert krippendorff_alpha(turned).value == (alpha.value and pytest.approx(alpha.value))


@given(TABLES)
def test_what_the_library_gives_is_what_the_definitions_give(units):
    result = agreement_of_labels([dict(enumerate(unit)) for unit in units])
    expected = {"observed": observed_agreement(units), "krippendorff_alpha": krippendorff_alpha(units)}
    if units and len(units[0]) == 2:
        expected["cohen_kappa"] = cohen_kappa(*columns(units))
    assert list(result) == list(expected)
    for name, exact in expected.items():
        value = exact.value and pytest.approx(exact.value, abs=1e-12)
        assert result[name] == Estimate(value, exact.items, exact.undefined_because)


def test_one_annotator_alone_and_a_label_that_is_missing():
    assert agreement_of_labels([{1: "y"}, {1: "y", 2: None}])["cohen_kappa"].items == 0
    assert agreement_of_labels([])["observed"] == Estimate(None, 0, NOTHING_SHARED)


def test_intervals_are_those_of_the_estimates() -> None:
    labels = [("y", "y"), ("n", "n"), ("y", "n"), ("n", "n"), ("y", "y"), ("n", "y"), ("y", "y")]
    bounds = agreement_of_labels([dict(enumerate(unit)) for unit in labels], resamples=200)
    exact = estimates(labels, ["n", "y"], resamples=200)
    for name, other in (("observed", "observed"), ("krippendorff_alpha", "alpha_nominal")):
        assert (bounds[name].low, bounds[name].high) == (exact[other].low, exact[other].high)
        assert bounds[name].low < bounds[name].value < bounds[name].high
    assert agreement_of_labels([dict(enumerate(unit)) for unit in labels])["observed"].low is None
