"""Real Celery workers beside a test, on the test's database and broker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress

from django.conf import settings
from django.db import connection

from ops.launcher.installation import Installation
from ops.launcher.programs import short_worker, worker
from tests.processes import REPOSITORY, wait_until


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


# As the launcher: loads what all programs share once, then forks each. A line of JSON is an order; the line
# that answers it a process id, or the exit code, null of a process that runs.
FORKING = """
import json, os, runpy, sys
from ops.launcher.loaded import load
from ops.launcher.tether import Forked

def become(*command):
    os.dup2(2, 1)
    sys.argv = [*command]
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)

load()
children = {}
for line in sys.stdin:
    number, *command = json.loads(line)
    if command:
        child = Forked(become, *command)
        children[child.pid] = child
        os.setpgid(child.pid, number or child.pid)
        print(child.pid, flush=True)
    else:
        print(json.dumps(children[number].poll()), flush=True)
"""


class Worker:
    """The Celery worker of an installation, and with `short` that of short jobs too, in one process group.

    `kill` leaves them no time for anything; `close` comes last.
    """

    def __init__(self, log, concurrency=1, settings_module="config.settings", *, in_haste=True, short=False):
        """`in_haste`: shorter leases and more signs of life than in an installation: tests need not wait."""
        self._kinds = (worker, short_worker) if short else (worker,)
        self._log = log
        self._in_haste = in_haste
        self._settings_module = settings_module
        self._concurrency = concurrency
        self._processes: dict[str, int] = {}
        self._group = 0
        self._forking: subprocess.Popen[str] | None = None

    def start(self):
        """Those that do not run."""
        installation = Installation(settings.VAR)
        for program in (kind(installation) for kind in self._kinds):
            pid = self._processes.get(program.name)
            if pid is not None and self._order(pid) is None:
                continue
            pid = self._order(self._group, *program.command[2:])
            self._group = self._group or pid
            self._processes[program.name] = pid

    def _order(self, *order):
        self._forking = self._forking or self._start_forking()
        self._forking.stdin.write(json.dumps(order) + "\n")
        self._forking.stdin.flush()
        return json.loads(self._forking.stdout.readline())

    def _start_forking(self):
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
            return subprocess.Popen(
                [sys.executable, "-c", FORKING],
                cwd=REPOSITORY,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def kill(self):
        if self._group:
            self.signal(signal.SIGKILL)
        self._ended()

    def close(self):
        self.kill()
        if self._forking is not None:
            self._forking.communicate()

    def signal(self, number):
        """To every process of both."""
        with suppress(ProcessLookupError):
            os.killpg(self._group, number)

    def terminate(self):
        """End them as a service manager does; returns their exit codes."""
        for pid in self._processes.values():
            os.kill(pid, signal.SIGTERM)
        return self._ended()

    def _ended(self):
        """Wait for their end; the exit codes."""
        pids = [*self._processes.values()]
        wait_until(lambda: None not in map(self._order, pids), 60, f"the workers end\n{self.log()}")
        self._processes, self._group = {}, 0
        return [self._order(pid) for pid in pids]

    def log(self):
        return self._log.read_text(errors="replace") if self._log.exists() else ""
