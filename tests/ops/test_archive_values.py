from __future__ import annotations

import json
import zipfile
from typing import Any

import pytest
from django.db import models

from alignment.models import ExperimentRow, SuggestedLinks
from alignment.services.trained_aligners.stored import reference
from annotation.models import Item, TrainedClassifier
from annotation.services.classifiers.inspection import labels_in_doubt
from jobs.models import Job
from jobs.services.ledger import retry_job
from ops.archive.storing import import_project
from ops.archive.tables import tables
from ops.archive.writing import export_project
from projects.errors import PublicError
from projects.models import Project
from tests.factories.exports import export_contents
from tests.permissions.objects import undone
from tests.permissions.people import People, make_people

from .everything import fill_everything

pytestmark = pytest.mark.django_db

Rows = dict[str, list[list[Any]]]
"""By table the names of its fields, then its rows, as an archive has them."""


class World:
    """A project with everything, and its archive."""

    def __init__(self, folder):
        self.people: People = make_people()
        fill_everything(self.people, folder)
        self.path = folder / "dams.zip"
        export_project(project=self.people.project, path=self.path)
        with zipfile.ZipFile(self.path) as archive:
            self.rows: Rows = {
                table.name: [json.loads(line) for line in archive.read(f"{table.name}.jsonl").splitlines()]
                for table in tables()
            }

    def imported(self):
        return import_project(path=self.path, slug="copy").project


@pytest.fixture(scope="module")
def world(module_database, tmp_path_factory):
    return World(tmp_path_factory.mktemp("everything"))


def json_columns():
    for table in tables():
        for field in table.fields:
            if isinstance(field, models.JSONField):
                yield table, field.name


def test_every_json_column_is_filled_and_comes_back(world):
    for table, field in json_columns():
        names, *rows = world.rows[table.name]
        place = names.index(field)
        assert any(row[place] for row in rows), f"no service has filled {table.name}.{field}"
    original = world.people.project
    with undone():
        links = original.gold_alignment_sets.get(name="taught")
        expected, _ = export_contents(gold_set=links.batch.gold_set, gold_links=links)
        copy = world.imported()
        again = world.path.with_name("again.zip")
        # The projects have the same rows but for their short name.
        Project.objects.filter(pk=original.pk).update(slug="old")
        Project.objects.filter(pk=copy.pk).update(slug="dams")
        copy.refresh_from_db()
        export_project(project=copy, path=again)
        assert again.read_bytes() == world.path.read_bytes()
        links = copy.gold_alignment_sets.get(name="taught")
        assert export_contents(gold_set=links.batch.gold_set, gold_links=links)[0] == expected


def test_ids_in_json_are_those_of_the_copy(world):
    original = world.people.project
    with undone():
        copy = world.imported()
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


def test_numbers_in_texts_and_of_gold_links_are_those_of_the_copy(world):
    with undone():
        copy = world.imported()
        aligner = copy.trained_aligners.get(name="taught")
        own, other = (copy.gold_alignment_sets.get(name=name) for name in ("taught", "other"))
        assert own.batch.suggester == reference(aligner)
        suggested = SuggestedLinks.objects.filter(item__batch=own.batch)
        assert set(suggested.values_list("setting", flat=True)) == {reference(aligner)}
        of_original, row = (
            ExperimentRow.objects.exclude(other_gold=None).get(experiment__project=project)
            for project in (world.people.project, copy)
        )
        assert set(row.experiment.comparisons) == {str(own.pk)}
        assert row.other_gold.get() == other
        assert row.transfers == of_original.transfers != []
        (settings,) = row.experiment.job.parameters["aligners"]
        assert settings["other_gold"] == [other.pk]


def test_a_job_that_came_unfinished_is_not_taken_up_again(world):
    with undone():
        copy = world.imported()
        job = Job.objects.filter(project=copy, state="cancelled")[0]
        with pytest.raises(PublicError, match="Launch it again"):
            retry_job(job=job)
        job.refresh_from_db()
        assert job.state == "cancelled"
