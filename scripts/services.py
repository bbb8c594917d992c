"""A throw-away PostgreSQL, Redis and S3 store for tests: on free loopback ports, gone when left.

No system service is touched, and a kill -9 of the caller leaves nothing running (ops.launcher.tether).
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ops.launcher import programs
from ops.launcher.installation import Installation
from ops.launcher.tether import Tether, signal_group

REPOSITORY = Path(__file__).resolve().parents[1]
START_WITHIN = 120.0
LOOPBACK = "127.0.0.1"


class ServiceError(Exception):
    """A server is missing or did not start; says which and why."""


def find_postgresql() -> Path | None:
    """The folder with initdb and postgres: on PATH, or where Debian keeps it (the newest)."""
    found = shutil.which("initdb")
    if found and shutil.which("postgres"):
        return Path(found).resolve().parent
    versions = [
        folder for folder in Path("/usr/lib/postgresql").glob("*/bin") if (folder / "initdb").exists()
    ]
    return max(versions, key=lambda folder: float(folder.parent.name), default=None)


def find_browser(*preferred: str) -> str | None:
    """Chromium for Playwright: rather the headless shell, which takes a quarter of the processor time."""
    names = (*preferred, "chromium-headless-shell", "chromium", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


def free_port() -> int:
    """A port below those that systems give to connections by themselves: it is still free when used."""
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _is_listening(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((host, port)) == 0


@contextlib.contextmanager
def _running(command: list[str], log: Path, *, stop: int, answers: Callable[[], bool]) -> Iterator[None]:
    """The command in a group of its own until the block ends; `stop` is the signal it ends on quickly."""
    tether = Tether(grace=5)
    with log.open("ab") as stream:
        process = tether.start(command, stdout=stream, stderr=stream)
    try:
        deadline = time.monotonic() + START_WITHIN
        while not answers():
            if process.poll() is not None or time.monotonic() > deadline:
                raise ServiceError(
                    f"{Path(command[0]).name} did not start:\n{log.read_text(errors='replace')}"
                )
            time.sleep(0.05)
        yield
    finally:
        signal_group(process.pid, stop)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            signal_group(process.pid, signal.SIGKILL)
            process.wait()
        tether.forget(process.pid)
        tether.close()


@contextlib.contextmanager
def postgresql(host: str = LOOPBACK) -> Iterator[str]:
    """Yields a DATABASE_URL. Durability is switched off: nothing here outlives the tests.

    `host` is an address of this machine; the hosts of its network may connect.

    As root the server runs as the user `postgres`, because it refuses to run as root.
    """
    binaries = find_postgresql()
    if binaries is None:
        raise ServiceError("PostgreSQL is missing (apt-get install postgresql, or brew install postgresql).")
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="paragold-pg-", ignore_cleanup_errors=True) as name:
        folder, password = Path(name), secrets.token_hex(16)
        password_file = folder / "password"
        password_file.write_text(password, encoding="ascii")
        if as_user:
            for path in (folder, password_file):
                shutil.chown(path, user="postgres")
        data = folder / "data"
        made = subprocess.run(
            [
                *as_user, str(binaries / "initdb"), "--pgdata", str(data), "--username", "paragold",
                "--pwfile", str(password_file), "--auth", "scram-sha-256", "--encoding", "UTF8",
                "--locale", "C", "--no-sync",
            ],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if made.returncode != 0:
            raise ServiceError(f"initdb failed:\n{made.stderr}")
        with (data / "pg_hba.conf").open("a", encoding="ascii") as rules:
            rules.write("host all all samenet scram-sha-256\n")
        port = free_port()
        options = {
            "listen_addresses": host, "port": port, "unix_socket_directories": "",
            "max_connections": 200,
            "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "shared_buffers": "64MB",
            # It would measure tables between tests, whose rows never stay, and mislead the planner.
            "autovacuum": "off",
            # Of tables never measured it expects many rows, and compiles queries longer than they take.
            "jit": "off",
        }  # fmt: skip
        settings = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        command = [*as_user, str(binaries / "postgres"), "-D", str(data), *settings]
        url = f"postgresql://paragold:{password}@{host}:{port}/postgres"
        with _running(command, folder / "log", stop=signal.SIGINT, answers=lambda: _accepts_logins(url)):
            yield url


def _accepts_logins(url: str) -> bool:
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


@contextlib.contextmanager
def redis(host: str = LOOPBACK) -> Iterator[str]:
    """Yields a REDIS_URL; nothing is written to disk."""
    binary = shutil.which("redis-server")
    if binary is None:
        raise ServiceError("Redis is missing (apt-get install redis-server, or brew install redis).")
    with tempfile.TemporaryDirectory(prefix="paragold-redis-", ignore_cleanup_errors=True) as name:
        folder, password, port = Path(name), secrets.token_hex(16), free_port()
        # In a file, not on the command line, where every user could read the password.
        config = folder / "redis.conf"
        config.write_text(
            f'bind {host}\nport {port}\nrequirepass {password}\nsave ""\nappendonly no\ndir "{folder}"\n',
            encoding="utf-8",
        )
        command = [binary, str(config)]
        answers = partial(_is_listening, host, port)
        with _running(command, folder / "log", stop=signal.SIGTERM, answers=answers):
            yield f"redis://:{password}@{host}:{port}/0"


@contextlib.contextmanager
def queue(folder: Path) -> Iterator[None]:
    """The queue of an installation in this data folder, as the launcher starts it."""
    installation = Installation(folder)
    installation.logs.mkdir(exist_ok=True)
    program = programs.queue(installation)
    with _running(
        list(program.command), program.log, stop=signal.SIGTERM, answers=installation.queue_socket.exists
    ):
        yield


@contextlib.contextmanager
def s3(host: str = LOOPBACK) -> Iterator[dict[str, str]]:
    """Yields the environment variables of a store with an empty bucket, which is in memory only."""
    import boto3

    port = free_port()
    environment = {
        "PARAGOLD_STORAGE": "s3://paragold/one",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": secrets.token_hex(16),
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    command = [sys.executable, "-m", "moto.server", "--host", host, "--port", str(port)]
    with (
        tempfile.TemporaryDirectory(prefix="paragold-s3-", ignore_cleanup_errors=True) as name,
        _running(
            command, Path(name) / "log", stop=signal.SIGTERM, answers=partial(_is_listening, host, port)
        ),
    ):
        client = boto3.client(
            "s3",
            endpoint_url=environment["AWS_ENDPOINT_URL"],
            aws_access_key_id="key",
            aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
            region_name="us-east-1",
        )
        client.create_bucket(Bucket="paragold")
        yield environment
