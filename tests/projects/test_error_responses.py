import errno
import sqlite3

import psycopg
import pytest
from django.db import IntegrityError, InternalError, OperationalError

from projects.error_responses import AWAY, BUSY, FULL, UNWRITABLE, overload_of


def full(path):
    database = sqlite3.connect(path)
    database.execute("PRAGMA max_page_count = 1")
    database.execute("CREATE TABLE texts (text TEXT)")


def locked(path):
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    sqlite3.connect(path, timeout=0).execute("CREATE TABLE texts (text TEXT)")


def read_only(path):
    sqlite3.connect(path).execute("CREATE TABLE texts (text TEXT)")
    sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute("INSERT INTO texts VALUES ('x')")


def missing(path):
    sqlite3.connect(path / "no" / "folder")


def wrong(path):
    sqlite3.connect(path).execute("SELECT nothing")


@pytest.mark.parametrize(
    ("act", "expected"),
    [(full, FULL), (locked, BUSY), (read_only, UNWRITABLE), (missing, AWAY), (wrong, None)],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the connections end with the test
def test_sqlite(act, expected, tmp_path):
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
def test_postgresql(wrapper, cause, expected):
    error = wrapper("refused")
    error.__cause__ = cause
    assert overload_of(error) is expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [(errno.ENOSPC, FULL), (errno.EDQUOT, FULL), (errno.EROFS, UNWRITABLE), (errno.EACCES, None)],
)
def test_files(number, expected):
    assert overload_of(OSError(number, "refused")) is expected
    wrapped = RuntimeError("while writing")
    wrapped.__cause__ = OSError(number, "refused")
    assert overload_of(wrapped) is expected
