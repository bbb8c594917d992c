"""Which files five requests execute, on a throw-away installation with the demo project."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from scripts import services

REPOSITORY = Path(__file__).resolve().parents[1]
Request = Callable[[], None]


def executed_files() -> dict[str, list[str]]:
    """By request, the files of the repository in which it calls a function, sorted."""
    with tempfile.TemporaryDirectory(prefix="paragold-size-") as folder:
        os.environ.update(PARAGOLD_TEST_VAR=folder, DJANGO_SETTINGS_MODULE="config.settings_test")
        for name in ("DATABASE_URL", "REDIS_URL"):
            os.environ.pop(name, None)
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        with services.queue(Path(folder)), Path(os.devnull).open("w") as nowhere:
            call_command("load_demo", stdout=nowhere)
            return {label: sorted(traced(prepare, request)) for label, prepare, request in requests()}


def traced(prepare: Request, request: Request) -> set[str]:
    """The files of the second request; the first one imports what is imported when it is used."""
    prepare()
    request()
    prepare()
    executed: set[str] = set()
    with recorded(executed):
        request()
    return executed


@contextmanager
def recorded(executed: set[str]) -> Iterator[None]:
    """Add to `executed` the files in which a function is called while the block runs."""
    names: set[str] = set()

    def on_call(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            names.add(frame.f_code.co_filename)

    threading.setprofile(on_call)
    sys.setprofile(on_call)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    for path in map(Path, names):
        if path.is_relative_to(REPOSITORY) and not path.is_relative_to(REPOSITORY / ".venv"):
            executed.add(str(path.relative_to(REPOSITORY)))


def requests() -> list[tuple[str, Request, Request]]:
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
    for user in User.objects.filter(is_active=True):
        # Logging in is a request of its own.
        clients[user.username] = Client()
        clients[user.username].force_login(user)

    def send(method: str, username: str, url: str, body: str, kind: str = "application/json") -> None:
        """As the pages send it: with a session, not a token."""
        headers = {"Idempotency-Key": str(uuid.uuid4()), "Host": "localhost"}
        response = getattr(clients[username], method)(url, body, content_type=kind, headers=headers)
        if response.status_code >= 300:
            raise SystemExit(f"{url} answered {response.status_code}: {response.content.decode()[:400]}")

    def answer(kind: str, url: str, fields: dict[str, Any]) -> None:
        rows = Assignment.objects.filter(item__batch__kind=kind, state="open", annotator__isnull=False)
        assignment = rows.select_related("annotator").first()
        if assignment is None:
            raise SystemExit(f"The demo project has no open item to {kind}.")
        body = json.dumps(fields | {"version": assignment.version})
        send("put", assignment.annotator.username, f"/api/v1/assignments/{assignment.pk}/{url}/", body)

    def launch(url: str, fields: dict[str, Any]) -> None:
        send("post", "manager", f"{base}/{url}/", json.dumps(fields))

    def run_jobs() -> None:
        """What a worker does until no job is left."""
        while (job := Job.objects.filter(state__in=["queued", "running"]).first()) is not None:
            work(job.pk)

    def import_articles() -> None:
        name = uuid.uuid4().hex
        texts = [f"The council met in {name}. It rained on day {number}." for number in range(3)]
        articles = [{"id": f"{name} {number}", "text": text} for number, text in enumerate(texts)]
        line = json.dumps({"cluster_id": name, "articles": articles})
        send("post", "manager", f"{base}/imports/", line, "application/x-ndjson")
        run_jobs()

    gold = project.gold_alignment_sets.get()
    dataset = project.datasets.latest("pk")
    experiment = {
        "datasets": [dataset.pk],
        "gold_sets": [gold.pk],
        "aligners": ["best"],
        "test_sentences": False,
    }

    return [
        ("save a judgement", nothing, lambda: answer("judge", "judgement", {"label": "paraphrase"})),
        ("save links", nothing, lambda: answer("link", "alignment", {"links": [], "submitted": True})),
        ("launch an extraction", run_jobs, lambda: launch("operations/extract", {"preset": "L12"})),
        ("import a small file, with its jobs", run_jobs, import_articles),
        (
            "run an AER experiment in the worker",
            lambda: launch("operations/run-experiment", experiment),
            run_jobs,
        ),
    ]


def nothing() -> None:
    """No preparation."""
