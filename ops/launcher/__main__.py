"""Prepares the installation, then runs queue, web server and workers."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType
from typing import IO, cast

from ops.launcher import programs
from ops.launcher.address import Address
from ops.launcher.installation import (
    INSTALLED,
    PROGRAM,
    REPOSITORY,
    Installation,
    InstanceLock,
    LauncherError,
    Login,
)
from ops.launcher.probe import is_ready
from ops.launcher.supervisor import LogFile, Supervisor
from ops.launcher.tether import Tether, signal_group

READY_WITHIN = 180.0
TICK = 0.2


@dataclass(frozen=True, slots=True)
class Prepared:
    """New logins, and the path of the page that creates the first administrator, or ""."""

    logins: list[Login]
    first_administrator: str


class Stopped(BaseException):
    """Ctrl-C, SIGTERM, or the terminal was closed."""


class StopSignals:
    """Counts requests to stop; raises Stopped while `raising`, so that preparation can be left anywhere."""

    def __init__(self) -> None:
        self.count = 0
        self.raising = True
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.raising:
            self.raising = False
            raise Stopped


def say(line: str) -> None:
    with contextlib.suppress(OSError):  # the terminal may be gone
        print(line, flush=True)  # noqa: T201 - what the launcher says


def main(arguments: Sequence[str] | None = None) -> int:
    name = "paragold run" if INSTALLED else "python -m ops.launcher"
    parser = argparse.ArgumentParser(prog=name, description=__doc__)
    parser.add_argument("--demo", action="store_true", help="load the demo project")
    parser.add_argument(
        "--prepare-only",
        action="store_true",
        help="prepare the installation without starting it",
    )
    parser.add_argument("--only", choices=("web", "workers"), default="", help="of several hosts")
    options = parser.parse_args(arguments)
    signals = StopSignals()
    os.umask(0o077)  # whatever the children write belongs to the user alone
    try:
        launch(signals, demo=options.demo, prepare_only=options.prepare_only, only=options.only)
    except LauncherError as error:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{error}\n")
        return 1
    except Stopped:
        say("Stopped.")
    return 0


def launch(signals: StopSignals, *, demo: bool, prepare_only: bool, only: str) -> None:
    """Runs until it is told to stop, or until the preparation is done. Raises LauncherError, or Stopped."""
    installation = Installation.from_environment()
    address = Address.from_environment()
    again = f"{PROGRAM} {'demo' if demo else 'run'}"
    installation.create(again=again)
    os.environ.update(programs.environment(installation))
    os.chdir(REPOSITORY)
    lock = InstanceLock(installation.lock_file)
    lock.acquire(url=address.url)
    tether = Tether(share=(lock.descriptor,))
    try:
        if prepare_only:
            prepared = prepare(installation, tether, demo=demo)
            say("Prepared.")
            announce_logins(installation, prepared, "")
            return
        serves = only != "workers"
        with address.listen(again=again) if serves else contextlib.nullcontext() as listener:
            prepared = prepare(installation, tether, demo=demo)
            load()
            started = programs.programs(installation, listener.fileno() if listener else -1, only)
            if not serves:
                say("The workers are starting. Ctrl-C stops them.")
            supervisor = Supervisor(started, tether, report=say)
            supervise(supervisor, signals, installation, address, prepared if serves else None)
    finally:
        signals.raising = False
        tether.close()
        lock.release()


def load() -> None:
    """What web server and workers share; by its name, since nothing before this line may need Django."""
    importlib.import_module("ops.launcher.loaded").load()


def prepare(installation: Installation, tether: Tether, *, demo: bool) -> Prepared:
    """Run the preparation in a process of its own; keep the logins it made in `logins.txt`.

    What it says of an upgrade is said at once; the terminal, if there is one, answers its question.
    """
    say("Preparing the database and the demo project ..." if demo else "Preparing the database ...")
    log = LogFile(installation.logs / "preparation.log")
    descriptor = log.open()
    try:
        process = tether.start(
            [sys.executable, "-m", "ops.launcher.preparation", *(["--demo"] if demo else [])],
            stdin=None,
            stdout=subprocess.PIPE,
            stderr=descriptor,
        )
    finally:
        os.close(descriptor)
    logins, path = [], ""
    try:
        with cast("IO[bytes]", process.stdout) as output:
            for line in output:
                words = line.decode().rstrip("\n")
                if words.count("\t") == 2:
                    logins.append(Login(*words.split("\t")))
                elif words.startswith("/"):
                    path = words
                else:
                    say(words)
        process.wait()
    finally:
        if process.poll() is None:  # stopped in the middle
            signal_group(process.pid, signal.SIGTERM)
            process.wait()
        tether.forget(process.pid)
    if process.returncode != 0:
        raise LauncherError(f"The preparation failed. The end of {log.path}:\n{log.tail()}")
    installation.keep_logins(logins)
    return Prepared(logins, path)


def supervise(
    supervisor: Supervisor,
    signals: StopSignals,
    installation: Installation,
    address: Address,
    prepared: Prepared | None,
) -> None:
    """From the start of the programs to their end; all are gone when this returns.

    `prepared` is announced when the web server is ready; None where there is none.
    """
    signals.raising = False
    announced = prepared is None
    deadline = time.monotonic() + READY_WITHIN
    try:
        supervisor.start()
        while signals.count == 0:
            supervisor.check_children()
            if prepared and not announced and is_ready(address.url):
                announce(installation, address, prepared)
                announced = True
            elif not announced and time.monotonic() > deadline:
                tail = LogFile(installation.logs / "web.log").tail()
                raise LauncherError(
                    f"No answer from {address.url}/readyz within {READY_WITHIN:.0f} s. "
                    f"The end of {installation.logs / 'web.log'}:\n{tail}"
                )
            time.sleep(TICK)
        say("\nStopping ...")
    finally:
        requests = signals.count
        supervisor.stop(hurry=lambda: signals.count > requests)
    say("Stopped. No data is lost.")


def announce(installation: Installation, address: Address, prepared: Prepared) -> None:
    say(f"\nParagold is ready: {address.url}\n")
    announce_logins(installation, prepared, address.url)
    if not address.is_loopback:
        say(f"Other machines can reach port {address.port}: read docs/deployment.md first.")
    say("Ctrl-C stops it.")


def announce_logins(installation: Installation, prepared: Prepared, url: str) -> None:
    """How people get in. Without `url`, the path is what follows the address of the installation."""
    if prepared.first_administrator:
        where = "Open this address" if url else "Open this path of the installation"
        say(f"{where} to create the first administrator. It is secret and works once:")
        say(f"  {url}{prepared.first_administrator}")
    if prepared.logins:
        say("Logins (shown only once):")
        for login in prepared.logins:
            say(f"  {login}")
        say(f"They are stored in {installation.logins_file} (only you can read it).")
    elif installation.logins_file.exists():
        say(f"The logins made at the first start are in {installation.logins_file}")


if __name__ == "__main__":
    programs.be_frugal()
    sys.exit(main())
