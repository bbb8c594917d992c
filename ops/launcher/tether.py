"""Child processes that cannot outlive the process that started them, whatever kills it.

A small guardian process reads a pipe that only the launcher holds open. Each child writes its process id into
that pipe before it becomes the real program. When the launcher ends, by kill -9 too, the pipe closes, and the
guardian stops every program it knows: TERM, and KILL to its process group after a grace period. This
reaches the children's children and works on macOS, which PR_SET_PDEATHSIG does not.

Run as a script, this file is the guardian (`guard`) and the step before the real program (`run`); it imports
only the standard library and nothing of ours.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any

SCRIPT = [sys.executable, "-I", "-S", str(Path(__file__).resolve())]


def signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def signalled(process: int, number: int) -> bool:
    """Whether the process was there to take the signal; signal 0 only asks."""
    try:
        os.kill(process, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


class Forked:
    """A copy of this process that calls a function, with what is used of `subprocess.Popen`."""

    def __init__(self, function: Callable[..., None], *arguments: object) -> None:
        self._process = multiprocessing.get_context("fork").Process(target=function, args=arguments)
        self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> None:
        self._process.join()

    def terminate(self) -> None:
        self._process.terminate()


class Tether:
    """Starts programs, each in a process group of its own, that end when this process does.

    grace: seconds between TERM and KILL. share: descriptors the guardian keeps open until all is stopped.
    """

    def __init__(self, *, grace: float = 8.0, share: Iterable[int] = ()) -> None:
        reader, self._writer = os.pipe()
        self._guardian = subprocess.Popen(  # noqa: S603 - our own script
            [*SCRIPT, "guard", str(reader), str(grace)],
            pass_fds=(reader, *share),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(reader)

    def start(
        self,
        command: Sequence[str],
        *,
        pass_fds: Iterable[int] = (),
        stdin: int | IO[Any] | None = subprocess.DEVNULL,
        stdout: int | IO[Any] | None = None,
        stderr: int | IO[Any] | None = None,
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - the launcher's own commands
            [*SCRIPT, "run", str(self._writer), *command],
            pass_fds=(self._writer, *pass_fds),
            start_new_session=True,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
        )

    def fork(self, command: Sequence[str], *, name: str, output: int, pass_fds: Iterable[int] = ()) -> Forked:
        """As `start`, of a module and its arguments, in a copy of this process that is called `name`."""
        return Forked(self._become, tuple(command), name, output, sorted(pass_fds))

    def _become(self, command: Sequence[str], name: str, output: int, kept: Sequence[int]) -> None:
        """In the copy: leave what is the launcher's, announce this process, and run the module."""
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            os.write(self._writer, b"%d\n" % os.getpid())
        with contextlib.suppress(OSError):  # what `ps -e` and `top` show; Linux only
            Path("/proc/self/comm").write_text(name, encoding="ascii")
        for stream in (1, 2):
            os.dup2(output, stream)
        first = 3
        for descriptor in (*kept, os.sysconf("SC_OPEN_MAX")):
            os.closerange(first, descriptor)
            first = descriptor + 1
        sys.stdout, sys.stderr = (os.fdopen(number, "w", 1, "utf-8", closefd=False) for number in (1, 2))
        sys.argv = list(command)
        runpy.run_module(command[0], run_name="__main__", alter_sys=True)

    def forget(self, group: int) -> None:
        """The group is gone: its number may soon belong to a stranger."""
        with contextlib.suppress(OSError):
            os.write(self._writer, b"-%d\n" % group)

    def close(self) -> None:
        """Stop what is still running, and the guardian."""
        os.close(self._writer)
        self._guardian.wait()


def run(writer: int, command: list[str]) -> None:
    """Announce this process, then become the program."""
    with contextlib.suppress(OSError):
        os.write(writer, b"%d\n" % os.getpid())
    os.close(writer)
    try:
        os.execvp(command[0], command)  # noqa: S606 - the point is to become the program, without a shell
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(127)


def guard(reader: int, grace: float) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    with os.fdopen(reader) as lines:
        for line in lines:
            group = int(line)
            groups.discard(-group) if group < 0 else groups.add(group)
    heads = {group for group in groups if signalled(group, signal.SIGTERM)}
    deadline = time.monotonic() + grace
    while time.monotonic() < deadline and any(signalled(head, 0) for head in heads):
        time.sleep(0.05)
    for group in groups:
        signal_group(group, signal.SIGKILL)


if __name__ == "__main__":
    if sys.argv[1] == "run":
        run(int(sys.argv[2]), sys.argv[3:])
    else:
        guard(int(sys.argv[2]), float(sys.argv[3]))
