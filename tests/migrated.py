"""A database with every migration applied: made once for each state of them, then copied.

It takes ten seconds to apply them all and none to copy, in each process that tests. A file of SQLite is kept
in .pytest_cache under a hash of the migrations and of what applies them; on PostgreSQL it is a database whose
name has that hash.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django
from django.apps import apps
from django.db import connection

REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / ".pytest_cache" / "migrated"


def fingerprint():
    """Of the migrations of all apps, in their order, and of Django and SQLite."""
    digest = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    for app in apps.get_app_configs():
        for file in sorted((Path(app.path) / "migrations").glob("*.py")):
            digest.update(f"\0{app.label}/{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:32]


@contextlib.contextmanager
def one_process(database):
    """The first process makes what is copied; those beside it that test on the same database wait for it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"{database}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def copy_migrated(path):
    """Put a migrated SQLite database at `path`."""
    kept = FOLDER / f"{fingerprint()}.sqlite3"
    with one_process("sqlite"):
        if not kept.exists():
            for old in FOLDER.glob("*.sqlite3"):
                old.unlink()
            with migrated("") as folder:
                (folder / "paragold.sqlite3").replace(kept)
        shutil.copyfile(kept, path)


def copy_migrated_on_server(name):
    """Make a migrated database called `name` on the PostgreSQL server of the tests, in place of any other."""
    kept, half_made = f"paragold_migrated_{fingerprint()}", "paragold_migrated_half_made"
    with one_process("postgresql"), server() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'paragold_migrated_%'")
        names = [row[0] for row in cursor.fetchall()]
        if kept not in names:
            for old in names:
                drop(cursor, old)
            cursor.execute(f'CREATE DATABASE "{half_made}"')
            with migrated(urlsplit(os.environ["DATABASE_URL"])._replace(path=half_made).geturl()):
                cursor.execute(f'ALTER DATABASE "{half_made}" RENAME TO "{kept}"')
        drop(cursor, name)
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{kept}"')


def remove_from_server(name):
    with server() as cursor:
        drop(cursor, name)


def server():
    """A cursor on the server's own database, in which others are made and removed."""
    cursor: AbstractContextManager[Any] = connection._nodb_cursor()
    return cursor


def drop(cursor, name):
    cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextlib.contextmanager
def migrated(database_url):
    """Apply all migrations as an installation does: to that database, or to a file in the folder if ""."""
    with tempfile.TemporaryDirectory(prefix="new-", dir=FOLDER) as folder:
        own = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": database_url,
            "PARAGOLD_VAR": folder,
        }
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=REPOSITORY, env=os.environ | own, check=True)
        yield Path(folder)
