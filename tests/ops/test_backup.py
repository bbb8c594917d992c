from __future__ import annotations

import json
import sqlite3
import stat
import subprocess
import threading
import zipfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from corpus.models import CorpusImport, ImportState
from ops.backup import postgresql, sqlite
from ops.backup.restoring import check_backup, restore
from ops.backup.writing import back_up
from ops.launcher.installation import InstanceLock
from projects.errors import PublicError
from projects.models import AuditEntry, Project
from tests.factories.corpus import ProjectFactory

from .test_archive import changed

WRITERS = 3


@pytest.fixture
def installation(settings, tmp_path):
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR, settings.UPLOADS_DIR = settings.VAR / "exports", settings.VAR / "uploads"
    for folder in ("exports", "uploads", "aligners"):
        (settings.VAR / folder).mkdir(parents=True)
    return tmp_path


@contextmanager
def another_database(folder):
    """The connection leads to a database in which nothing was made."""
    named = connection.settings_dict["NAME"]
    name = str(folder / "other.sqlite3") if connection.vendor == "sqlite" else f"{named}_other"
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
            cursor.execute(f'CREATE DATABASE "{name}"')
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield Path(name)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = named
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f'DROP DATABASE "{name}"')


def content_of(backup, folder):
    """Every row of a backup's database, as SQL."""
    with zipfile.ZipFile(backup) as archive:
        file = Path(archive.extract(json.loads(archive.read("manifest.json"))["database"]["file"], folder))
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(file)) as found:
            return list(found.iterdump())
    # Rows alone: PostgreSQL writes some constraints down in other words once they were restored.
    command = [postgresql._find("pg_restore"), "--data-only", "--file=-", str(file)]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line for line in told.stdout.split("\n") if not line.startswith(("--", "\\"))]


@contextmanager
def people_at_work(project, user):
    """Rows are written all the time; yields the ids of those that were acknowledged."""
    acknowledged: list[int] = []
    stop, begun = threading.Event(), threading.Barrier(WRITERS + 1)

    def write():
        try:
            for number in range(1_000_000):
                entry = AuditEntry.objects.create(event="wrote", actor=user.username, target=number)
                acknowledged.append(entry.pk)
                if number == 0:
                    begun.wait(timeout=60)
                if stop.is_set():
                    return
        finally:
            connection.close()

    threads = [threading.Thread(target=write) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    begun.wait(timeout=60)
    try:
        yield acknowledged
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.django_db(transaction=True)
def test_a_backup_under_load_restores_to_the_same(installation):
    project = ProjectFactory(slug="dams")
    exported = installation / "var" / "exports" / "dams" / f"{'0' * 64}.zip"
    exported.parent.mkdir()
    exported.write_bytes(b"an export")
    path, again = installation / "backup.zip", installation / "again.zip"
    Session.objects.create(session_key="f" * 32, session_data="", expire_date=timezone.now())
    with people_at_work(project, project.created_by) as acknowledged:
        before = list(acknowledged)
        back_up(path)
        during = len(acknowledged)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(installation.glob("*.partial")) + list(installation.glob(".backup-*")) == []
    exported.unlink()
    with another_database(installation):
        restored = restore(path)
        assert restored.kept is None
        ids = set(AuditEntry.objects.filter(event="wrote").values_list("pk", flat=True))
        assert ids >= set(before)
        assert len(ids) <= during + WRITERS
        assert Project.objects.get().slug == "dams"
        assert not Session.objects.exists(), "who has the backup would be logged in"
        assert exported.read_bytes() == b"an export"
        back_up(again)
        (installation / "1").mkdir()
        (installation / "2").mkdir()
        assert content_of(path, installation / "1") == content_of(again, installation / "2")
        # What was written after the restore is kept apart when the backup is put in its place again.
        AuditEntry.objects.create(event="later", actor=User.objects.get().username)
        ProjectFactory(slug="second")
        with pytest.raises(PublicError, match="then use --replace"):
            restore(path)
        assert Project.objects.count() == 2
        connection.close()
        kept = restore(path, replace=True).kept
        assert Project.objects.count() == 1
        assert not AuditEntry.objects.filter(event="later").exists()
        if connection.vendor == "sqlite":
            assert kept is not None
            sqlite.check(kept)


@pytest.fixture
def backup(installation, db, monkeypatch):
    """A backup of a database of one table, which takes no time."""

    def small(*paths):
        with closing(sqlite3.connect(paths[-1])) as made:
            made.execute("CREATE TABLE things (id INTEGER PRIMARY KEY)")

    monkeypatch.setattr(sqlite, "dump", small)
    monkeypatch.setattr(postgresql, "dump", small)
    waiting, ended = "a" * 32, "b" * 32
    for token in (waiting, ended):
        for ending in ("upload", "json"):
            (installation / "var" / "uploads" / f"{token}.{ending}").write_text(token)
    project = ProjectFactory(slug="dams")
    CorpusImport.objects.create(project=project, state=ImportState.CHECKED, token=waiting)
    CorpusImport.objects.create(project=project, state=ImportState.IMPORTED, token=ended)
    for name in ("secret_key", "logins.txt", "aligners/one.npz", "aligners/two.partial"):
        (installation / "var" / name).write_text("x")
    path = installation / "backup.zip"
    back_up(path)
    return path


def test_a_backup_holds_what_the_database_needs_and_no_secrets(backup):
    files = check_backup(backup)["files"]
    waiting = {f"files/uploads/{'a' * 32}.{ending}" for ending in ("upload", "json")}
    database = sqlite.FILE if connection.vendor == "sqlite" else postgresql.FILE
    assert set(files) == {database, "files/aligners/one.npz", *waiting}
    with pytest.raises(PublicError, match="never replaces another one"):
        back_up(backup)


def manifest(files, /, **values):
    files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | values).encode()


