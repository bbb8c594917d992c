import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.agreement.estimates import (
    NOTHING_SHARED,
    Estimate,
    agreement_of_labels,
    estimates,
)
from tests.paragold.agreement.reference import cohen_kappa, krippendorff_alpha, observed_agreement

LABELS = st.sampled_from(["paraphrase", "partial", "unrelated", None])
TABLES = st.integers(1, 4).flatmap(
    lambda annotators: st.lists(st.lists(LABELS, min_size=annotators, max_size=annotators), max_size=8)
)


@given(TABLES)
def test_what_the_library_gives_is_what_the_definitions_give(units):
    result = agreement_of_labels([dict(enumerate(unit)) for unit in units])
    expected = {"observed": observed_agreement(units), "krippendorff_alpha": krippendorff_alpha(units)}
    if units and len(units[0]) == 2:
        expected["cohen_kappa"] = cohen_kappa(*zip(*units, strict=True))
    assert list(result) == list(expected)
    for name, exact in expected.items():
        value = None if exact.value is None else pytest.approx(exact.value, abs=1e-12)
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
