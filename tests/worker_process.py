"""A real Celery worker beside a test, on the test's database and broker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress

from django.conf import settings
from django.db import connection

from tests.processes import REPOSITORY


def database_url():
    """The test database's address, as DATABASE_URL takes it."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite://{database['NAME']}"
    user = database["USER"] + (f":{database['PASSWORD']}" if database["PASSWORD"] else "")
    port = f":{database['PORT']}" if database["PORT"] else ""
    host = database["HOST"]
    if host.startswith("/"):
        return f"postgresql://{user}@{port}/{database['NAME']}?host={host}"
    return f"postgresql://{user}@{host}{port}/{database['NAME']}"


class Worker:
    """`python -m ops.workers` in a process group of its own; `kill` leaves it no time for anything."""

    def __init__(
        self,
        log,
        concurrency=1,
        settings_module="config.settings",
        *,
        in_haste=True,
    ):
        """`in_haste`: shorter leases and more signs of life than in an installation: tests need not wait."""
        self._log = log
        self._in_haste = in_haste
        self._settings_module = settings_module
        self._concurrency = concurrency
        self._process: subprocess.Popen[bytes] | None = None

    def start(self):
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": self._settings_module,
            "DATABASE_URL": database_url(),
            "PARAGOLD_VAR": str(settings.VAR),
            "PARAGOLD_WORKERS": str(self._concurrency),
            "PARAGOLD_LOG_LEVEL": "WARNING",
        }
        if self._in_haste:
            environment |= {"PARAGOLD_LEASE_SECONDS": "4", "PARAGOLD_HEARTBEAT_SECONDS": "0.5"}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ops.workers"],
                cwd=REPOSITORY,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def pid(self):
        """The process id of the supervisor of the worker's processes, or None when it is not running."""
        return self._process.pid if self._process else None

    def kill(self):
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=60)
        self._process = None

    def terminate(self):
        """End it as a service manager does; returns its exit code."""
        assert self._process is not None
        self._process.terminate()
        try:
            code = self._process.wait(timeout=60)
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f"The worker did not end.\n{self.log()}") from late
        self._process = None
        return code

    def log(self):
        return self._log.read_text(errors="replace")
