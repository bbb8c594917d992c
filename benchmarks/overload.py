"""A demo whose database is locked for 30 s, and then whose disk is full, while four clients judge.

    python -m benchmarks.overload [--seconds 30] [--port 8181]

Needs the right to mount a file system (root): the data folder is a tmpfs that is unmounted in the end. Prints
JSON for each phase: the statuses of the answers sent, the acknowledged ones that are not stored, what /readyz
said, the milliseconds of /livez, and the statuses of uploads. Exits with 1 when an acknowledged answer is not
stored, when a status is neither 200 nor 503 (202 and 507 for uploads), when a refusal has no Retry-After, or
when /livez took a second or more.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.throwaway_server import REPOSITORY, percentile

CLUSTER = {"cluster_id": "c", "articles": [{"id": "a", "text": "The dam broke."}]}
LABELS = ("paraphrase", "not_paraphrase")
START_SECONDS = 240
THINK_SECONDS = 0.2
SIZE = "2g"
# Beyond these an answer is an error.
TRY_LATER = (503, 507)


@dataclass
class Phase:
    """What happened in a phase; times in milliseconds."""

    answers: Counter[str] = field(default_factory=Counter)
    uploads: Counter[str] = field(default_factory=Counter)
    ready: Counter[str] = field(default_factory=Counter)
    livez: list[float] = field(default_factory=list)
    slowest_answer: float = 0.0
    without_retry_after: int = 0

    def figures(self) -> dict[str, Any]:
        return {
            "answers": self.answers,
            "uploads": self.uploads,
            "readyz": self.ready,
            "livez_requests": len(self.livez),
            "livez_p50_ms": percentile(self.livez, 0.5),
            "livez_max_ms": round(max(self.livez), 1),
            "slowest_answer_ms": round(self.slowest_answer),
            "refusals_without_retry_after": self.without_retry_after,
        }


class Run:
    """The phases, what was acknowledged, and the clients that go on until the end."""

    def __init__(self, port: int, passwords: dict[str, str]) -> None:
        self.phases: dict[str, Phase] = {}
        self.phase = Phase()
        self.acknowledged: set[str] = set()
        self.over = threading.Event()
        self._port = port
        self._passwords = passwords

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, str]:
        """Status, JSON and Retry-After; status 0 when the connection broke."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            content = None if body is None else json.dumps(body)
            headers = {"Content-Type": "application/json"} | headers
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read()), response.headers.get("Retry-After", "")
        return 0, None, ""

    def token(self, username: str) -> dict[str, str]:
        body = {"username": username, "password": self._passwords[username]}
        status, answer, _ = self.ask("POST", "/api/v1/auth/login/", body)
        if status != 200:
            raise SystemExit(f"{username} cannot log in: {status} {answer}")
        return {"Authorization": f"Token {answer['token']}"}

    def judge(self, login: dict[str, str], items: list[dict[str, Any]]) -> None:
        """Answer the items again and again, each time with the other label."""
        versions = {item["assignment"]: item["version"] for item in items}
        turn = 0
        while not self.over.is_set():
            turn += 1
            for assignment in versions:
                if self.over.wait(THINK_SECONDS):
                    return
                body = {"label": LABELS[turn % 2], "version": versions[assignment], "milliseconds": 1000}
                key, phase, began = str(uuid.uuid4()), self.phase, time.monotonic()
                path = f"/api/v1/assignments/{assignment}/judgement/"
                status, answer, again = self.ask("PUT", path, body, **login, **{"Idempotency-Key": key})
                phase.slowest_answer = max(phase.slowest_answer, 1000 * (time.monotonic() - began))
                phase.answers[str(status)] += 1
                phase.without_retry_after += status in TRY_LATER and not again
                if status == 200:
                    self.acknowledged.add(key)
                    versions[assignment] = answer["version"]

    def look(self) -> None:
        while not self.over.wait(0.2):
            phase, began = self.phase, time.monotonic()
            if self.ask("GET", "/livez")[0] == 200:
                phase.livez.append(1000 * (time.monotonic() - began))
            else:
                phase.answers["livez failed"] += 1

    def look_slowly(self, login: dict[str, str]) -> None:
        """Ask whether it is ready, and have a small file checked."""
        while not self.over.wait(1):
            phase = self.phase
            status, answer, _ = self.ask("GET", "/readyz")
            phase.ready[f"{status} {(answer or {}).get('problem', '')}".strip()] += 1
            path, kind = "/api/v1/projects/demo/imports/?check=1", {"Content-Type": "application/x-ndjson"}
            status, _, again = self.ask("POST", path, CLUSTER, **login, **kind)
            phase.uploads[str(status)] += 1
            phase.without_retry_after += status == 503 and not again

    @contextmanager
    def during(self, name: str) -> Iterator[None]:
        self.phase = self.phases[name] = Phase()
        yield


