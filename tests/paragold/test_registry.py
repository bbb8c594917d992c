import copy
import logging
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from paragold.registry import NotRegisteredError, Registry
from paragold.spec import Spec, param


@dataclass(frozen=True)
class Fruit:
    id: str
    label: str
    parameters: Any = None
    weight: int = 0
    seasons: tuple[str, ...] = ()


class Ripeness(Spec):
    ripe: bool = param(False, "Ripe")


PEAR, APPLE = Fruit("pear", "A pear", Ripeness), Fruit("apple", "An apple")


MODULE = f"""
import sys
from {__name__} import Fruit, PEAR
from paragold.spec import Spec, param
plum = Fruit("plum", "A plum")
vegetable = "leek"
twin = PEAR
shouting = Fruit("PLUM", "A plum")
nameless = Fruit("quince", "")
soft = Fruit("fig", "A fig", weight="none")
timeless = Fruit("date", "A date", seasons=(4,))


class Undeclared(Spec):
    sweetness: int = 3


class OutOfRange(Spec):
    sweetness: int = param(30, "Sweetness", le=10)


class OtherKind(Spec):
    ripe: int = param(1, "Ripeness")


class Reserved(Spec):
    basket: int = param(1, "Basket")


undeclared, out_of_range, other_kind, reserved, no_spec = (
    Fruit(f"kiwi-{{number}}", "A kiwi", spec)
    for number, spec in enumerate((Undeclared, OutOfRange, OtherKind, Reserved, dict))
)


def __getattr__(name):
    if name == "leaving":
        sys.exit("No fruit today.")
    raise AttributeError(name)
"""
BROKEN = {
    "class": ("orchard_for_tests:Fruit", "is a class", "Make an object"),
    "leaving": ("orchard_for_tests:leaving", "SystemExit: No fruit today.", "uninstall"),
    "missing": ("no_such_module_for_tests:fruit", "No module named", "uninstall orchard-for-tests"),
    "out-of-range": ("orchard_for_tests:out_of_range", "declared wrongly", "paragold.spec.param"),
    "reserved": ("orchard_for_tests:reserved", "basket is used for something else", "another name"),
    "soft": ("orchard_for_tests:soft", "Its weight is 'none'", "It must be of type int"),
    "twin": ("orchard_for_tests:twin", "The id 'pear' is taken", "another id"),
    "undeclared": ("orchard_for_tests:undeclared", "sweetness is not declared with `param`", "paragold.spec"),
}


def distribute(folder, name, entries):
    distribution = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{entry} = {value}" for entry, value in entries.items()]
    (distribution / "entry_points.txt").write_text("\n".join(["[paragold.test_fruit]", *lines]))


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """A distribution with one entry point that works and many that do not."""
    (tmp_path / "orchard_for_tests.py").write_text(MODULE)
    works = {"plum": "orchard_for_tests:plum"}
    distribute(tmp_path, "orchard-for-tests", works | {name: value for name, (value, _, _) in BROKEN.items()})
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("orchard_for_tests", None)


def test_items_are_listed_in_the_order_of_their_registration():
    registry = Registry("fruit", Fruit, [PEAR, APPLE])

    assert list(registry) == [PEAR, APPLE]
    assert registry.ids() == ("pear", "apple")
    assert registry.choices() == [("pear", "A pear"), ("apple", "An apple")]
    assert len(registry) == 2
    assert "pear" in registry and "plum" not in registry
    assert registry.get("apple") is APPLE
    # A form that copies its choices shares the registry.
    assert copy.deepcopy(registry.choices)() == [("pear", "A pear"), ("apple", "An apple")]
    with pytest.raises(ValueError, match="Two fruits have the id 'pear'"):
        Registry("fruit", Fruit, [PEAR, PEAR])
    with pytest.raises(NotRegisteredError, match=r"There is no fruit 'plum'\. Available: pear, apple\."):
        registry.get("plum")
    with pytest.raises(NotRegisteredError, match=r"There is no fruit 'x{40}\.\.\.'"):
        registry.get("x" * 10_000)


def test_entry_points_add_items_with_distribution_and_version(plugins):
    registry = Registry("fruit", Fruit, [PEAR], entry_points="paragold.test_fruit", reserved=("basket",))

    assert registry.ids() == ("pear", "plum")
    plum = registry.plugin("plum")
    assert plum is not None
    assert (plum.distribution, plum.version, plum.label, plum.error) == (
        "orchard-for-tests", "1.0", "A plum", "",
    )  # fmt: skip
    assert registry.plugin("pear") is None
    assert registry.signed("plum", "fruit|v:1") == "fruit|v:1|plugin:orchard-for-tests 1.0"
    assert registry.signed("pear", "fruit|v:1") == "fruit|v:1"


def test_entry_points_that_cannot_be_used_say_why_and_what_to_do(plugins, caplog):
    registry = Registry("fruit", Fruit, [PEAR], entry_points="paragold.test_fruit", reserved=("basket",))

    with caplog.at_level(logging.WARNING):
        assert registry.ids() == ("pear", "plum")

    failures = {one.name: one for one in registry.plugins() if one.error}
    assert sorted(failures) == sorted(BROKEN)
    for name, (_, error, remedy) in BROKEN.items():
        assert error in failures[name].error
        assert remedy in failures[name].remedy
        assert failures[name].distribution == "orchard-for-tests"
    assert len(caplog.records) == len(BROKEN)
