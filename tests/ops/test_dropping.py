from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from django.db.migrations import Migration
from django.db.migrations.operations import DeleteModel, RemoveField

from ops.backup import writing
from ops.dropping import before_migrating
from projects.errors import PublicError
from projects.models import Project
from projects.upgrade_steps import DeleteRows


@pytest.fixture
def start(monkeypatch):
    """An upgrade with these operations, with answers from a terminal or without one; what it says."""
    migration = Migration("later", "projects")
    migration.operations = [
        DeleteModel("Membership"),
        DeleteModel("NeverThere"),
        RemoveField("Project", "licence"),
        RemoveField("Project", "near_duplicate_share"),
        DeleteRows(lambda apps: apps.get_model("projects", "Project").objects.filter(language="en")),
    ]

    def started(answer=None, *, interactive=True, backwards=False):
        terminal = io.StringIO("" if answer is None else f"{answer}\n")
        monkeypatch.setattr(terminal, "isatty", lambda: answer is not None)
        monkeypatch.setattr(sys, "stdin", terminal)
        words = OutputWrapper(io.StringIO())
        plan = [(migration, backwards)]
        before_migrating(plan=plan, apps=apps, interactive=interactive, stdout=words)
        return str(words._out.getvalue())

    return started


@pytest.fixture
def backups(monkeypatch):
    """The files that were written."""
    made: list[Path] = []

    def back_up(path):
        path.write_bytes(b"backup")
        made.append(path)
        return writing.Backup(path, 6, 1, "")

    monkeypatch.setattr(writing, "back_up", back_up)
    return made


pytestmark = pytest.mark.django_db


def test_tables_columns_and_rows_are_counted(start, backups, project):
    Project.objects.update(licence="CC0-1.0")
    words = start()
    assert "  some of projects_project: 1\n" in words and "  projects_project.licence: 1\n" in words
    assert "  empty: projects_membership, projects_project.near_duplicate_share\n" in words


@pytest.mark.parametrize("answer", [None, "", "y", "Yes"])
def test_a_backup_is_written_unless_somebody_declines(start, backups, answer):
    words = start(answer)
    [path] = backups
    assert f"Backup: {path} (6 bytes)" in words and path.parent == Path(settings.VAR) / "backups"
    assert ("Write a backup first?" in words) == (answer is not None)


def test_it_goes_on_without_where_somebody_says_so(start, backups, settings):
    assert "No backup is written." in start("n")
    settings.UPGRADE_WITHOUT_BACKUP = True
    assert "No backup is written." in start()
    assert backups == []


def test_it_stops_where_none_can_be_written(start, monkeypatch):
    def refused(path):
        raise PublicError("pg_dump is not there.")

    monkeypatch.setattr(writing, "back_up", refused)
    with pytest.raises(CommandError, match=r"Nothing was changed.* pg_dump is not there\. .*_BACKUP=1"):
        start()
