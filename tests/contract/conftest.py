"""One world for all operations; what a test changes in it is undone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction

from projects.models import ApiToken
from tests.permissions.objects import World, make_world
from tests.permissions.people import no_templates_kept
from tests.permissions.test_matrix import no_navigation

__all__ = ["no_navigation", "no_templates_kept"]


@dataclass(frozen=True)
class Caller:
    """A manager of the project, and the header that says so."""

    world: World
    headers: dict[str, str]


@pytest.fixture(scope="package")
def shared(django_db_setup, django_db_blocker):
    """There for the files of this folder that one process takes, and gone after them."""
    with django_db_blocker.unblock(), transaction.atomic():
        world = make_world()
        _, token = ApiToken.objects.create(world.people["manager"])
        yield Caller(world, {"Authorization": f"Token {token}", "Accept-Encoding": "identity"})
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def pages_without_navigation(no_navigation):
    """It has no forms and takes no parameters."""


@pytest.fixture
def caller(shared, db):
    cache.clear()
    # As Django's own test client does, which connects them again: the connection holds the transactions.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield shared
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
