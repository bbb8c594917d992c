"""Real Celery workers beside a test, on the test's database and broker."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress

from django.conf import settings
from django.db import connection

from ops.launcher.installation import Installation
from ops.launcher.programs import short_worker, worker
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
    """The Celery worker of an installation, and with `short` that of short jobs too, in one process group.

    `kill` leaves them no time for anything.
    """

    def __init__(self, log, concurrency=1, settings_module="config.settings", *, in_haste=True, short=False):
        """`in_haste`: shorter leases and more signs of life than in an installation: tests need not wait."""
        self._kinds = (worker, short_worker) if short else (worker,)
        self._log = log
        self._in_haste = in_haste
        self._settings_module = settings_module
        self._concurrency = concurrency
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._group = 0

    def start(self):
        """Those that do not run."""
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": self._settings_module,
            "DATABASE_URL": database_url(),
            "PARAGOLD_VAR": str(settings.VAR),
            "PARAGOLD_WORKERS": str(self._concurrency),
            "PARAGOLD_LOG_LEVEL": "WARNING",
        }
        if self._in_haste:
            environment |= {"PARAGOLD_LEASE_SECONDS": "4", "PARAGOLD_HEARTBEAT_SECONDS": "0.5"}
        installation = Installation(settings.VAR)
        for program in (kind(installation) for kind in self._kinds):
            running = self._processes.get(program.name)
            if running is not None and running.poll() is None:
                continue
            with self._log.open("ab") as log:
                process = subprocess.Popen(
                    program.command,
                    cwd=REPOSITORY,
                    env=environment,
                    stdout=log,
                    stderr=log,
                    process_group=self._group,
                )
            self._group = self._group or process.pid
            self._processes[program.name] = process

    @property
    def parents(self):
        """The ids of the processes that start the others."""
        return [process.pid for process in self._processes.values()]

    def kill(self):
        if self._group:
            self.signal(signal.SIGKILL)
        for process in self._processes.values():
            process.wait(timeout=60)
        self._processes, self._group = {}, 0

    def signal(self, number):
        """To every process of both."""
        with suppress(ProcessLookupError):
            os.killpg(self._group, number)

    def terminate(self):
        """End them as a service manager does; returns their exit codes."""
        for process in self._processes.values():
            process.terminate()
        try:
            codes = [process.wait(timeout=60) for process in self._processes.values()]
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f"The workers did not end.\n{self.log()}") from late
        self._processes, self._group = {}, 0
        return codes

    def log(self):
        return self._log.read_text(errors="replace")
