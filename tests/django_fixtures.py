"""What the tests of the web application share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from jobs.models import Job
from jobs.services import running
from jobs.services.running import run_here

from .migrated import copy_migrated


@pytest.fixture(autouse=True)
def worker_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that wait for a worker do its work: tests have none, unless they start an installation."""

    def wait_for(job: Job, *, seconds: float) -> bool:
        job.refresh_from_db()
        run_here(job=job)
        return True

    monkeypatch.setattr(running, "wait_for", wait_for)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None, django_db_keepdb: bool) -> Iterator[bool]:
    """On SQLite the tests' database is there before they begin, all migrations applied."""
    if connection.vendor != "sqlite":
        yield django_db_keepdb
        return
    path = Path(connection.settings_dict["TEST"]["NAME"])
    copy_migrated(path)
    yield True
    path.unlink()
