import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def no_counts():
    """django-allauth counts requests in the cache."""
    cache.clear()
