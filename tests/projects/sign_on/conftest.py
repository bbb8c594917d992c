from __future__ import annotations

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def no_counts() -> None:
    """django-allauth counts requests in the cache."""
    cache.clear()
