"""Whatever a JSON column of an archive holds: it is refused by name, or no page fails over it."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import models
from django.test import Client

from ops.archive.archive_file import LINE_VALUES, parsed
from ops.archive.json_columns import READ_BY, SCHEMAS, check_json
from ops.archive.storing import import_project
from ops.archive.tables import tables
from ops.archive.writing import export_project
from projects.errors import PublicError
from projects.models import Project, Role
from tests.factories.corpus import JobFactory, ProjectFactory, member
from tests.factories.trained_aligners import linked_gold
from tests.permissions.people import drained

from .everything import addresses

JSON = {
    f"{table.name}.{field.name}"
    for table in tables()
    for field in table.fields
    if isinstance(field, models.JSONField)
}
ROW = {
    "kind": "match",
    "model": b"x",
    "texts": None,
    "links": [],
    "blocks": [],
    "text": "A.",
    "tokens": "A .",
}
JUNK = ({}, [], None, 1, "x", True, [[1]], {"a": {"b": 1}}, [{"a": 1}], 1.5)


def permits(label: str, value: Any, **row: Any) -> bool:
    try:
        check_json(label, value, ROW | row)
    except ValueError as error:
        assert label.rpartition(".")[2] in str(error)
        assert len(str(error)) < 400
        return False
    return True


def test_every_json_column_has_a_schema() -> None:
    assert set(SCHEMAS) == JSON
    assert set(READ_BY) <= JSON


@pytest.mark.parametrize("label", sorted(JSON))
def test_values_of_another_kind_are_refused(label: str) -> None:
    for value in (1, "x", True, 1.5, [[[{}]]], [None], {"": None, "kind": [7]}):
        free = isinstance(value, dict) and label in {
            *("annotation.Answer.body", "corpus.CorpusImport.options"),
        }
        assert permits(label, value) == free, value


def test_what_a_finished_row_lacks_is_refused() -> None:
    assert not permits("annotation.TrainedClassifier.figures", {})
    assert permits("annotation.TrainedClassifier.figures", {}, model=None)
    assert not permits("jobs.Job.parameters", {})
    assert permits("jobs.Job.parameters", {}, kind="import-check")
    assert permits("corpus.Sentence.starts", [0, 1])
    for starts in ([], [0], [0, 2], [0, 1, 2], [0.0, 1], [1, 0]):
        assert not permits("corpus.Sentence.starts", starts), starts


def test_a_line_of_very_many_values_is_refused_before_it_is_read() -> None:
    line = b"[" + b"[]," * LINE_VALUES + b"[]]"
    tracemalloc.start()
    with pytest.raises(ValueError, match="values"):
        parsed(line)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


@pytest.fixture
def archive(db: None, settings: Any, tmp_path: Path) -> Path:
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR = settings.VAR / "exports"
    settings.VAR.mkdir()
    project: Project = ProjectFactory(slug="dams", name="Dams")
    for name in ("ann", "ben"):
        member(project, Role.ANNOTATOR, name)
    linked_gold(project, 2)
    JobFactory(project=project, state="done")
    path = tmp_path / "dams.zip"
    export_project(project=project, path=path)
    Project.objects.filter(pk=project.pk).update(slug="old")
    return path


def changed(path: Path, value: Any, *, columns: set[str] | None = None) -> Path:
    """With a value in every JSON column, or where it is permitted in those given."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    description = json.loads(files["archive.json"])
    for table in description["tables"]:
        names, *rows = map(json.loads, files[f"{table}.jsonl"].splitlines())
        for row in rows:
            for place, name in enumerate(names):
                if f"{table}.{name}" in (JSON if columns is None else columns):
                    row[place] = value
        data = "".join(json.dumps(row) + "\n" for row in [names, *rows]).encode()
        files[f"{table}.jsonl"] = data
        description["tables"][table]["sha256"] = sha256(data).hexdigest()
    files["archive.json"] = json.dumps(description).encode()
    other = path.with_name("changed.zip")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return other


def test_an_archive_of_other_shapes_is_refused_by_table_line_and_column(archive: Path) -> None:
    before = Project.everything.count()
    for value in JUNK:
        with pytest.raises(PublicError, match=r"\w+\.\w+\.jsonl, line 2: \w+.* cannot be this"):
            import_project(path=changed(archive, value), slug="copy")
        assert Project.everything.count() == before


@pytest.mark.parametrize("value", [{}, []])
def test_no_page_fails_over_what_is_permitted(archive: Path, client: Client, value: Any) -> None:
    columns = {label for label in JSON if permits(label, value, kind="none", model=None, texts=b"x")}
    copy = import_project(path=changed(archive, value, columns=columns), slug="copy").project
    client.force_login(User.objects.create_superuser("root"))
    for _, address in addresses(copy):
        assert drained(client.get(address)).status_code < 500, address
