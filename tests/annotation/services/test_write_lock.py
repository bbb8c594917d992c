import fcntl
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from annotation.services.answers import write_lock
from projects.error_responses import BUSY, overload_of
from projects.lock_wait import lock_wait
from projects.models import Project
from tests.factories.corpus import ProjectFactory
from tests.projects.test_overload import needs_sqlite


@pytest.mark.django_db(transaction=True)
def test_readers_who_then_write_overwrite_nothing():
    """Each reads a number and stores the next: none is lost, also where one transaction is inside another."""
    project = ProjectFactory(name="0")

    def count(number):
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
def test_what_fails_is_taken_back_and_holds_nobody_up():
    project = ProjectFactory(name="kept")
    with pytest.raises(RuntimeError), write_lock():
        Project.objects.filter(pk=project.pk).update(name="changed")
        raise RuntimeError
    with write_lock():
        assert Project.objects.get(pk=project.pk).name == "kept"


@needs_sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by", ["file", "database", "both"])
def test_all_of_the_wait_has_one_deadline(by):
    """Whether another process has the turn, the database, or both, and however many wait in this one."""
    name = connection.settings_dict["NAME"]
    with ExitStack() as held:
        if by != "database":
            turn = held.enter_context(Path(f"{name}-turn").open("ab"))
            fcntl.flock(turn, fcntl.LOCK_EX)
        if by != "file":
            holder = held.enter_context(closing(sqlite3.connect(name, isolation_level=None)))
            holder.execute("BEGIN IMMEDIATE")

        def save(number):
            try:
                with lock_wait(1), write_lock():
                    Project.objects.filter(pk=number).update(name="x")
                return "saved"
            except OperationalError as error:
                assert overload_of(error) == BUSY
                return "busy"
            finally:
                connection.close()

        began = time.monotonic()
        with ThreadPoolExecutor(6) as pool:
            ends = set(pool.map(save, range(6)))
        assert 0.9 < time.monotonic() - began < 5
    # A turn is a matter of order only: without it the database decides.
    assert "busy" in ends if by != "file" else "saved" in ends


@needs_sqlite
@pytest.mark.django_db(transaction=True)
def test_a_process_that_ends_gives_its_turn_back():
    name = connection.settings_dict["NAME"]
    program = (
        "import fcntl, sys; f = open(sys.argv[1], 'ab'); fcntl.flock(f, 2); print(1, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, f"{name}-turn"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline()
        threading.Timer(0.5, holder.kill).start()
        began = time.monotonic()
        with write_lock():
            assert 0.3 < time.monotonic() - began < 5
