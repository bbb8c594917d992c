"""Throw-away installations for benchmarks and pictures: web server and worker as the launcher starts them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from ops.launcher.installation import REPOSITORY, Installation
from ops.launcher.programs import environment, web
from ops.launcher.supervisor import Program
from scripts import services

START_SECONDS = 180
CSRF = "c" * 32
Made = TypeVar("Made")


class Running:
    """A program of an installation in a process group of its own, and what its processes cost (by /proc)."""

    def __init__(self, program: Program, ready: Callable[[], bool]) -> None:
        self._program = program
        self._ready = ready
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Raises TimeoutError when it does not become ready."""
        program = self._program
        with program.log.open("ab") as log:
            self._process = subprocess.Popen(
                program.command,
                cwd=REPOSITORY,
                env=environment(Installation(program.log.parents[1])),
                stdout=log,
                stderr=log,
                pass_fds=program.descriptors,
                start_new_session=True,
            )
        until = time.monotonic() + START_SECONDS
        while not self._ready():
            if time.monotonic() > until or self._process.poll() is not None:
                sys.stderr.write(program.log.read_text(errors="replace")[-2000:])
                raise TimeoutError(f"The {program.name} was not ready within {START_SECONDS} s.")
            time.sleep(0.2)

    def kill(self) -> None:
        """Every process of it at once, as a power cut would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=60)

    def of_group(self) -> dict[int, list[str]]:
        leader = str(self._process.pid) if self._process else ""
        return {pid: fields for pid, _, fields in processes() if fields[2] == leader}

    def cpu_seconds(self) -> float:
        return sum(map(cpu_seconds_of, self.of_group().values()))

    def megabytes(self, what: str = "VmRSS") -> list[float]:
        """`VmRSS` (now) or `VmHWM` (the most so far) of each process, in MB (2**20 bytes)."""
        sizes = []
        for pid in self.of_group():
            with suppress(OSError):
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                sizes += [int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{what}:")]
        return sizes

    def forget_peaks(self) -> None:
        """From now on `VmHWM` is the most since this moment."""
        for pid in self.of_group():
            with suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text("5")


def processes() -> Iterator[tuple[int, str, list[str]]]:
    """Id and name of each process, and the fields behind: state, parent, group ... (proc_pid_stat(5))."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, fields = stat.read_text().rpartition(")")
            yield int(stat.parent.name), name.partition("(")[2], fields.split()


def cpu_seconds_of(fields: list[str], *, children: bool = False) -> float:
    """User and system time, of the children that have ended too."""
    return sum(map(int, fields[11 : 15 if children else 13])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(program: Program, ready: Callable[[], bool]) -> Iterator[Running]:
    """The program until the end of the block, or until this process is told to end (SIGTERM)."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    one = Running(program, ready)
    try:
        one.start()
        yield one
    finally:
        one.stop()


def worker_is_there() -> bool:
    from jobs.models import WorkerHeartbeat

    return WorkerHeartbeat.objects.alive().exists()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/livez", timeout=60):
            return True
    except OSError:
        return False


@contextmanager
def throwaway_installation(
    database: str = "sqlite", folder: Path | None = None, *, queue: bool = True
) -> Iterator[Installation]:
    """An installation in a folder that is removed, its database migrated; Django is set up here on it.

    The folder is made in `folder`, or where temporary files are.
    `database` is sqlite or postgresql, a throw-away one without fsync. `queue`: whether its queue runs. One
    installation in a process.
    """
    with ExitStack() as stack:
        var = tempfile.mkdtemp(prefix="paragold-bench-", dir=folder)
        stack.callback(shutil.rmtree, var, ignore_errors=True)
        os.environ |= {
            "PARAGOLD_VAR": var,
            "PARAGOLD_SECRET_KEY": "benchmark-" + "x" * 50,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DJANGO_ALLOW_ASYNC_UNSAFE": "true",  # Playwright's loop runs in this thread
            "DATABASE_URL": stack.enter_context(services.postgresql()) if database == "postgresql" else "",
            "REDIS_URL": "",
        }
        installation = Installation.from_environment()
        installation.create(again="")
        if queue:
            stack.enter_context(services.queue(installation.var))
        os.environ |= environment(installation)
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", interactive=False, verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        yield installation


@contextmanager
def served(installation: Installation) -> Iterator[tuple[Running, str]]:
    """The web server and its address. The port stays open while it is killed and started: who calls waits."""
    from django.db import connections

    connections.close_all()
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with running(web(installation, listener.fileno()), ready=lambda: answers(address)) as server:
            yield server, address


@contextmanager
def throwaway_server(
    make: Callable[[], Made], database: str = "sqlite"
) -> Iterator[tuple[Running, str, Made]]:
    """A server, its address, and what `make()` returned, which fills the database before the start."""
    with throwaway_installation(database) as installation:
        made = make()
        with served(installation) as (server, address):
            yield server, address, made


def signed_in(user: Any) -> str:
    """The cookies of a browser in which the user is logged in, as a header."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={CSRF}"
