"""A project with every kind of object and file, and what an installation holds, to compare with before."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

from django.apps import apps
from django.conf import settings

from alignment.models import GoldAlignmentSet, TrainedAligner
from annotation.models import Assignment, Phenomenon, PhenomenonCount
from corpus.models import (
    Cluster,
    CorpusImport,
    ImportState,
    KeptNumbers,
    LexiconEntry,
    LexiconRating,
)
from corpus.models.lexicon import Verdict
from corpus.services.import_storing import open_staging
from corpus.services.uploads import keep_upload, new_token, records_path
from jobs.models import ACTIVE
from jobs.services.running import run_here
from ops.archive.archive_storage import request_archive
from projects.models import AuditEntry, Membership, Project
from tests.ops.everything import fill_everything
from tests.permissions.people import People, make_people

# Accounts stay, and what the installation knows of sites, itself, sessions and what was done.
STAYS = {
    "jobs.WorkerHeartbeat",
    "projects.ApiToken",
    "projects.AuditEntry",
    "sessions.Session",
}
# How people log in.
OF_PEOPLE = {"account", "auth", "contenttypes", "mfa", "socialaccount", "usersessions"}
# Made in none of these tests.
OF_NO_PROJECT = {
    "annotation.KeyBindings",
    "projects.LoginCount",
    "projects.OwnLanguage",
    "projects.Submission",
}


def rows():
    """How many rows of projects there are in each table."""
    counts = {}
    for model in apps.get_models(include_auto_created=True):
        label = model._meta.label
        if label in STAYS or model._meta.app_label in OF_PEOPLE:
            continue
        counts[label] = model._base_manager.count()
    return counts


def files():
    """The files of the data folder, but for the broker's and the database."""
    var = Path(settings.VAR)
    found = (path for path in var.rglob("*") if path.is_file() and not path.name.startswith("test.sqlite3"))
    return {str(path.relative_to(var)) for path in found if "broker" not in path.parts}


@dataclass
class World:
    people: People
    rows_without: dict[str, int]
    files_without: set[str]

    @property
    def project(self):
        return Project.everything.get(slug="dams")


def make_world(folder):
    """A project with everything, beside another; `rows_without` and `files_without` are of the other."""
    people = make_people()
    project, files_without, rows_without = people.project, files(), rows()
    rows_without["projects.Project"] -= 1
    rows_without["projects.Membership"] -= Membership.objects.filter(project=project).count()
    fill_everything(people, folder)
    Project.everything.filter(slug__startswith="deleted-").delete()
    run_here(job=request_archive(project=project, by=people["manager"]))
    keep_upload(
        pieces=[b"123456789"],
        filename="a.jsonl",
        size=9,
        encoding="utf-8",
        project=project,
        user=people["manager"],
    )
    storing = CorpusImport.objects.create(
        project=project, state=ImportState.STORING, filename="b.jsonl", sha256="0", token=new_token()
    )
    records_path(storing.token).write_text("{}")
    storing.staging = open_staging(storing)
    storing.save()
    Cluster.objects.create(project=storing.staging, key="half")
    judged = Assignment.objects.exclude(judgement=None).first()
    PhenomenonCount.objects.create(assignment=judged, phenomenon=Phenomenon.SYNONYMY, count=1)
    entry = LexiconEntry.objects.first()
    LexiconRating.objects.create(entry=entry, rater=people["adjudicator"], verdict=Verdict.values[0])
    KeptNumbers.objects.create(project=project, name="pairs", numbers={})
    taught = TrainedAligner.objects.filter(project=project)[0]
    taught.texts.add(GoldAlignmentSet.objects.filter(project=project)[0])
    assert {label for label, count in rows().items() if not count} == OF_NO_PROJECT
    kinds = {name.split("/")[0] for name in files() - files_without}
    assert kinds >= {"aligners", "archives", "exports", "uploads"}, kinds
    assert not project.jobs.filter(state__in=ACTIVE).exists()
    return World(people, rows_without, files_without)


def traces(*texts):
    """Where one of the texts is in the database, but for the audit log, and in the files."""
    places = [
        f"{model._meta.label}: {row}"
        for model in set(apps.get_models(include_auto_created=True)) - {AuditEntry}
        for row in model._base_manager.values()
        if any(text in str(row) for text in texts)
    ]
    for name in files():
        path = Path(settings.VAR) / name
        contents = [path.read_bytes()]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                contents = [archive.read(entry) for entry in archive.namelist()]
        places += [name for text in texts if any(text.encode() in content for content in contents)]
    return places
