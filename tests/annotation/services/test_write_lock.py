"""Transactions that are written in turn."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from annotation.services.answers import write_lock
from projects.models import Project
from tests.factories.corpus import ProjectFactory


@pytest.mark.django_db(transaction=True)
def test_readers_who_then_write_overwrite_nothing() -> None:
    """Each reads a number and stores the next: none is lost, also where one transaction is inside another."""
    project = ProjectFactory(name="0")

    def count(number: int) -> None:
        try:
            for _ in range(5):
                with write_lock():
                    locked = Project.objects.select_for_update(of=("self",)).get(pk=project.pk)
                    locked.name = str(int(locked.name) + 1)
                    with write_lock():
                        locked.save()
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(count, range(6)))
    project.refresh_from_db()
    assert project.name == "30"


@pytest.mark.django_db(transaction=True)
def test_what_fails_is_taken_back_and_holds_nobody_up() -> None:
    project = ProjectFactory(name="kept")
    with pytest.raises(RuntimeError), write_lock():
        Project.objects.filter(pk=project.pk).update(name="changed")
        raise RuntimeError
    with write_lock():
        assert Project.objects.get(pk=project.pk).name == "kept"
