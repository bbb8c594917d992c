from __future__ import annotations

import pytest
from drf_spectacular.generators import SchemaGenerator

from projects.api.openapi import SchemaView
from tests.permissions.people import fresh_cache, people

__all__ = ["fresh_cache", "people"]


@pytest.fixture(autouse=True)
def empty_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """The OpenAPI document takes seconds to write; only who gets it matters here."""
    monkeypatch.setattr(SchemaView, "made", {})
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda self, **given: {})
