"""Keeps the web server and the worker running, and stops them together."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ops.launcher.installation import LauncherError
from ops.launcher.tether import Forked, Tether, signal_group

# Of Django, gunicorn and Celery alike: before the level come the time and brackets only, or its name in JSON.
ERROR = re.compile(r"^(?:[^A-Za-z]{0,60}|\{\"level\": \")(?:ERROR|CRITICAL)\b")


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, with this process's environment and folder, and where it writes.

    A module of Python (`-m`) is forked, so that it shares what this process has loaded.
    """

    name: str
    command: Sequence[str]
    log: Path
    descriptors: tuple[int, ...] = ()
    essential: bool = True
    """Whether the rest is of no use without it, so that its repeated deaths end everything."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: a life shorter than `quick` is a quick death; the wait before a restart doubles each time."""

    quick: float = 20.0
    first_wait: float = 1.0
    longest_wait: float = 30.0
    quick_deaths: int = 5


class LogFile:
    """A child's log, written by the child itself, followed and rotated by the launcher.

    Up to `limit` bytes, and `keep` older files beside it (`web.log.1` is the youngest).

    The child holds the file open in append mode, so rotation copies and truncates: a line written in the
    moment between is lost, and in return the child needs no launcher to go on writing.
    """

    def __init__(self, path: Path, *, limit: int = 5 << 20, keep: int = 3) -> None:
        self.path = path
        self._limit = limit
        self._keep = keep
        self._seen = path.stat().st_size if path.exists() else 0

    def open(self) -> int:
        """A descriptor for the child; the caller closes it."""
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def new_errors(self) -> list[str]:
        """The lines of level ERROR and CRITICAL written in full since the last call."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(self._seen if self._seen <= size else 0)
            text = stream.read()
        end = text.rfind(b"\n") + 1
        self._seen = min(self._seen, size) + end if self._seen <= size else end
        return [line for line in text[:end].decode(errors="replace").split("\n") if ERROR.match(line)]

    def tail(self, lines: int = 15) -> str:
        if not self.path.exists():
            return ""
        with self.path.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - 16_384))
            return "\n".join(stream.read().decode(errors="replace").rstrip().split("\n")[-lines:])

    def rotate(self) -> None:
        """Begin an empty file once it has reached its limit; without room for a copy, its lines are lost."""
        if not self.path.exists() or self.path.stat().st_size < self._limit:
            return
        copy = self._numbered(0)
        try:
            shutil.copy2(self.path, copy)
        except OSError:
            copy.unlink(missing_ok=True)
        else:
            for number in range(self._keep - 1, -1, -1):
                if self._numbered(number).exists():
                    self._numbered(number).replace(self._numbered(number + 1))
        os.truncate(self.path, 0)
        self._seen = 0

    def _numbered(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")


class Child:
    def __init__(self, program: Program, tether: Tether) -> None:
        self.program = program
        self.log = LogFile(program.log)
        self.quick_deaths = 0
        self.start_at = 0.0
        self.started = 0.0
        self.process: subprocess.Popen[bytes] | Forked | None = None
        self._tether = tether

    def start(self) -> None:
        descriptor = self.log.open()
        command, descriptors = self.program.command, self.program.descriptors
        try:
            if command[:2] == (sys.executable, "-m"):
                self.process = self._tether.fork(
                    command[2:], name=self.program.name, output=descriptor, pass_fds=descriptors
                )
            else:
                self.process = self._tether.start(
                    command, stdout=descriptor, stderr=descriptor, pass_fds=descriptors
                )
        finally:
            os.close(descriptor)
        self.started = time.monotonic()

    def terminate(self) -> None:
        """Ask only the head of the group: it lets its own children finish the task or request they are at."""
        if self.process is not None:
            self.process.terminate()

    def is_gone(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def kill(self) -> None:
        """Kill what is left of the group, and let go of it."""
        if self.process is None:
            return
        signal_group(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._tether.forget(self.process.pid)
        self.process = None


def describe_exit(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


class Supervisor:
    """Restarts a child that dies, each time waiting longer; gives up after too many quick deaths of an
    essential one."""

    def __init__(
        self,
        programs: Sequence[Program],
        tether: Tether,
        *,
        report: Callable[[str], None],
        patience: Patience | None = None,
    ) -> None:
        self.children = [Child(program, tether) for program in programs]
        self._report = report
        self._patience = patience or Patience()

    def start(self) -> None:
        for child in self.children:
            child.start()

    def check_children(self) -> None:
        """One round: dead children, restarts that are due, new errors in the logs, rotation.

        Raises LauncherError when an essential child has died too often, with the tail of its log.
        """
        for child in self.children:
            self._show_errors(child)
            child.log.rotate()
            if child.process is None:
                if time.monotonic() >= child.start_at:
                    child.start()
            elif (code := child.process.poll()) is not None:
                self._schedule_restart(child, code)

    def _schedule_restart(self, child: Child, code: int) -> None:
        patience, name = self._patience, child.program.name
        lived = time.monotonic() - child.started
        child.kill()
        child.quick_deaths = child.quick_deaths + 1 if lived < patience.quick else 0
        often = (
            f"The {name} ended {child.quick_deaths} times in a row ({describe_exit(code)}). "
            f"The end of {child.program.log}:\n{child.log.tail()}"
        )
        if child.program.essential and child.quick_deaths >= patience.quick_deaths:
            raise LauncherError(often)
        if child.quick_deaths == patience.quick_deaths:
            self._report(f"{often}\nEverything else keeps running. It is restarted again and again.")
        wait = min(patience.longest_wait, patience.first_wait * 2 ** max(0, child.quick_deaths - 1))
        if child.quick_deaths >= patience.quick_deaths:
            wait = patience.longest_wait
        child.start_at = time.monotonic() + wait
        self._report(f"The {name} ended ({describe_exit(code)}); starting it again in {wait:.0f} s.")

    def _show_errors(self, child: Child) -> None:
        errors = child.log.new_errors()
        for line in errors[:3]:
            self._report(f"{child.program.name}: {line[:300]}")
        if len(errors) > 3:
            self._report(f"{child.program.name}: {len(errors) - 3} more errors in {child.program.log}")

    def stop(self, *, grace: float = 8.0, hurry: Callable[[], bool] = lambda: False) -> None:
        """TERM, then KILL to what is left once `grace` seconds have passed or `hurry` says so."""
        for child in self.children:
            child.terminate()
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline and not hurry():
            if all(child.is_gone() for child in self.children):
                break
            time.sleep(0.05)
        for child in self.children:
            child.kill()
