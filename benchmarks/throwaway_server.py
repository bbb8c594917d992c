"""A server of its own for a benchmark: real settings, gunicorn, a database that is removed."""

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
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

REPOSITORY = Path(__file__).resolve().parent.parent
SETTINGS = REPOSITORY / "ops" / "launcher" / "gunicorn_settings.py"
START_SECONDS = 180
Made = TypeVar("Made")


class Server:
    """Gunicorn on a port that stays open while it is killed and started again: who calls meanwhile waits."""

    def __init__(self, listener: socket.socket, folder: Path) -> None:
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Raises TimeoutError when the server does not answer."""
        descriptor = self._listener.fileno()
        command = [sys.executable, "-m", "gunicorn", "config.wsgi:application", "--config", str(SETTINGS)]
        with (self._folder / "web.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--bind", f"fd://{descriptor}"],
                cwd=REPOSITORY,
                pass_fds=[descriptor],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._await(self._process)

    def kill(self) -> None:
        """Every process of it at once, as a power cut would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=20)

    def cpu_seconds(self) -> float | None:
        """What its processes have used so far; None where /proc does not tell."""
        if self._process is None or not Path("/proc/self/stat").exists():
            return None
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == self._process.pid:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def _await(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/livez", timeout=60):
                    return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError(f"The server at {self.address} did not answer within {START_SECONDS} s.")


@contextmanager
def throwaway_server(make: Callable[[], Made], *, database_url: str = "") -> Iterator[tuple[Server, Made]]:
    """Gives a running server and what `make()` returned, which fills the database before the start.

    Without a `database_url` it is SQLite in a folder that is removed. Django is set up in this process on the
    same database. Raises TimeoutError when the server does not come.
    """
    folder = Path(tempfile.mkdtemp(prefix="paragold-benchmark-"))
    server = None
    try:
        os.environ |= {
            "PARAGOLD_VAR": str(folder),
            "PARAGOLD_SECRET_KEY": "benchmark-" + "x" * 50,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
            "DATABASE_URL": database_url,
        }
        made = _prepare(make)
        with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
            server = Server(listener, folder)
            server.start()
            yield server, made
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _prepare(make: Callable[[], Made]) -> Made:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections

    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    made = make()
    connections.close_all()
    return made


def percentile(values: list[float], share: float) -> float | None:
    """The value below which `share` (0 to 1) of the values lie, by nearest rank, to 0.1; None if empty."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else None
