"""How large the product is; with --requests, also the files that five requests execute.

Product Python is all that git tracks outside tests, benchmarks, replication, scripts, docs and migrations.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

NOT_PRODUCT = {"tests", "benchmarks", "replication", "scripts", "docs", "demo"}
Request = Callable[[], object]


def part_of(path: Path) -> str:
    """What a file counts as: a package of the product, or what is no product."""
    return "migrations" if "migrations" in path.parts else path.parts[0]


def print_sizes() -> None:
    command = ["git", "ls-files", "-z", "*.py"]
    names = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
    lines, files = Counter[str](), Counter[str]()
    for path in map(Path, names.split("\0")[:-1]):
        parts = [part_of(path)]
        if not {*parts} & (NOT_PRODUCT | {"migrations"}):
            parts.append("product Python")
        for part in parts:
            lines[part] += (REPOSITORY / path).read_bytes().count(b"\n")
            files[part] += 1
    for part, count in lines.most_common():
        print(f"{part:40} {count:>8,} lines {files[part]:>6,} files")


def executed_files(prepare: Request, request: Request) -> list[str]:
    """The files of the product in which the second request calls a function; the first one imports."""
    prepare()
    request()
    prepare()
    names: set[str] = set()

    def on_call(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            names.add(frame.f_code.co_filename)

    threading.setprofile(on_call)
    sys.setprofile(on_call)
    try:
        request()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    called = (path for path in map(Path, names) if path.is_relative_to(REPOSITORY))
    here = {path.relative_to(REPOSITORY) for path in called}
    return sorted(str(path) for path in here if path.parts[0] not in NOT_PRODUCT | {".venv"})


def requests() -> Iterator[tuple[str, Request, Request]]:
    """Label, preparation and request of each; every call of a request works on something new."""
    from django.contrib.auth.models import User
    from django.test import Client

    from annotation.models import Assignment
    from jobs.models import Job
    from jobs.worker import work
    from projects.models import Project

    project = Project.objects.get(slug="demo")
    base = f"/api/v1/projects/{project.slug}"
    clients: dict[str, Client] = {}
    for user in User.objects.all():
        # Logging in is a request of its own.
        clients[user.username] = Client(HTTP_HOST="localhost")
        clients[user.username].force_login(user)

    def send(method: str, username: str, url: str, body: str, kind: str = "application/json") -> None:
        """As the pages send it: with a session, not a token."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        response = getattr(clients[username], method)(url, body, content_type=kind, headers=headers)
        if response.status_code >= 300:
            raise SystemExit(f"{url} answered {response.status_code}: {response.content.decode()[:400]}")

    def answer(kind: str, url: str, fields: dict[str, Any]) -> None:
        rows = Assignment.objects.filter(item__batch__kind=kind, state="open", annotator__isnull=False)
        assignment = rows.select_related("annotator")[0]
        body = json.dumps(fields | {"version": assignment.version})
        send("put", assignment.annotator.username, f"/api/v1/assignments/{assignment.pk}/{url}/", body)

    def launch(kind: str, fields: dict[str, Any]) -> None:
        send("post", "manager", f"{base}/operations/{kind}/", json.dumps(fields))

    def run_jobs() -> None:
        """What a worker does until no job is left."""
        while (job := Job.objects.filter(state__in=["queued", "running"]).first()) is not None:
            work(job.pk)

    def import_articles() -> None:
        name = uuid.uuid4().hex
        articles = [
            {"id": f"{name} {number}", "text": f"It met in {name}. It rained."} for number in range(3)
        ]
        line = json.dumps({"cluster_id": name, "articles": articles})
        send("post", "manager", f"{base}/imports/", line, "application/x-ndjson")
        run_jobs()

    experiment = {
        "datasets": [project.datasets.latest("pk").pk],
        "gold_sets": [project.gold_alignment_sets.get().pk],
        "aligners": ["best"],
        "test_sentences": False,
    }
    yield "save a judgement", run_jobs, lambda: answer("judge", "judgement", {"label": "paraphrase"})
    yield "save links", run_jobs, lambda: answer("link", "alignment", {"links": [], "submitted": True})
    yield "launch an extraction", run_jobs, lambda: launch("extract", {"preset": "L12"})
    yield "import a small file, with its jobs", run_jobs, import_articles
    yield "run an AER experiment in the worker", lambda: launch("run-experiment", experiment), run_jobs


def main() -> None:
    print_sizes()
    if "--requests" in sys.argv:
        from scripts.installations import throwaway_installation

        with throwaway_installation():
            from django.core.management import call_command

            call_command("load_demo", stdout=sys.stderr)
            for label, prepare, request in requests():
                executed = executed_files(prepare, request)
                print(f"{label:40} executes {len(executed)} files", *executed, sep="\n    ")


if __name__ == "__main__":
    main()
