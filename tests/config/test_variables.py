"""Environment variables: their defaults, and what is said of a value that cannot be used."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment
from config.variables import VARIABLES, value


def test_an_unset_or_empty_variable_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("", "  "):
        monkeypatch.setenv("PARAGOLD_ALLOWED_HOSTS", text)
        assert environment.words("PARAGOLD_ALLOWED_HOSTS") == ["localhost", "127.0.0.1", "[::1]"]
    monkeypatch.delenv("PARAGOLD_LEASE_SECONDS", raising=False)
    assert environment.positive("PARAGOLD_LEASE_SECONDS") == 20
    monkeypatch.setenv("PARAGOLD_HTTPS", " 1 ")
    assert value("PARAGOLD_HTTPS") == "1" and environment.flag("PARAGOLD_HTTPS")


@pytest.mark.parametrize("text", ["soon", "0", "-3", "nan", "inf"])
def test_seconds_that_are_no_positive_number_are_refused_by_name(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARAGOLD_HEARTBEAT_SECONDS", text)
    with pytest.raises(ImproperlyConfigured, match=r"PARAGOLD_HEARTBEAT_SECONDS must be a positive number"):
        environment.positive("PARAGOLD_HEARTBEAT_SECONDS")


def test_each_variable_says_what_holds_without_it() -> None:
    assert all(not (variable.default and variable.unset) for variable in VARIABLES.values())
