"""What must be set before pages are fetched."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment


def test_the_environment_may_leave_the_decision_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, decided in (("", None), ("0", False), ("1", True)):
        monkeypatch.setenv("PARAGOLD_FETCHING", text)
        assert environment.decision("PARAGOLD_FETCHING") is decided


def test_fetching_needs_somebody_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARAGOLD_FETCH_CONTACT", raising=False)
    assert environment.fetch_contact(False) == ""
    with pytest.raises(ImproperlyConfigured, match="needs PARAGOLD_FETCH_CONTACT"):
        environment.fetch_contact(True)
    monkeypatch.setenv("PARAGOLD_FETCH_CONTACT", " mailto:corpus@example.org ")
    assert environment.fetch_contact(True) == "mailto:corpus@example.org"


@pytest.mark.parametrize("contact", ["me (at home)", "a\r\nCookie: b", "müller@example.org", "x" * 201])
def test_what_would_break_the_header_is_refused(monkeypatch: pytest.MonkeyPatch, contact: str) -> None:
    monkeypatch.setenv("PARAGOLD_FETCH_CONTACT", contact)
    with pytest.raises(ImproperlyConfigured, match="plain ASCII"):
        environment.fetch_contact(True)