def of_another_kind(files):
    described = json.loads(files["manifest.json"])["database"]
    manifest(files, database=described | {"vendor": "oracle"})


def of_a_newer_program(files):
    described = json.loads(files["manifest.json"])["database"]
    manifest(files, database=described | {"migrations": ["corpus.9999_not_yet"]})


def climbing(files):
    listed = json.loads(files["manifest.json"])["files"]
    listed["files/../evil"] = listed.pop("files/aligners/one.npz")
    files["files/../evil"] = files.pop("files/aligners/one.npz")
    manifest(files, files=listed)


def times(folder):
    """When each file below was last changed, but the lock."""
    found = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    return {path: time for path, time in found.items() if path.name != "running.lock"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda files: files.update({"files/aligners/one.npz": b"y"}), "one.npz has another sha256"),
        (lambda files: files.pop("files/aligners/one.npz"), "does not hold the files that"),
        (lambda files: files.update({"manifest.json": b"[]"}), "manifest.json is damaged"),
        (lambda files: manifest(files, backup_version=1), "written by another version"),
        (of_another_kind, "installation on oracle"),
        (of_a_newer_program, "9999_not_yet is not known"),
        (climbing, "does not belong to one"),
        (lambda files: None, "then use --replace"),
    ],
)
def test_what_cannot_be_restored_changes_nothing(backup, installation, change, says):
    path = changed(backup, change, backup)
    before = times(installation / "var")
    with pytest.raises(CommandError, match=f"{says}.*Nothing was changed"):
        call_command("restore", path, replace="--replace" not in says)
    assert times(installation / "var") == before
    assert Project.objects.filter(slug="dams").exists()


def test_nothing_is_restored_while_paragold_runs(backup, installation):
    lock = InstanceLock(installation / "var" / "running.lock")
    lock.acquire(url="http://127.0.0.1:8000")
    try:
        with pytest.raises(PublicError, match=r"running from this folder: http://127\.0\.0\.1:8000"):
            restore(backup, replace=True)
    finally:
        lock.release()


def test_programs_of_another_version_are_not_used(monkeypatch):
    monkeypatch.setattr(postgresql, "server_major", lambda: 99)
    with pytest.raises(PublicError, match=r"pg_dump of PostgreSQL 99, .* Install postgresql-client-99"):
        postgresql._find("pg_dump")


def test_commands(backup, installation, capsys):
    call_command("restore", backup, check=True)
    assert "Complete: 4 files" in capsys.readouterr().out
    call_command("backup")
    made = list((installation / "var" / "backups").iterdir())
    assert [path.suffix for path in made] == [".zip"]
    assert f"{made[0]}: 4 files" in capsys.readouterr().out


def test_a_cut_off_backup_is_refused(backup):
    backup.write_bytes(backup.read_bytes()[:-100])
    with pytest.raises(PublicError, match="cannot be read as a backup"):
        check_backup(backup)
