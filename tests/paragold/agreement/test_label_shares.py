import pytest

from paragold.agreement.label_shares import LabelShare, label_shares


def test_shares_by_group():
    found = label_shares([("L12", "y"), ("F2", "n"), ("L12", "n"), ("L12", "y")], ("y", "n"))
    assert found == {
        "L12": {"y": LabelShare(2, 3), "n": LabelShare(1, 3)},
        "F2": {"y": LabelShare(0, 1), "n": LabelShare(1, 1)},
    }
    assert found["L12"]["y"].value == pytest.approx(2 / 3)


def test_no_pairs_have_no_share():
    assert (LabelShare(0, 0).value, LabelShare(0, 0).interval) == (None, None)
