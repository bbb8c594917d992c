"""How others fare during a large upload, while the database is locked, and while the disk is full."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import requests

from benchmarks.measuring import Row, percentile
from benchmarks.visitors import Annotator
from ops.launcher.programs import worker
from scripts.installations import (
    CSRF,
    Running,
    running,
    served,
    signed_in,
    throwaway_installation,
    worker_is_there,
)
from tests.factories.made_up import write_news

DEADLINE = 3_600.0
SIZE = "1g"
LINE = b'{"cluster_id": "c", "articles": [{"id": "a", "text": "The dam broke."}]}'
TRY_LATER = (429, 503)


class Watch:
    """Asks for pages and looks at memory until the end; what it met by phase."""

    def __init__(self, address: str, programs: dict[str, Running]) -> None:
        self.over = threading.Event()
        self._address = address
        self._programs = programs
        self._phase = "start"
        self._rows: dict[str, Row] = {}
        self._asked: list[tuple[str, str, float, int]] = []
        self._silent: list[str] = []

    @contextmanager
    def during(self, phase: str) -> Iterator[None]:
        self._phase, began = phase, time.monotonic()
        row = self._rows[phase] = {"phase": phase}
        yield
        row["s"] = round(time.monotonic() - began, 1)

    def ask(self, kind: str, path: str, cookies: str = "", every: float = 0.2, body: bytes = b"") -> None:
        """Get a page, or post JSON lines, again and again."""
        session = browser(cookies)
        while not self.over.wait(every):
            phase, began = self._phase, time.perf_counter()
            about = {"headers": {"Content-Type": "application/x-ndjson"}, "data": body} if body else {}
            answer = session.request("POST" if body else "GET", self._address + path, timeout=120, **about)
            self._asked.append((phase, kind, 1000 * (time.perf_counter() - began), answer.status_code))
            if body and answer.status_code in TRY_LATER and "Retry-After" not in answer.headers:
                self._silent.append(phase)

    def judge(self, annotator: Annotator) -> None:
        """An annotator's work, whose requests count with the others."""
        annotator.work(self.over.is_set, lambda took: self._asked.append((self._phase, "save", took, 200)))

    def sample(self) -> None:
        while not self.over.wait(0.1):
            row = self._rows.get(self._phase, {})
            for name, program in self._programs.items():
                row[f"{name}_mb"] = max(row.get(f"{name}_mb", 0), round(sum(program.megabytes())))

    @contextmanager
    def watching(self, *works: Callable[[], None]) -> Iterator[None]:
        """Do these works beside the block; what ends one of them is raised."""
        with ThreadPoolExecutor(len(works) + 1) as pool:
            at_work = [pool.submit(work) for work in (self.sample, *works)]
            try:
                yield
            finally:
                self.over.set()
        for work in at_work:
            work.result()

    def rows(self) -> list[Row]:
        """By phase: seconds, memory, statuses of what was asked, median and longest times."""
        for phase, row in self._rows.items():
            mine = [(kind, took, status) for at, kind, took, status in self._asked if at == phase]
            for each in dict.fromkeys(kind for kind, _, _ in mine):
                times = [took for kind, took, _ in mine if kind == each]
                row[each] = dict(Counter(str(status) for kind, _, status in mine if kind == each))
                row |= {f"{each}_p50_ms": percentile(times, 0.5), f"{each}_p95_ms": percentile(times, 0.95)}
                row[f"{each}_max_ms"] = round(max(times), 1)
        return list(self._rows.values())

    def problems(self, expected: dict[str, set[int]]) -> list[str]:
        """Statuses that are not expected, a second or more for /livez, refusals without Retry-After."""
        wrong = {
            f"{phase}: {kind} {status}"
            for phase, kind, took, status in self._asked
            if status not in expected[kind] or (kind == "livez" and took >= 1000)
        }
        return sorted(wrong | {f"{phase}: no Retry-After" for phase in self._silent})


def browser(cookies: str) -> requests.Session:
    session = requests.Session()
    session.headers.update({"Cookie": cookies, "X-CSRFToken": CSRF} if cookies else {})
    return session


