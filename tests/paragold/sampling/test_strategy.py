import pytest

from paragold.sampling.sampling import SIGNATURE
from paragold.sampling.strategy import DrawSpec
from paragold.spec import SpecError


def test_default_is_the_plain_draw():
    assert DrawSpec().signature() == SIGNATURE
    assert DrawSpec().settings() == {
        "by": "random", "allocation": "proportional", "per_cluster": None, "clusters": "rest", "rejected": 0,
        "again": False,
    }  # fmt: skip


def test_signature_names_all_that_decides():
    signature = DrawSpec(by="method", rejected=10).signature()
    assert [part.split("|")[0] for part in signature.split(" + ")] == ["sample", "strata", "sentence-pairs"]


@pytest.mark.parametrize(("size", "rejected"), [(10, 2), (7, 1), (8, 2), (1, 0), (0, 0)])
def test_rejected_share_is_rounded(size, rejected):
    assert DrawSpec(rejected=20).rejected_of(size) == rejected


@pytest.mark.parametrize(
    ("field", "value"),
    [("by", "taste"), ("allocation", "fair"), ("clusters", "odd"), ("per_cluster", 0), ("rejected", 101)],
)
def test_values_out_of_range_are_named(field, value):
    with pytest.raises(SpecError) as refused:
        DrawSpec(**{field: value})
    assert [name for name, _ in refused.value.problems] == [field]
