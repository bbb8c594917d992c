import os
import re
import signal
import stat
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from ops.launcher.installation import REPOSITORY
from scripts.services import free_port
from tests.migrated import copy_migrated
from tests.processes import PATIENCE, runs, within

# The launcher with workers that end at once, and hardly any wait before the first restarts.
DYING_WORKER = """
import dataclasses, functools, sys
from ops.launcher import __main__ as launcher, programs, supervisor

ends = (sys.executable, "-I", "-S", "-c", "raise SystemExit(3)")
for name in ("worker", "short_worker"):
    program = getattr(programs, name)
    setattr(programs, name, lambda var, program=program: dataclasses.replace(program(var), command=ends))
supervisor.Patience = functools.partial(supervisor.Patience, first_wait=0.01)
sys.exit(launcher.main())
"""


class Launched:
    """One run of the launcher; what it prints goes to a file."""

    def __init__(
        self,
        var,
        port,
        output,
        *arguments,
        program="",
        command=(),
        cwd=REPOSITORY,
        **others,
    ):
        """`command` instead of the launcher of this clone; `others` are variables of the environment."""
        self.url = f"http://127.0.0.1:{port}"
        self.var = var
        self.output = output
        with output.open("wb") as stream:
            self.process = subprocess.Popen(
                command
                or [sys.executable, *(("-c", program) if program else ("-m", "ops.launcher")), *arguments],
                cwd=cwd,
                env={**environment(var, port), **others},
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
            )

    @property
    def words(self):
        return self.output.read_text()

    def runs(self):
        return self.process.poll() is None

    def is_greeted(self):
        return "Ctrl-C stops" in self.words or self.process.poll() is not None

    def family(self):
        """Every process that works for this installation, the launcher itself left out."""
        mark = f"PARAGOLD_VAR={self.var}".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    found[int(folder.name)] = (folder / "comm").read_text().rstrip()
            except OSError:
                continue
        found.pop(self.process.pid, None)
        return {pid: name for pid, name in found.items() if runs(pid)}

    def workers(self):
        """The worker's process that leads its group, without those that it makes."""
        return [pid for pid, name in self.family().items() if name == "worker" and leads(pid)]


def leads(pid):
    try:
        return os.getpgid(pid) == pid
    except ProcessLookupError:
        return False


def environment(var, port):
    """As a newcomer has it; in the gate on servers, on their own Redis database."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PARAGOLD_", "DJANGO_"))}
    if "REDIS_URL" in kept:
        kept["REDIS_URL"] = re.sub(r"/\d+$", "/1", kept["REDIS_URL"])
    return {**kept, "PARAGOLD_VAR": str(var), "PORT": str(port)}


@pytest.fixture
def launch(tmp_path):
    launched: list[Launched] = []

    def start(*arguments, port=None, program="", var=None, **others):
        output = tmp_path / f"output-{len(launched)}"
        one = Launched(
            var or tmp_path / "var", port or free_port(), output, *arguments, program=program, **others
        )
        launched.append(one)
        return launched[-1]

    yield start
    for one in launched:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
        assert within(lambda one=one: not one.family())


def with_database(folder):
    folder.mkdir(mode=0o700)
    copy_migrated(folder / "paragold.sqlite3")
    return folder


def wait_for_greeting(launched):
    assert within(launched.is_greeted), launched.words
    assert launched.process.poll() is None, launched.words


def create_administrator(browser, launched, password):
    """By the address that the first start has printed."""
    link = re.search(rf"  ({launched.url}/first-administrator/\S+/)\n", launched.words)
    assert link, launched.words
    with browser.open(link[1], timeout=PATIENCE) as answer:
        page = answer.read().decode()
    assert "Create the first administrator" in page
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    names = {"username": "ada", "password1": password, "password2": password}
    form = urllib.parse.urlencode(names | {"csrfmiddlewaretoken": token}).encode()
    with browser.open(link[1], form, timeout=PATIENCE) as page:
        assert "/accounts/login/" not in page.url


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")
def test_from_the_first_start_through_kills_to_the_end(launch, tmp_path):
    own = {"DATABASE_URL": ""}  # each has a database of its own
    first = launch(**own)
    dying = {"program": DYING_WORKER, "PARAGOLD_METRICS_TOKEN": "token"}
    other = launch(var=with_database(tmp_path / "other"), **dying, **own)
    wait_for_greeting(first)
    assert f"Paragold is ready: {first.url}\n" in first.words
    with urllib.request.urlopen(first.url + "/readyz", timeout=PATIENCE) as answer:
        assert answer.status == 200
        assert "Server" not in answer.headers and "Date" in answer.headers
    for name in ("secret_key", "log/web.log"):
        assert stat.S_IMODE((first.var / name).stat().st_mode) == 0o600

    # Cookies have no port: without names of its own each installation would overwrite the other's.
    wait_for_greeting(other)
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    for launched, password in ((first, "first password 1"), (other, "second password 2")):
        create_administrator(browser, launched, password)
    for launched in (first, other, first, other):
        with browser.open(launched.url + "/accounts/", timeout=PATIENCE) as page:
            assert page.url == launched.url + "/accounts/", "the login page instead"
            assert "ada, your account" in re.sub("<[^>]+>", "", page.read().decode())

    second = launch(**own)
    assert second.process.wait(timeout=PATIENCE) == 1
    assert second.words.count("\n") == 1
    assert f"already running from this folder: {first.url} (process {first.process.pid})" in second.words

    assert within(first.workers)
    [worker] = first.workers()
    os.kill(worker, signal.SIGKILL)
    line = "The worker ended (killed by SIGKILL); starting it again in 1 s."
    assert within(lambda: line in first.words)
    assert within(lambda: first.workers() not in ([], [worker]))
    assert worker not in first.family()

    key = (first.var / "secret_key").read_bytes()
    first.process.kill()
    first.process.wait()
    again = launch(**own)  # at once: it waits until the children of the first are gone
    people_go_on_without_workers(other)
    wait_for_greeting(again)
    assert "shown only once" not in again.words and "/first-administrator/" not in again.words
    assert (first.var / "secret_key").read_bytes() == key
    assert not (first.var / "logins.txt").exists()
    again.process.send_signal(signal.SIGINT)
    assert again.process.wait(timeout=PATIENCE) == 0
    assert within(lambda: not again.family())


def people_go_on_without_workers(launched):
    assert within(lambda: "The worker ended 5 times in a row" in launched.words or not launched.runs())
    for _ in range(6):
        with urllib.request.urlopen(launched.url + "/accounts/login/", timeout=PATIENCE) as answer:
            assert answer.status == 200
    # Whichever process answers counts the requests of all.
    asked = urllib.request.Request(launched.url + "/metrics", headers={"Authorization": "Bearer token"})
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        figures = answer.read().decode()
    assert 'paragold_request_seconds_count{method="GET",page="account_login",status="200"} 6.0' in figures
    assert 'paragold_workers{state="at work or free"} 0.0' in figures
    launched.process.terminate()
    assert launched.process.wait(timeout=PATIENCE) == 0
