import os
import signal
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from paragold.problems import FileProblem
from projects.parsing import process
from projects.parsing.process import (
    Bounds,
    OverBounds,
    TooManyCalls,
    limited,
    limited_source,
    prepare,
)
from tests.processes import REPOSITORY, runs, wait_until

from . import hostile


@pytest.fixture(autouse=True, scope="module")
def nothing_left():
    yield
    process._end_at_exit()


def bound(monkeypatch, **changes):
    monkeypatch.setattr(process, "UPLOAD", replace(process.UPLOAD, **changes))


def test_arguments_and_results_keep_their_types(tmp_path):
    found = limited(hostile.honest, tmp_path, counts={"a": 1})
    assert found == hostile.honest(tmp_path, counts={"a": 1})
    assert isinstance(found.path, Path) and isinstance(found.texts, tuple)


def test_every_problem_keeps_its_place():
    with pytest.raises(FileProblem) as here:
        hostile.refusing([2, 5])
    with pytest.raises(FileProblem) as there:
        limited(hostile.refusing, [2, 5])
    assert there.value.problems == here.value.problems
    assert str(there.value) == str(here.value)


def test_nothing_of_a_call_is_left_for_the_next():
    (first, one), (second, other) = limited(hostile.numbered_calls), limited(hostile.numbered_calls)
    assert first == second == 1
    assert len({one, other, os.getpid()}) == 3


@pytest.mark.parametrize(
    ("function", "changes", "told"),
    [
        (hostile.endless, {"cpu_seconds": 0}, "takes more than 0 s to read"),
        (hostile.waiting, {"seconds": 1}, "takes more than 1 s to read"),
        (hostile.greedy, {"megabytes": 100}, "takes more than 100 MB of memory to read"),
        (hostile.killed, {}, "crashes its reader"),
        (hostile.talking, {"written_megabytes": 4}, "too large"),
    ],
)
def test_what_takes_too_much_is_refused_and_the_next_is_read(monkeypatch, function, changes, told):
    with monkeypatch.context() as within:
        bound(within, **changes)
        with pytest.raises(OverBounds, match=told) as refusal:
            limited(function)
    assert "Split it" in refusal.value.remedy
    assert limited(hostile.numbered_calls)[0] == 1


def test_no_large_file_is_written(monkeypatch, tmp_path):
    bound(monkeypatch, written_megabytes=1)
    with pytest.raises(RuntimeError, match="OSError"):
        limited(hostile.writing, tmp_path / "large")
    assert (tmp_path / "large").stat().st_size <= 1 << 20


def test_no_network():
    refused = pytest.raises(RuntimeError, match="This process has no network")
    with socket.create_server(("127.0.0.1", 0)) as server, refused:
        limited(hostile.connecting, server.getsockname()[1])
    if subprocess.run(["unshare", "--user", "--net", "true"], check=False).returncode == 0:
        assert limited(hostile.surroundings)["network"] != [str(Path("/proc/self/ns/net").readlink())]


def test_no_secrets_no_database_and_no_processes(monkeypatch):
    monkeypatch.setenv("PARAGOLD_SECRET_KEY", "of the web server")
    monkeypatch.setenv("DATABASE_URL", "of the web server")
    found = limited(hostile.surroundings)
    assert set(found["variables"]) <= {*process._INHERITED_VARIABLES, "LC_CTYPE", "OPENBLAS_NUM_THREADS"}
    assert "pydantic" in found["modules"] and not {"django", "psycopg", "sqlite3"} & set(found["modules"])
    assert found["processes allowed"] == ["0"]


def test_what_is_not_as_declared_is_not_taken():
    with pytest.raises(RuntimeError, match="what it does not declare"):
        limited(hostile.lying)
    # A fault of ours is no problem of the file.
    with pytest.raises(RuntimeError, match="KeyError"):
        limited(hostile.broken)


def test_rows_come_one_by_one_and_may_be_left(monkeypatch):
    assert list(limited_source(hostile.rows, 3)) == [{"number": number} for number in range(3)]
    left = limited_source(hostile.rows, 1_000_000)
    assert next(left) == {"number": 0}
    left.close()
    assert list(limited_source(hostile.rows, 1)) == [{"number": 0}]
    monkeypatch.setattr(process, "SOURCE", Bounds(0, 60, 1024))
    with pytest.raises(OverBounds, match="takes more than 0 s"):
        list(limited_source(hostile.rows, 7))
    # The clock counts from row to row: a long file may take long.
    limited(hostile.numbered_calls)  # it has started
    monkeypatch.setattr(process, "SOURCE", Bounds(60, 1, 1024))
    assert len(list(limited_source(hostile.slow_rows, 3))) == 3


def test_a_prepared_process_is_used():
    process._end_at_exit()
    prepare()
    [waiting] = process._idle
    limited(hostile.numbered_calls)
    assert process._idle == [waiting]
    # One that ended meanwhile, or was killed from outside, is replaced.
    os.kill(waiting.process.pid, signal.SIGKILL)
    waiting.process.wait()
    assert limited(hostile.numbered_calls)[0] == 1
    [other] = process._idle
    assert other is not waiting
    other.since -= process.IDLE_SECONDS  # it is about to end by itself
    assert limited(hostile.numbered_calls)[0] == 1
    assert process._idle != [other]


def test_the_process_ends_when_its_parent_is_killed():
    script = (
        "import sys\n"
        "from projects.parsing import process\n"
        "process.prepare()\n"
        "print(process._idle[0].process.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command, pipes = [sys.executable, "-c", script], {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=REPOSITORY, **pipes) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert runs(child)
        parent.kill()
        parent.wait()
    wait_until(lambda: not runs(child), 60, "the child has ended")


def test_a_fork_of_this_process_has_processes_of_its_own():
    prepare()
    if (fork := os.fork()) == 0:
        os._exit(int(bool(process._idle)))
    assert os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]) == 0
    assert limited(hostile.numbered_calls)[0] == 1


def test_few_threads_wait_for_calls_at_a_time(monkeypatch):
    monkeypatch.setattr(process._share, "free", None)
    process.share_calls(1)
    begun, end = threading.Event(), threading.Event()

    def hold():
        with process._share.hold():
            begun.set()
            end.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    begun.wait(60)
    for work in (lambda: limited(hostile.numbered_calls), lambda: list(limited_source(hostile.talking))):
        with pytest.raises(TooManyCalls):
            work()
    prepare()
    end.set()
    holder.join(60)
    assert limited(hostile.numbered_calls)[0] == 1
    # A thread that waits already may call again: one file may be read in two ways at once.
    with process._share.hold():
        assert limited(hostile.numbered_calls)[0] == 1
    with process._share.hold():
        pass