def large_upload(*, megabytes: int = 1024, idle: float = 10, seed: int = 1) -> list[Row]:
    """A large file of articles through the import page, on SQLite, while people go on working, by phase.

    A JSONL file of made-up news is sent with the page's form; then come the check by the worker and "Import",
    whose progress is asked for each second. Meanwhile an annotator judges, with a second to think, and
    somebody looks at pages five times a second. `web_mb` and `worker_mb` are the resident memory of all
    processes, the most in a phase, to be compared with `idle`.
    """
    with throwaway_installation() as installation:
        from corpus.models import CorpusImport
        from projects.models import Role
        from tests.factories.annotation import judging_batch
        from tests.factories.corpus import ProjectFactory, member

        file = installation.var / "news.jsonl"
        articles = write_news(file, megabytes << 20, seed)
        large, small = ProjectFactory(slug="large"), ProjectFactory(slug="small")
        judge = member(small, Role.ANNOTATOR, "judge")
        batch = judging_batch(small, [judge], size=100)
        manager, judging = signed_in(member(large, Role.MANAGER, "manager")), signed_in(judge)
        page = f"/projects/small/judge/{batch.pk}/answer/"
        with (
            served(installation) as (web, address),
            running(worker(installation), ready=worker_is_there) as program,
        ):
            watch, own = Watch(address, {"web": web, "worker": program}), browser(manager)

            def post(path: str, **form: Any) -> requests.Response:
                answer = own.post(address + path, allow_redirects=False, **form)
                if answer.status_code >= 400:
                    raise RuntimeError(f"{path} was answered by {answer.status_code}: {answer.text[:500]}")
                return answer

            def follow() -> CorpusImport:
                """Ask for the progress as the page does until the worker has done its job."""
                until = time.monotonic() + DEADLINE
                while time.monotonic() < until:
                    source = CorpusImport.objects.select_related("job").get()
                    if source.state not in ("checking", "storing") or not source.job.active:
                        break
                    own.get(f"{address}/projects/large/jobs/{source.job_id}/progress/").raise_for_status()
                    time.sleep(1)
                return source

            with watch.watching(
                lambda: watch.ask("projects", "/", manager),
                lambda: watch.ask("corpus", "/projects/large/corpus/", manager),
                lambda: watch.ask("judging", page, judging),
                lambda: watch.judge(Annotator(address, batch.pk, judging, 1.0)),
            ):
                with watch.during("idle"):
                    time.sleep(idle)
                with watch.during("upload"), file.open("rb") as content:
                    form = {"data": {"encoding": "utf-8"}, "files": {"file": content}}
                    form["headers"] = {"Accept": "application/json"}
                    leads_to = post("/projects/large/corpus/import/", **form).json()["address"]
                with watch.during("check"):
                    follow()
                with watch.during("store"):
                    post(leads_to, data={"confirm": ""})
                    source = follow()
    rows = watch.rows()
    if source.state != "imported" or source.counts["articles_added"] != articles:
        rows[-1]["problem"] = f"{source.state}: {source.problems[:3]} {source.counts}"
    return [{"megabytes": megabytes} | row for row in rows]


def overload(*, length: float = 30, people: int = 4) -> list[Row]:
    """A database locked for `length` seconds and then a full disk for as long, while people judge, by phase.

    On SQLite; needs the right to mount a file system (root): the data folder is a tmpfs. An acknowledged
    answer that is not stored, an unexpected status, a refusal without Retry-After and a second or more for
    /livez are problems.
    """
    with small_disk() as disk, throwaway_installation(folder=disk) as installation:
        from annotation.models import Answer
        from projects.models import Role
        from tests.factories.annotation import judging_batch
        from tests.factories.corpus import ProjectFactory, member

        project = ProjectFactory(slug="overload")
        users = [member(project, Role.ANNOTATOR, f"annotator {n}") for n in range(people)]
        batch = judging_batch(project, users, size=2_000, overlap=1)
        manager = signed_in(member(project, Role.MANAGER, "manager"))
        sessions = [signed_in(user) for user in users]
        with served(installation) as (web, address):
            watch = Watch(address, {"web": web})
            crowd = [Annotator(address, batch.pk, session, 0.2) for session in sessions]
            with watch.watching(
                *(lambda one=one: watch.judge(one) for one in crowd),
                lambda: watch.ask("livez", "/livez"),
                lambda: watch.ask("readyz", "/readyz", every=1),
                lambda: watch.ask("upload", "/api/v1/projects/overload/imports/?check=1", manager, 1, LINE),
            ):
                with watch.during("before"):
                    time.sleep(length / 3)
                with watch.during("database locked"):
                    locked(Path(os.environ["PARAGOLD_VAR"]) / "paragold.sqlite3", length)
                with watch.during("after the lock"):
                    time.sleep(length / 3)
                with watch.during("disk full"):
                    fill(disk / "rest")
                    time.sleep(length)
                (disk / "rest").unlink()
                with watch.during("after the full disk"):
                    time.sleep(length / 3)
        stored = {str(key) for key in Answer.objects.values_list("key", flat=True)}
        acknowledged = {key for one in crowd for key in one.acknowledged}
    expected = {"save": {200}, "livez": {200}, "readyz": {200, 503}, "upload": {200, 202, 503, 507}}
    problems = watch.problems(expected)
    if lost := len(acknowledged - stored):
        problems.append(f"{lost} answers lost")
    refused = dict(sum((one.refused for one in crowd), Counter()))
    about = {"acknowledged": len(acknowledged), "refused saves": refused, "problem": "; ".join(problems)}
    return [*watch.rows(), {"phase": "all"} | about]


def locked(database: Path, length: float) -> None:
    with closing(sqlite3.connect(database, isolation_level=None, timeout=10)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        time.sleep(length)
        holder.execute("ROLLBACK")


def fill(file: Path) -> None:
    """Until nothing more can be written on its disk."""
    with suppress(OSError), file.open("wb", buffering=0) as rest:
        for block in (1 << 20, 4096):
            with suppress(OSError):
                while True:
                    rest.write(bytes(block))


@contextmanager
def small_disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="paragold-bench-") as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)
