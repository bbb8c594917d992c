"""Dumping and restoring a PostgreSQL database by its own programs, of the server's major version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from ops.backup import sqlite
from projects.errors import PublicError

FILE = "database.dump"
# Where Debian keeps the programs of each version.
DEBIAN = "/usr/lib/postgresql/{major}/bin"


def server_major() -> int:
    with connection.cursor():
        own: Any = connection
        return int(own.pg_version) // 10_000


def dump(target: Path) -> None:
    """Write the database as it is at one moment to `target`, in pg_dump's custom format.

    Without the sessions: who has one of their keys is logged in.
    """
    _run(
        "pg_dump", "--format=custom", "--no-owner", "--no-privileges",
        *(f"--exclude-table-data={table}" for table in sqlite.SESSIONS), f"--file={target}", _conninfo(),
    )  # fmt: skip


def restore(source: Path, folder: Path) -> None:
    """Replace everything in the database by a dump, in one transaction. `folder` is for a script on the way.

    Raises PublicError, and nothing is changed, when a program fails or others use the database.
    """
    _check_alone()
    script, before = folder / "restore.sql", folder / "before.sql"
    _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(source))
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        drops = [SQL("DROP TABLE {} CASCADE;").format(Identifier(name)) for name in names]
        # The function that the triggers of the audit log run goes with its table.
        function = "DROP FUNCTION IF EXISTS audit_append_only;"
        statements = [*(drop.as_string(cursor.connection) for drop in drops), function]
        before.write_text("\n".join(statements) + "\n")
    connection.close()
    _run(
        "psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1",
        "--output=/dev/null", f"--file={before}", f"--file={script}", _conninfo(),
    )  # fmt: skip


def _check_alone() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )
        others = cursor.fetchone()[0]
    if others:
        raise PublicError(
            "%(others)s other connections use the database. Stop Paragold's web servers and workers first.",
            others=others,
        )


def _conninfo() -> str:
    """How to reach the database, without the password: every user of the machine sees a command line."""
    parameters = connection.get_connection_params()
    names = ("dbname", "user", "host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "service")
    return make_conninfo(**{name: parameters[name] for name in names if parameters.get(name)})


def _run(program: str, *arguments: str) -> None:
    password = str(connection.settings_dict.get("PASSWORD") or "")
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    done = subprocess.run(  # noqa: S603 - a fixed program, and arguments of our own
        [_find(program), *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PublicError("%(program)s failed: %(error)s", program=program, error=done.stderr.strip()[-2000:])


def _find(program: str) -> str:
    """The program of the server's major version, on PATH or where Debian keeps it."""
    major = server_major()
    there = []
    for path in (shutil.which(program), shutil.which(program, path=DEBIAN.format(major=major))):
        if path is None:
            continue
        output = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603 - a known program, no shell
        version = re.search(r"(\d+)(?:\.\d+)*", output)
        if version and int(version[1]) == major:
            return path
        there.append(f"{path} is of version {version[1] if version else 'unknown'}")
    raise PublicError(
        "%(program)s of PostgreSQL %(major)s, the server's version, is needed and not there%(there)s. "
        "Install postgresql-client-%(major)s, or run %(program)s where the server is (docs/deployment.md).",
        program=program,
        major=major,
        there=f" ({'; '.join(there)})" if there else "",
    )
