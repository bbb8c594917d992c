"""What the services write into JSON columns goes through an archive. What else an archive may hold there is
refused by the check, or harms no page and no answer of the API."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import models
from rest_framework.test import APIClient

from alignment.models import Alignment, GoldAlignment, SuggestedLinks, TrainedAligner, WordLink
from annotation.models import Decision, Item, TrainedClassifier
from annotation.services.classifiers.inspection import labels_in_doubt
from jobs.models import Job
from jobs.services.ledger import retry_job
from ops.archive.checking import ROW_ERRORS, Cells
from ops.archive.cross_checks import CrossChecks
from ops.archive.storing import import_project
from ops.archive.tables import Table, tables
from ops.archive.writing import export_project
from projects.errors import PublicError
from projects.models import Project
from tests.permissions.objects import undone
from tests.permissions.people import People, drained, make_people

from .everything import ROLES, addresses, fill_everything

pytestmark = pytest.mark.django_db

DEEP: Any = []
for _ in range(200):
    DEEP = [DEEP]
JUNK = ({}, [], "x", "7", 2**53, 2**70, -1, 0, 0.5, None, True, DEEP)
TRIES = 12
Rows = dict[str, list[list[Any]]]
"""By table the names of its fields, then its rows, as an archive has them."""


class World:
    """A project with everything, and its archive."""

    def __init__(self, folder: Path) -> None:
        self.people: People = make_people()
        fill_everything(self.people, folder)
        self.path = folder / "dams.zip"
        export_project(project=self.people.project, path=self.path)
        with zipfile.ZipFile(self.path) as archive:
            self.files = {name: archive.read(name) for name in archive.namelist()}
        self.rows: Rows = {
            table.name: [json.loads(line) for line in self.files[f"{table.name}.jsonl"].splitlines()]
            for table in tables()
        }

    def imported(self, rows: Rows, slug: str = "copy") -> Project:
        """The project of an archive with other rows, which is sealed again. Raises PublicError."""
        files = dict(self.files)
        description = json.loads(files["archive.json"])
        for name, own in rows.items():
            files[f"{name}.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in own)
            description["tables"][name]["sha256"] = sha256(files[f"{name}.jsonl"]).hexdigest()
        files["archive.json"] = json.dumps(description).encode()
        path = self.path.with_name("changed.zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return import_project(path=path, slug=slug).project

    def changed(self, model: type[models.Model], field: str, value: Any, row: int = 1) -> Rows:
        """The rows with one other value."""
        table = str(model._meta.label)
        own = deepcopy(self.rows[table])
        own[row][own[0].index(field)] = value
        return {table: own}


@pytest.fixture(scope="module")
def world(module_database: None, tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("everything"))


def json_columns() -> Iterator[tuple[Table, str]]:
    for table in tables():
        for field in table.fields:
            if isinstance(field, models.JSONField):
                yield table, field.name


def test_every_json_column_is_filled_and_comes_back(world: World) -> None:
    for table, field in json_columns():
        names, *rows = world.rows[table.name]
        place = names.index(field)
        assert any(row[place] for row in rows), f"no service has filled {table.name}.{field}"
    with undone():
        copy = world.imported({})
        again = world.path.with_name("again.zip")
        # The projects have the same rows but for their short name.
        Project.objects.filter(pk=world.people.project.pk).update(slug="old")
        Project.objects.filter(pk=copy.pk).update(slug="dams")
        copy.refresh_from_db()
        export_project(project=copy, path=again)
        assert again.read_bytes() == world.path.read_bytes()


def test_ids_in_json_are_those_of_the_copy(world: World) -> None:
    original = world.people.project
    with undone():
        copy = world.imported({})
        for name, model in (
            ("gold_set", "gold_sets"), ("gold_links", "gold_alignment_sets"), ("batch", "batches"),
            ("dataset", "datasets"), ("classifier", "classifiers"),
        ):  # fmt: skip
            named = [job.parameters.get(name) for job in copy.jobs.all()]
            own = set(getattr(copy, model).values_list("pk", flat=True))
            assert own.issuperset(filter(None, named)) and any(named), name
        classifier = TrainedClassifier.objects.get(project=copy, name="reported")
        items = {item for item, *_ in classifier.figures["out_of_fold"]}
        assert items and set(Item.objects.filter(pk__in=items).values_list("batch__project", flat=True)) == {
            copy.pk
        }
        # Nothing of another project is shown where a number leads there all the same.
        foreign = Item.objects.filter(batch__project=original, pair__isnull=False)[0]
        classifier.figures["out_of_fold"] = [[foreign.pk, True, 0.0]]
        assert labels_in_doubt(classifier) == []


def test_a_job_that_came_unfinished_is_not_taken_up_again(world: World) -> None:
    with undone():
        copy = world.imported({})
        job = Job.objects.filter(project=copy, state="cancelled")[0]
        with pytest.raises(PublicError, match="Launch it again"):
            retry_job(job=job)
        job.refresh_from_db()
        assert job.state == "cancelled"


BEYOND = 10_000
VERSION = {
    "annotator": "a",
    "comment": "",
    "flagged": False,
    "at": "",
    "links": [],
    "null_a": [],
    "null_b": [],
}


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        (WordLink, "a", BEYOND),
        (Alignment, "null_a", [BEYOND]),
        (SuggestedLinks, "links", [[0, BEYOND]]),
        (GoldAlignment, "links", [[BEYOND, 0, "sure"]]),
        (GoldAlignment, "versions", [VERSION | {"links": [[0, BEYOND, "sure", "drawn"]]}]),
        (GoldAlignment, "versions", [VERSION | {"null_b": [BEYOND]}]),
        (TrainedAligner, "deleted_at", "2020-01-01T00:00:00+00:00"),
        (Job, "kind", "remove"),
        (Job, "parameters", {"dataset": BEYOND}),
    ],
)
def test_rows_that_do_not_agree_are_refused_by_table_and_line(
    world: World, model: type[models.Model], field: str, value: Any
) -> None:
    with undone(), pytest.raises(PublicError, match=rf"{model._meta.label}\.jsonl, line 2: \w+.*Nothing was"):
        world.imported(world.changed(model, field, value))


@pytest.mark.parametrize(
    ("kind", "label", "content"),
    [
        ("judge", "", None),
        ("judge", "paraphrase", [[1, 2]]),
        ("link", "", [[0, BEYOND, "sure"]]),
        ("link", "", [[1, 2]]),
        ("link", "paraphrase", [[0, 0, "sure"]]),
        ("split", "", [[1, BEYOND]]),
        ("split", "", [[1, 2], [2, 3]]),
        ("split", "", None),
    ],
)
def test_decisions_that_do_not_fit_their_item_are_refused(
    world: World, kind: str, label: str, content: Any
) -> None:
    names, *rows = world.rows["annotation.Decision"]
    kinds = world.rows["annotation.Batch"]
    items = world.rows["annotation.Item"]

    def kind_of(row: list[Any]) -> str:
        item = items[row[names.index("item")]]
        batch = kinds[item[items[0].index("batch")]]
        return str(batch[kinds[0].index("kind")])

    line = next(number for number, row in enumerate(rows, start=1) if kind_of(row) == kind)
    changed = world.changed(Decision, "label", label, line)["annotation.Decision"]
    changed[line][names.index("content")] = content
    with undone(), pytest.raises(PublicError, match=rf"Decision\.jsonl, line {line + 1}: "):
        world.imported({"annotation.Decision": changed})


def test_a_missing_field_without_a_default_is_refused(world: World) -> None:
    names, *rows = world.rows["corpus.Sentence"]
    place = names.index("starts")
    left = [[one for number, one in enumerate(row) if number != place] for row in (names, *rows)]
    with undone(), pytest.raises(PublicError, match="line 1: the fields starts are missing"):
        world.imported({"corpus.Sentence": left})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value within a value."""
    yield path
    if isinstance(value, dict | list):
        for key, one in sorted(value.items()) if isinstance(value, dict) else enumerate(value):
            yield from places(one, (*path, key))


