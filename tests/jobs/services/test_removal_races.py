from __future__ import annotations

import dataclasses
import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Answer, Assignment, Batch
from annotation.services.drawing import draw_judging_batch
from corpus.models import Dataset
from corpus.services.datasets import freeze_dataset
from jobs.models import Job
from jobs.services import removal, retention
from jobs.services.running import run_here
from projects.errors import PublicError
from projects.models import Project, Role
from tests.factories.annotation import judge, judging_batch
from tests.factories.corpus import ProjectFactory, dataset_of, member

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS = 20.0


@pytest.fixture
def project(settings):
    settings.UNDO_DAYS = 0
    made: Project = ProjectFactory(slug="dams", name="Dams")
    for name in ("ann", "ben"):
        member(made, Role.ANNOTATOR, name)
    return made


def in_a_thread(work):
    """Run it beside this thread; what it returned, or the PublicError it raised, is put into the list."""
    results: list[Any] = []

    def run():
        try:
            results.append(work())
        except PublicError as error:
            results.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, results


def wait_until_blocked():
    """Until another transaction waits for this one; SQLite does not say so."""
    until = time.monotonic() + SECONDS
    while connection.vendor == "postgresql" and time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)


@contextmanager
def meanwhile(monkeypatch, kind, work):
    """Let somebody else do the work once a deletion of the kind has been found to be allowed."""
    of = removal.removable_kinds()[kind]
    begun: list[tuple[threading.Thread, list[Any]]] = []
    results: list[Any] = []

    def hide(obj):
        begun.append(in_a_thread(work))
        wait_until_blocked()
        if of.hide:
            of.hide(obj)

    monkeypatch.setitem(removal.removable_kinds(), kind, dataclasses.replace(of, hide=hide))
    yield results
    ((thread, found),) = begun
    thread.join(SECONDS)
    results.extend(found)


def test_an_answer_during_the_deletion_of_its_batch_is_not_acknowledged(project, monkeypatch):
    ann = project.memberships.get(user__username="ann").user
    batch = judging_batch(project, [ann, project.memberships.get(user__username="ben").user], size=2)
    assignment = Assignment.objects.of(ann).filter(item__batch=batch).first()

    def answer():
        judge(assignment)

    monkeypatch.setattr(removal, "PIECES_AT_ONCE", -1)
    with meanwhile(monkeypatch, "batch", answer) as results:
        retention.delete(obj=batch, by=ann)
    assert [type(result) for result in results] == [PublicError]
    assert not Answer.objects.exists()
    run_here(job=Job.objects.get(kind=removal.JOB))
    assert not Batch.everything.exists()


@pytest.mark.parametrize("what", ["batch", "dataset"])
def test_nothing_is_made_of_what_is_being_deleted(project, monkeypatch, what):
    manager = member(project, Role.MANAGER, "manager")
    dataset = dataset_of(project, 4, name="typo")
    extraction = dataset.extractions.get()
    if what == "batch":
        obj: Any = dataset

        def work():
            return draw_judging_batch(
                project=project, by=manager, name="pilot", dataset=dataset, size=2,
                annotators=["ann", "ben"], seed=1, overlap=2,
            )  # fmt: skip
    else:
        Dataset.objects.all().delete()
        obj = extraction

        def work():
            return freeze_dataset(project=project, name="another", extractions=[extraction])

    with meanwhile(monkeypatch, removal.kind_of(obj).name, work) as results:
        retention.delete(obj=obj, by=manager)
    assert [type(result) for result in results] == [PublicError]
    assert not type(obj).everything.filter(pk=obj.pk).exists()
    assert not Batch.everything.exists() and not Dataset.objects.filter(name="another").exists()


@pytest.mark.parametrize("first", ["restored", "removed"])
def test_what_is_restored_while_it_is_removed_is_either(project, settings, monkeypatch, first):
    """Whoever holds the row first is the one; the other one says so."""
    settings.UNDO_DAYS = 7
    manager = member(project, Role.MANAGER, "manager")
    dataset = dataset_of(project, 2, name="typo")
    retention.delete(obj=dataset, by=manager)
    Dataset.everything.update(deleted_at=timezone.now() - timedelta(days=8))
    changes = {
        "restored": lambda: retention.restore(obj=dataset, by=manager),
        "removed": lambda: retention.remove(obj=dataset, by=None),
    }
    second = next(change for name, change in changes.items() if name != first)
    begun = []
    recorded = retention._record

    def record(event, obj, by):
        if not begun:
            begun.append(in_a_thread(second))
            wait_until_blocked()
        recorded(event, obj, by)

    monkeypatch.setattr(retention, "_record", record)
    changes[first]()
    ((thread, results),) = begun
    thread.join(SECONDS)
    assert [type(result) for result in results] == [PublicError]
    for job in Job.objects.filter(kind=removal.JOB):
        run_here(job=job)
    assert Dataset.everything.filter(name="typo").exists() == (first == "restored")


def test_two_sweeps_at_the_same_time_remove_once(project, settings):
    settings.UNDO_DAYS = 7
    manager = member(project, Role.MANAGER, "manager")
    dataset = dataset_of(project, 2)
    retention.delete(obj=dataset, by=manager)
    Dataset.everything.update(deleted_at=timezone.now() - timedelta(days=8))
    for thread, _ in [in_a_thread(retention.sweep) for _ in range(3)]:
        thread.join(SECONDS)
    job = Job.objects.get(kind=removal.JOB)
    run_here(job=job)
    assert not Dataset.everything.exists()
