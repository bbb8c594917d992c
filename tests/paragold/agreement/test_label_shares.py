import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from paragold.agreement.label_shares import LabelShare, label_shares, wilson_interval


@given(st.integers(1, 3000).flatmap(lambda items: st.tuples(st.integers(0, items), st.just(items))))
def test_interval_equals_statsmodels(proportion):
    count, items = proportion
    assert wilson_interval(count, items) == pytest.approx(
        proportion_confint(count, items, method="wilson"), abs=1e-9
    )


def test_interval_of_the_papers_figure():
    # Dolan, Quirk & Brockett (2004), section 3.1.1: 118 of 448 F2 pairs, 26.3 %.
    low, high = wilson_interval(118, 448)
    assert (round(low, 3), round(high, 3)) == (0.225, 0.306)


def test_bounds_at_the_ends_are_exact():
    assert wilson_interval(0, 9)[0] == 0
    assert wilson_interval(9, 9)[1] == 1


@pytest.mark.parametrize(("count", "items"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_proportion_is_refused(count, items):
    with pytest.raises(ValueError, match=f"{count} of {items} is no proportion"):
        wilson_interval(count, items)


def test_shares_by_group():
    found = label_shares([("L12", "y"), ("F2", "n"), ("L12", "n"), ("L12", "y")], ("y", "n"))
    assert found == {
        "L12": {"y": LabelShare(2, 3), "n": LabelShare(1, 3)},
        "F2": {"y": LabelShare(0, 1), "n": LabelShare(1, 1)},
    }
    assert found["L12"]["y"].value == pytest.approx(2 / 3)


def test_no_pairs_have_no_share():
    assert (LabelShare(0, 0).value, LabelShare(0, 0).interval) == (None, None)