def mutated(value: Any, draw: random.Random) -> Any:
    """The value with junk in one place, or without it."""
    path = draw.choice(list(places(value)))
    if not path:
        return draw.choice(JUNK)
    new = deepcopy(value)
    inner = new
    for key in path[:-1]:
        inner = inner[key]
    if draw.random() < 0.25:
        del inner[path[-1]]
    else:
        inner[path[-1]] = draw.choice(JUNK)
    return new


class Check:
    """The check of an archive, row by row, so that junk can be tried before an archive is written."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.facts = CrossChecks()
        for table in tables():
            cells = self.cells(table)
            for row in world.rows[table.name][1:]:
                self.facts.check(table.name, cells.values(row))

    def cells(self, table: Table) -> Cells:
        return Cells(table, self.world.rows[table.name][0], users=lambda name: 0, renumber=self.number)

    def number(self, label: str, number: int) -> int:
        if type(number) is not int or not 1 <= number < len(self.world.rows[label]):
            raise ValueError(f"there is no {label} {number}")
        return number

    def passes(self, table: Table, cells: Cells, row: list[Any]) -> bool:
        try:
            values = cells.values(row)
            cells.check(values, self.number)
            deepcopy(self.facts).check(table.name, values)
        except ROW_ERRORS as error:
            assert len(str(error)) < 600
            return False
        return True


def mutated_rows(world: World, check: Check) -> tuple[Rows, int, int]:
    """Rows with junk that the check lets pass, in most rows with JSON; how often it passed and did not.

    Each row has random numbers of its own, so that the junk is the same on every database.
    """
    found: Rows = {}
    passed = refused = 0
    for table in tables():
        columns = [field for one, field in json_columns() if one is table]
        if not columns:
            continue
        names, *rows = world.rows[table.name]
        cells = check.cells(table)
        for number, row in enumerate(rows[:200]):
            draw = random.Random(f"0 {table.name} {number}")
            for _ in range(TRIES):
                other = deepcopy(row)
                place = names.index(draw.choice(columns))
                other[place] = mutated(other[place], draw)
                if other[place] != row[place] and check.passes(table, cells, other):
                    passed += 1
                    rows[number] = other
                    break
                refused += 1
        found[table.name] = [names, *rows]
    return found, passed, refused


def test_junk_in_json_is_refused_or_harms_no_page(world: World) -> None:
    rows, passed, refused = mutated_rows(world, Check(world))
    assert passed > 50 and refused > passed
    failed = []
    with undone():
        copy = world.imported(rows)
        clients = {}
        for role in ROLES:
            clients[role] = APIClient(raise_request_exception=False)
            clients[role].force_login(world.people[role])
        cache.clear()
        asked = 0
        for role, address in addresses(copy):
            with undone():
                status = drained(clients[role].get(address)).status_code
            asked += 1
            if status >= 500:
                failed.append((status, address))
    assert asked > 150
    assert not failed
