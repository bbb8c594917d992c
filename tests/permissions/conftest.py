import pytest
from drf_spectacular.generators import SchemaGenerator

from projects.api.openapi import SchemaView
from tests.oidc_provider import running
from tests.permissions.people import fresh_cache, no_templates_kept, people
from tests.permissions.signed_on import ROLES_BY_GROUPS
from tests.signing_on import switch_on

__all__ = ["fresh_cache", "no_templates_kept", "people"]


@pytest.fixture(scope="session")
def provider():
    with running() as started:
        yield started


@pytest.fixture(autouse=True)
def switched_on(settings, provider):
    """Every way of signing on, so that its addresses are there."""
    switch_on(settings, provider, ROLES_BY_GROUPS)


@pytest.fixture(autouse=True)
def empty_schema(monkeypatch):
    """The OpenAPI document takes seconds to write; only who gets it matters here."""
    monkeypatch.setattr(SchemaView, "made", {})
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda self, **given: {})
