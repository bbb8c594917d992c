from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.oidc_provider import Provider, running


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running() as started:
        yield started


@pytest.fixture(autouse=True)
def no_counts() -> None:
    """django-allauth counts requests in the cache."""
    cache.clear()
