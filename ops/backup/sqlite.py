"""Copying a SQLite database while others write, and putting a copy in its place."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from projects.errors import PublicError

FILE = "database.sqlite3"
WAIT_SECONDS = 20
SESSIONS = ("django_session", "usersessions_usersession")


def dump(database: Path, target: Path) -> None:
    """Copy the database as it is at one moment to `target`, in one step of SQLite's backup API.

    Writers need not wait, and what they write meanwhile is not in the copy. Sessions are left out: a key of
    one is enough to be logged in.
    """
    with closing(_opened(database)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy, pages=-1)
        # One file, without the -wal file beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        copy.execute("PRAGMA secure_delete=ON")
        with copy:
            for table in SESSIONS:
                copy.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own
    check(target)


def check(database: Path) -> None:
    """Raise PublicError when the file is no database, or a damaged one."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
            answers = [row[0] for row in opened.execute("PRAGMA integrity_check(10)")]
            dangling = opened.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        answers, dangling = [str(error)], None
    if answers != ["ok"] or dangling:
        what = "; ".join(answers) if not dangling else f"a row of {dangling[0]} points at none"
        raise PublicError("The database is damaged: %(what)s.", what=what)


def put_in_place(copy: Path, database: Path, kept: Path | None) -> None:
    """Make `copy` the database, in one step; the one that was there stays at `kept`.

    `copy` must lie in the same file system. Raises PublicError while somebody else holds the database.
    """
    if database.exists():
        with closing(_opened(database)) as old:
            busy, _, _ = old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise PublicError("%(database)s is in use. Stop Paragold first.", database=database)
        if kept is not None:
            os.link(database, kept)
    copy.chmod(0o600)
    with copy.open("rb") as file:
        os.fsync(file.fileno())
    # What is left of these belongs to the old one; its last page is in the file by now.
    for ending in ("-wal", "-shm"):
        database.with_name(database.name + ending).unlink(missing_ok=True)
    copy.replace(database)
    folder = os.open(database.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _opened(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{database}?mode=rw", uri=True, timeout=WAIT_SECONDS)
