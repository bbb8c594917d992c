"""What counts as overload: a full disk, a busy or missing database, and nothing else."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from django.db import IntegrityError, InternalError, OperationalError

from projects.error_responses import AWAY, BUSY, FULL, UNWRITABLE, Overload, overload_of


def full(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA max_page_count = 1")
    database.execute("CREATE TABLE texts (text TEXT)")


def locked(path: Path) -> None:
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    sqlite3.connect(path, timeout=0).execute("CREATE TABLE texts (text TEXT)")


def read_only(path: Path) -> None:
    sqlite3.connect(path).execute("CREATE TABLE texts (text TEXT)")
    sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("INSERT INTO texts VALUES ('x')")


def missing(path: Path) -> None:
    sqlite3.connect(path / "no" / "folder")


def wrong(path: Path) -> None:
    sqlite3.connect(path).execute("SELECT nothing")


@pytest.mark.parametrize(
    ("act", "expected"),
    [(full, FULL), (locked, BUSY), (read_only, UNWRITABLE), (missing, AWAY), (wrong, None)],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the connections end with the test
def test_sqlite(act: Callable[[Path], None], expected: Overload | None, tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError) as caught:
        act(tmp_path / "db.sqlite3")
    error = OperationalError(*caught.value.args)
    error.__cause__ = caught.value
    assert overload_of(error) is expected


@pytest.mark.parametrize(
    ("wrapper", "cause", "expected"),
    [
        (OperationalError, psycopg.errors.LockNotAvailable(), BUSY),
        (OperationalError, psycopg.errors.DiskFull(), FULL),
        (OperationalError, psycopg.errors.AdminShutdown(), AWAY),
        (InternalError, psycopg.errors.ReadOnlySqlTransaction(), UNWRITABLE),
        (OperationalError, psycopg.OperationalError("connection refused"), AWAY),
        (IntegrityError, psycopg.errors.UniqueViolation(), None),
    ],
)
def test_postgresql(wrapper: type[Exception], cause: Exception, expected: Overload | None) -> None:
    error = wrapper("refused")
    error.__cause__ = cause
    assert overload_of(error) is expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [(errno.ENOSPC, FULL), (errno.EDQUOT, FULL), (errno.EROFS, UNWRITABLE), (errno.EACCES, None)],
)
def test_files(number: int, expected: Overload | None) -> None:
    assert overload_of(OSError(number, "refused")) is expected
    wrapped = RuntimeError("while writing")
    wrapped.__cause__ = OSError(number, "refused")
    assert overload_of(wrapped) is expected
