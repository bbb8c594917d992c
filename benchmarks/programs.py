"""Web server and worker of an installation, started as the launcher starts them, and what they cost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ops.launcher.installation import REPOSITORY, Installation
from ops.launcher.programs import environment
from ops.launcher.supervisor import Program

START_SECONDS = 120


class Group:
    """The processes of a process group, as /proc tells of them."""

    def __init__(self, leader: int) -> None:
        self._leader = leader

    def pids(self) -> list[int]:
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[2]) == self._leader:
                    found.append(int(stat.parent.name))
        return found

    def cpu_seconds(self) -> float:
        ticks = 0
        for pid in self.pids():
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def megabytes(self, what: str = "VmRSS") -> list[float]:
        """`VmRSS` (now) or `VmHWM` (the most so far) of each process, in MB (2**20 bytes)."""
        found = []
        for pid in self.pids():
            with suppress(OSError):
                text = Path(f"/proc/{pid}/status").read_text()
                lines = dict(line.split(":", 1) for line in text.splitlines())
                if what in lines:
                    found.append(int(lines[what].split()[0]) / 1024)
        return found

    def forget_peaks(self) -> None:
        """From now on `VmHWM` is the most since this moment."""
        for pid in self.pids():
            with suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text("5")


@contextmanager
def running(program: Program, ready: Callable[[], bool]) -> Iterator[Group]:
    """The program until the end of the block, or until this process is told to end (SIGTERM).

    Raises TimeoutError when it does not become ready.
    """
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with program.log.open("ab") as log:
        process = subprocess.Popen(
            program.command,
            cwd=REPOSITORY,
            env=environment(Installation(program.log.parents[1])),
            stdout=log,
            stderr=log,
            pass_fds=program.descriptors,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + START_SECONDS
        while not ready():
            if time.monotonic() > until or process.poll() is not None:
                sys.stderr.write(program.log.read_text(errors="replace")[-2000:])
                raise TimeoutError(f"The {program.name} was not ready within {START_SECONDS} s.")
            time.sleep(0.2)
        yield Group(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=60)


def worker_is_there() -> bool:
    from jobs.models import WorkerHeartbeat

    return WorkerHeartbeat.objects.alive().exists()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/livez", timeout=2):
            return True
    except OSError:
        return False


def installation_in(folder: Path, database_url: str = "") -> Installation:
    """An installation in an empty folder, its database migrated; Django is set up in this process on it."""
    os.environ |= {
        "PARAGOLD_VAR": str(folder),
        "PARAGOLD_SECRET_KEY": "benchmark-" + "x" * 50,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url,
    }
    installation = Installation.from_environment()
    installation.create(again="")
    os.environ |= environment(installation)
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    return installation
