"""A registry: what is registered, what is not, and entry points of other distributions."""

from __future__ import annotations

import copy
import logging
from dataclasses import dataclass
from pathlib import Path

import pytest

from paragold.registry import NotRegisteredError, Registry


@dataclass(frozen=True)
class Fruit:
    id: str
    label: str


PEAR, APPLE = Fruit("pear", "A pear"), Fruit("apple", "An apple")


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with one entry point that works and three that do not."""
    module = (
        f"from {__name__} import Fruit, PEAR\n"
        'plum = Fruit("plum", "A plum")\n'
        'vegetable = "leek"\n'
        "twin = PEAR\n"
    )
    (tmp_path / "orchard_for_tests.py").write_text(module)
    distribution = tmp_path / "orchard_for_tests-1.0.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: orchard-for-tests\nVersion: 1.0\n")
    (distribution / "entry_points.txt").write_text(
        "[paragold.test_fruit]\n"
        "missing = no_such_module_for_tests:fruit\n"
        "plum = orchard_for_tests:plum\n"
        "twin = orchard_for_tests:twin\n"
        "vegetable = orchard_for_tests:vegetable\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def test_items_are_listed_in_the_order_of_their_registration() -> None:
    registry = Registry("fruit", Fruit, [PEAR, APPLE])

    assert list(registry) == [PEAR, APPLE]
    assert registry.ids() == ("pear", "apple")
    assert registry.choices() == [("pear", "A pear"), ("apple", "An apple")]
    assert len(registry) == 2
    assert "pear" in registry and "plum" not in registry
    assert registry.get("apple") is APPLE


def test_an_unknown_id_is_refused_with_those_that_there_are() -> None:
    registry = Registry("fruit", Fruit, [PEAR, APPLE])

    with pytest.raises(NotRegisteredError, match=r"There is no fruit 'plum'\. Available: pear, apple\."):
        registry.get("plum")
    with pytest.raises(NotRegisteredError, match=r"There is no fruit 'x{40}\.\.\.'"):
        registry.get("x" * 10_000)


def test_an_id_is_registered_once() -> None:
    with pytest.raises(ValueError, match="Two fruits have the id 'pear'"):
        Registry("fruit", Fruit, [PEAR, PEAR])


def test_entry_points_add_items_and_a_broken_one_is_reported(
    plugins: None, caplog: pytest.LogCaptureFixture
) -> None:
    registry = Registry("fruit", Fruit, [PEAR], entry_points="paragold.test_fruit")

    with caplog.at_level(logging.WARNING):
        assert registry.ids() == ("pear", "plum")

    missing, twin, vegetable = registry.failures()
    assert "The fruit missing (no_such_module_for_tests:fruit) cannot be used" in missing
    assert "Two fruits have the id 'pear'" in twin
    assert "is not a Fruit" in vegetable
    assert [record.getMessage() for record in caplog.records] == [missing, twin, vegetable]


def test_entry_points_are_read_when_the_registry_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[str] = []

    def no_entry_points(*, group: str) -> tuple[()]:
        groups.append(group)
        return ()

    monkeypatch.setattr("paragold.registry.installed_entry_points", no_entry_points)
    registry = Registry("fruit", Fruit, [PEAR], entry_points="paragold.test_fruit")

    assert groups == []
    assert "pear" in registry
    assert list(registry) == [PEAR]
    assert groups == ["paragold.test_fruit"]


def test_a_form_that_copies_its_choices_shares_the_registry() -> None:
    registry = Registry("fruit", Fruit, [PEAR, APPLE])

    assert copy.deepcopy(registry.choices)() == [("pear", "A pear"), ("apple", "An apple")]
