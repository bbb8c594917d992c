"""What the tests of the web application share."""

import itertools
import os
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core.management.sql import sql_flush
from django.db import connection, transaction

from jobs.services import running
from jobs.services.running import run_here
from scripts import services

from . import oidc_provider
from .factories.roles import annotators, as_, people, project
from .migrated import copy_migrated, copy_migrated_on_server, remove_from_server
from .worker_process import Worker

__all__ = ["annotators", "as_", "people", "project"]


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("django_db") or "django_db_setup" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.database)


@pytest.fixture(scope="session", autouse=True)
def queue():
    """The queue of an installation without a Redis of its own."""
    with nullcontext() if os.environ.get("REDIS_URL") else services.queue(settings.VAR):
        yield


@pytest.fixture
def provider():
    """An OpenID Connect provider."""
    with oidc_provider.running() as started:
        yield started


@pytest.fixture
def worker(tmp_path):
    worker = Worker(tmp_path / "worker.log")
    yield worker
    worker.close()


@pytest.fixture(autouse=True)
def worker_at_once(monkeypatch):
    """Requests that wait for a worker do its work: tests have none, unless they start an installation."""

    def wait_for(job, *, seconds):
        job.refresh_from_db()
        run_here(job=job)
        return True

    monkeypatch.setattr(running, "wait_for", wait_for)


@pytest.fixture(scope="session", autouse=True)
def nothing_after_a_flush():
    """Tables that a test leaves empty stay empty: Django's own permissions, which nothing here asks for, take
    longer to make again than many a test."""
    with patch("django.core.management.commands.flush.emit_post_migrate_signal"):
        yield


@pytest.fixture(scope="session", autouse=True)
def flushes_account_for_the_audit_log():
    """SQLite empties tables by DELETE, which the audit log allows below an entry that says so."""
    entry = {"at": "2000-01-01", "event": "log-pruned", "details": "{}", "pruned_before": "9999-01-01"}
    entry |= dict.fromkeys(("actor", "project", "target", "address", "request_id"), "")
    values = ", ".join(f"'{value}'" for value in entry.values())
    saying_so = f"INSERT INTO projects_auditentry ({', '.join(entry)}) VALUES ({values})"

    def statements(*given, **options):
        if connection.vendor == "sqlite":
            return [saying_so, *sql_flush(*given, **options)]
        return emptied_on_postgresql()

    with patch("django.core.management.commands.flush.sql_flush", statements):
        yield


def emptied_on_postgresql():
    """DELETE from the tables that hold rows: TRUNCATE makes every table's and index's file again."""
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    filled = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")" for name in tables)
    with connection.cursor() as cursor:
        cursor.execute(filled)
        names = [row[0] for row in cursor.fetchall()]
    if not names:
        return []
    # Neither the order of foreign keys nor the audit log's trigger applies to a replica.
    return ["SET LOCAL session_replication_role = replica", *(f'DELETE FROM "{name}"' for name in names)]


MODULES = itertools.count()


@pytest.fixture(scope="module", autouse=True)
def few_rows_that_were_rolled_back(request, django_db_blocker):
    """PostgreSQL keeps them until a vacuum, and would pass over those of all tests before in every search;
    a vacuum takes longer than a few modules leave behind."""
    if connection.vendor == "postgresql" and next(MODULES) % 8 == 0:
        request.getfixturevalue("django_db_setup")
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute("VACUUM")


@pytest.fixture(scope="module")
def module_database(django_db_setup, django_db_blocker):
    """What fixtures of a module store is there for each of its tests, and gone after the last of them.

    Each test undoes its own changes as ever, but not those to objects in memory: what a fixture of a test
    gives it reads from the database. Not for modules with tests in transactions of their own.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings, django_db_blocker):
    """The tests' database is there before they begin, all migrations applied."""
    name = connection.creation._get_test_db_name()
    if connection.vendor == "sqlite":
        copy_migrated(Path(name))
        yield True
        Path(name).unlink()
    else:
        with django_db_blocker.unblock():
            copy_migrated_on_server(name)
        yield True
        with django_db_blocker.unblock():
            remove_from_server(name)