def locked(database: Path, seconds: float) -> None:
    with closing(sqlite3.connect(database, isolation_level=None, timeout=10)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        time.sleep(seconds)
        holder.execute("ROLLBACK")


def fill(file: Path) -> None:
    with suppress(OSError), file.open("wb", buffering=0) as rest:
        for block in (1 << 20, 4096):
            with suppress(OSError):
                while True:
                    rest.write(bytes(block))


@contextmanager
def small_disk() -> Iterator[Path]:
    folder = tempfile.mkdtemp(prefix="paragold-overload-")
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
    try:
        yield Path(folder)
    finally:
        subprocess.run(["umount", folder], check=True)
        Path(folder).rmdir()


@contextmanager
def demo(var: Path, port: int) -> Iterator[None]:
    """The demo as `make demo` starts it. Raises TimeoutError when it does not become ready."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PARAGOLD_", "DJANGO_"))}
    command = [sys.executable, "-m", "ops.launcher", "--demo"]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=kept | {"PARAGOLD_VAR": str(var), "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            until = time.monotonic() + START_SECONDS
            probe = [sys.executable, "-m", "ops.launcher.probe", f"http://127.0.0.1:{port}"]
            while subprocess.run(probe, cwd=REPOSITORY, check=False).returncode:
                if time.monotonic() > until or process.poll() is not None:
                    raise TimeoutError(f"The demo was not ready within {START_SECONDS} s.")
                time.sleep(0.5)
            yield
        finally:
            process.terminate()
            process.wait(timeout=60)


def measure(port: int, seconds: float, var: Path) -> dict[str, Any]:
    lines = [line.split() for line in (var / "logins.txt").read_text().splitlines()]
    run = Run(port, {words[-2]: words[-1] for words in lines if len(words) > 1})
    works: list[tuple[Callable[..., None], tuple[Any, ...]]] = [
        (run.look, ()),
        (run.look_slowly, (run.token("manager"),)),
    ]
    for username in ("annotator_a", "annotator_b"):
        login = run.token(username)
        for items in queue(run, login):
            works.append((run.judge, (login, items)))
    threads = [threading.Thread(target=work, args=arguments) for work, arguments in works]
    database = var / "paragold.sqlite3"
    with run.during("before"):
        for thread in threads:
            thread.start()
        time.sleep(seconds / 3)
    try:
        with run.during("database locked"):
            locked(database, seconds)
        with run.during("after the lock"):
            time.sleep(seconds / 3)
        with run.during("disk full"):
            fill(var / "rest")
            time.sleep(seconds)
        (var / "rest").unlink()
        with run.during("after the full disk"):
            time.sleep(seconds / 3)
    finally:
        run.over.set()
        for thread in threads:
            thread.join()
    with closing(sqlite3.connect(database)) as connection:
        stored = {
            str(uuid.UUID(key))
            for (key,) in connection.execute("SELECT key FROM annotation_answer WHERE key IS NOT NULL")
        }
    return {
        "acknowledged": len(run.acknowledged),
        "acknowledged_but_not_stored": len(run.acknowledged - stored),
        "phases": {name: phase.figures() for name, phase in run.phases.items()},
    }


def queue(run: Run, login: dict[str, str]) -> list[list[dict[str, Any]]]:
    """The open items of an annotator in the demo's second batch, for two clients."""
    manager = run.token("manager")
    _, batches, _ = run.ask("GET", "/api/v1/projects/demo/batches/", **manager)
    [batch] = [batch["id"] for batch in batches["items"] if batch["name"] == "Batch 2"]
    _, answer, _ = run.ask("GET", f"/api/v1/batches/{batch}/queue/?limit=20", **login)
    return [answer["items"][::2], answer["items"][1::2]]


def wrong(figures: dict[str, Any]) -> list[str]:
    """What was not as promised."""
    found = []
    if figures["acknowledged_but_not_stored"] or not figures["acknowledged"]:
        found.append("acknowledged answers")
    for name, phase in figures["phases"].items():
        known = {"200", "503"}
        if set(phase["answers"]) - known or set(phase["uploads"]) - {"200", "202", "503", "507"}:
            found.append(f"{name}: statuses")
        if phase["livez_max_ms"] >= 1000:
            found.append(f"{name}: /livez")
        if phase["refusals_without_retry_after"]:
            found.append(f"{name}: Retry-After")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30, help="locked, and full")
    parser.add_argument("--port", type=int, default=8181)
    options = parser.parse_args()
    with small_disk() as var, demo(var, options.port):
        figures = measure(options.port, options.seconds, var)
    problems = wrong(figures)
    print(json.dumps(figures | {"not_as_promised": problems}, indent=2))
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    main()
