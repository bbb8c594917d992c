import pickle
from typing import Literal

import pytest

from paragold.spec import Spec, SpecError, param, seed_param


class Brew(Spec):
    VERSION = "3"
    method: Literal["filter", "press"] = param(
        "filter", "Method", choices={"filter": "slowly", "press": "fast"}
    )
    grams: int = param(60, "Grams", "Coffee for a litre.", ge=1, le=2000)
    heat: float = param(0.9, "Heat", gt=0, le=1)
    minutes: int = param(4, "Minutes", when={"method": ("press",)}, ge=0)
    stir: bool = param(False, "Stir")
    spices: frozenset[str] = param(frozenset({"cardamom"}), "Spices", max_length=2)
    seed: int = seed_param("Determines nothing.")


def problems(**values):
    with pytest.raises(SpecError) as error:
        Brew(**values)
    return dict(error.value.problems)


def test_values_are_read_and_every_problem_is_named():
    brew = Brew(grams="70", heat="0.5", spices=["clove"], method="press")
    assert (brew.grams, brew.heat, brew.spices, brew.method) == (70, 0.5, {"clove"}, "press")
    assert Brew.from_json(brew.as_json()) == brew
    assert brew.replace(grams=1).grams == 1
    assert pickle.loads(pickle.dumps(brew)) == brew
    assert problems(grams=0, heat=2) == {
        "grams": "Grams must be a whole number from 1 to 2,000; it is 0.",
        "heat": "Heat must be a number above 0 and at most 1; it is 2.",
    }
    assert problems(method="boil")["method"] == "Method must be one of filter, press; it is boil."
    assert "There is no parameter sugar" in problems(sugar=1)["sugar"]
    assert len(problems(grams="x" * 10_000)["grams"]) < 150
    assert problems(heat=float("nan")).keys() == problems(spices=["a", "b", "c"]).keys() ^ {"heat", "spices"}
    assert pickle.loads(pickle.dumps(SpecError([("heat", "x")]))).problems == [("heat", "x")]
