"""What tests of all kinds share: the research data, where it is there, and patience on busy machines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from hypothesis import HealthCheck, settings

from corpus.models import Job
from corpus.services import waiting
from corpus.services.running import run_here

from .migrated import copy_migrated

# How long an example takes says more about what else the machine does than about the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# Folders whose files take long; a launched installation, a browser, every address for every role.
LONG = tuple(
    Path(__file__).parent / name
    for name in ("integration/launcher", "browser", "integration/permissions", "integration/contract")
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long files first, so that processes side by side end at about the same time."""
    items.sort(key=lambda item: not any(item.path.is_relative_to(folder) for folder in LONG))


@pytest.fixture(autouse=True)
def worker_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that wait for a worker do its work: tests have none, unless they start an installation."""

    def wait_for(job: Job, *, seconds: float) -> bool:
        job.refresh_from_db()
        run_here(job=job)
        return True

    monkeypatch.setattr(waiting, "wait_for", wait_for)


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data beside the repository; the test is skipped where there is none."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the research data (../shared/data) is not on this machine")
    return SHARED_DATA


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
