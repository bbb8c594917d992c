"""Whatever a cell of a project archive holds, the archive comes in whole or is refused, and nothing is left.

The hashes are those of the changed files: what is tried is what somebody may write on purpose.
"""

import json
import os
import random
import zipfile
from hashlib import sha256

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from ops.archive.storing import import_project
from ops.archive.tables import tables
from ops.archive.writing import export_project
from projects.errors import PublicError
from projects.models import Project, Role
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import JobFactory, ProjectFactory, dataset_of, member

pytestmark = pytest.mark.django_db
FILES = int(os.environ.get("PARAGOLD_MUTATED", "25"))
JUNK = (
    *(None, True, -1, 0, 1, 1.5, 2**31, 2**70, "", "x", "1", "\0", "\ud800", "a" * 5000),
    *([], [[1]], {}, {"a": 1}),
    *("2020-01-01", "2020-01-01T00:00:00", "9999999-01-01T00:00:00+00:00", "nan"),
)


@pytest.fixture
def files(tmp_path):
    """Those of a small project's archive."""
    project = ProjectFactory(slug="dams")
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    judge_all(judging_batch(project, people, size=2, dataset=dataset_of(project, 2)), people[0])
    JobFactory(project=project, state="done", parameters={"dataset": project.datasets.first().pk})
    export_project(project=project, path=tmp_path / "dams.zip")
    with zipfile.ZipFile(tmp_path / "dams.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def mutated(files, draw):
    """With junk in one cell of a table, or in one place of the description."""
    description = json.loads(files["archive.json"])
    if draw.random() < 0.8:
        name = draw.choice([name for name, data in files.items() if data.count(b"\n") > 1])
        lines = files[name].split(b"\n")
        place = draw.randrange(1, len(lines) - 1)
        row = json.loads(lines[place])
        row[draw.randrange(len(row))] = draw.choice(JUNK)
        lines[place] = json.dumps(row).encode()
        files = files | {name: b"\n".join(lines)}
        description["tables"][name.removesuffix(".jsonl")]["sha256"] = sha256(files[name]).hexdigest()
    else:
        one_table = draw.choice(list(description["tables"].values()))
        part = draw.choice([description, description["project"], description["tables"], one_table])
        part[draw.choice(list(part))] = draw.choice(JUNK)
    return files | {"archive.json": json.dumps(description).encode()}


def counts():
    return [User.objects.count(), *(table.model._base_manager.count() for table in tables())]


def test_archives(files, tmp_path):
    draw = random.Random(9)
    path = tmp_path / "changed.zip"
    before = counts()
    refused = 0
    for number in range(FILES):
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in mutated(files, draw).items():
                archive.writestr(name, data)
        with transaction.atomic():
            try:
                made = import_project(path=path, slug=f"copy-{number}").project
                assert Project.objects.filter(pk=made.pk).exists()
            except PublicError as error:
                assert str(path) in str(error) or "account" in str(error)
                assert counts() == before, f"{error}, and rows are left"
                refused += 1
            transaction.set_rollback(True)
    assert refused > FILES / 3
