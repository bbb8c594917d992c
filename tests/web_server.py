"""Gunicorn beside a test, with the settings of an installation, on the test's database."""

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing, contextmanager

from tests.worker_process import REPOSITORY, database_url

PATIENCE = 60


@contextmanager
def web_server(log, *, workers=2, threads=4, lock_seconds=10, **variables):
    """So many processes and threads, and further variables of the environment; gives the address.

    The data folder is that of the log.
    """
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings_test",
        "DATABASE_URL": database_url(),
        "PARAGOLD_TEST_VAR": str(log.parent),
        "PARAGOLD_VAR": str(log.parent),
        "PARAGOLD_WEB_WORKERS": str(workers),
        "PARAGOLD_WEB_THREADS": str(threads),
        "PARAGOLD_LOCK_SECONDS": str(lock_seconds),
        **variables,
    }
    file = REPOSITORY / "ops" / "launcher" / "gunicorn_settings.py"
    command = [sys.executable, "-m", "gunicorn", "config.wsgi:application", "--config", str(file)]
    with closing(socket.create_server(("127.0.0.1", 0))) as listener, log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--bind", f"fd://{listener.fileno()}"],
            cwd=REPOSITORY,
            env=environment,
            pass_fds=[listener.fileno()],
            stdout=output,
            stderr=output,
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.kill()
            process.wait(timeout=PATIENCE)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def status(request):
    """The status, without following redirects. Raises OSError when there is no answer in time."""
    try:
        with _opener.open(request, timeout=PATIENCE) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
