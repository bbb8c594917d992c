"""A SQLite database with every migration applied: made once for each state of them, then copied.

It takes ten seconds to apply them all and none to copy a file, in each process that tests. Kept in
.pytest_cache under a hash of the migrations and of what applies them.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import django
from django.apps import apps

REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / ".pytest_cache" / "migrated"


def fingerprint() -> str:
    """Of the migrations of all apps, in their order, and of Django and SQLite."""
    digest = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    for app in apps.get_app_configs():
        for file in sorted((Path(app.path) / "migrations").glob("*.py")):
            digest.update(f"\0{app.label}/{file.name}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:32]


def copy_migrated(path: Path) -> None:
    """Put a migrated database at `path`. The first process makes it; those beside it wait for that one."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / f"{fingerprint()}.sqlite3"
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            for old in FOLDER.glob("*.sqlite3"):
                old.unlink()
            migrate(kept)
        shutil.copyfile(kept, path)


def migrate(path: Path) -> None:
    """Apply all migrations to a new database at `path`, as an installation does."""
    with tempfile.TemporaryDirectory(prefix="new-", dir=FOLDER) as folder:
        own = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", "PARAGOLD_VAR": folder}
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=REPOSITORY, env=os.environ | own, check=True)
        (Path(folder) / "paragold.sqlite3").replace(path)
