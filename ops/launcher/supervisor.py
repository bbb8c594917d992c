"""Keeps the web server and the worker running, and stops them together."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ops.launcher.errors import LauncherError
from ops.launcher.log_file import LogFile
from ops.launcher.tether import Tether, signal_group


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, how, and where it writes."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
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


class Child:
    def __init__(self, program: Program, tether: Tether) -> None:
        self.program = program
        self.log = LogFile(program.log)
        self.quick_deaths = 0
        self.start_at = 0.0
        self.started = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self._tether = tether

    def start(self) -> None:
        descriptor = self.log.open()
        try:
            self.process = self._tether.start(
                self.program.command,
                env=self.program.environment,
                cwd=self.program.folder,
                stdout=descriptor,
                stderr=descriptor,
                pass_fds=self.program.descriptors,
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

    def bury(self) -> None:
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

    def tend(self) -> None:
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
                self._mourn(child, code)

    def _mourn(self, child: Child, code: int) -> None:
        patience, name = self._patience, child.program.name
        lived = time.monotonic() - child.started
        child.bury()
        child.quick_deaths = child.quick_deaths + 1 if lived < patience.quick else 0
        often = (
            f"The {name} ended {child.quick_deaths} times in a row ({describe_exit(code)}). "
            f"The end of {child.program.log}:\n{child.log.tail()}"
        )
        if child.program.essential and child.quick_deaths >= patience.quick_deaths:
            raise LauncherError(often)
        if child.quick_deaths == patience.quick_deaths:
            self._report(f"{often}\nEverything else goes on without it. It is tried again and again.")
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
            child.bury()
