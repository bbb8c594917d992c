"""Milliseconds of every page of a manager in a project of many pairs; prints a table.

    python -m benchmarks.manager_pages [--pairs 229000] [--requests 5] [--postgresql] [--folder DIR]

A project on a new SQLite database, or a throw-away PostgreSQL, has so many pairs, eight datasets of them, a
batch of 3,000 pairs that two people judged, a gold set of it, 400 jobs, and one of each object that an
address names. This process asks for each page as its manager: `first` is the first request, which computes
what is cached, `p50` the median of the others, `CPU` the median of the processor time that this process used
(SQLite's included). A page above 300 ms is marked; the command then fails.
`--folder` keeps the SQLite installation there and uses it again.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.programs import installation_in
from scripts.services import postgresql

LIMIT_MS = 300
JUDGED, JOBS = 3_000, 400
OBJECTS = "objects of the benchmark"
CRITERIA: dict[str, dict[str, Any]] = {
    "far": {"min_edit_distance": 8},
    "near": {"max_edit_distance": 12},
    "nearer": {"max_edit_distance": 8},
    "short": {"max_length": 30},
    "shared": {"min_shared_words": 5},
    "even": {"min_length_ratio": 0.66},
    "both": {"max_edit_distance": 12, "min_shared_words": 4},
}
# Filters and orders of the long lists, after the address of the page that they narrow.
ASKED = {
    "pairs": (
        *("sort=-id", "sort=distance", "sort=-length", "sort=shared", "q=the", "q=zzz", "q=storm"),
        *(
            "min_distance=5&max_distance=9",
            "min_shared=8",
            "min_distance=3&min_shared=6&sort=-length",
            "extraction={extraction}",
            "cluster=c7",
        ),
        *("dataset={dataset}", "dataset={dataset}&q=zzz&sort=-shared", "held_out=rest", "after=200000"),
    ),
    "judged-pairs": (
        *("disagreement=disputed", "disagreement=undecided", "person=1&label=paraphrase", "flagged=1"),
        *("comment=1", "q=doubt", "sort=-answered", "sort=-answers", "batch={batch}&state=open"),
        *("since=2026-01-01&until=2026-12-31",),
    ),
    "corpus": ("sort=-sentences", "q=c1", "held_out=rest"),
    "jobs": ("state=done", "sort=-finished", "q=Extraction"),
    "articles": ("q=a1", "sort=-published", "source=outlet 1"),
    "characteristics": ("dataset={dataset}", "format=csv"),
}


def make(pairs: int) -> None:
    """Fill the empty database."""
    from django.contrib.auth.models import User

    from benchmarks.export_corpus import load_dataset
    from corpus.models import Dataset, KeptNumbers
    from corpus.services.datasets import freeze_dataset
    from jobs.models import Job, JobState
    from projects.models import Project
    from tests.factories.corpus import member
    from tests.permissions.objects import make_objects
    from tests.permissions.people import People

    whole = Dataset.objects.get(pk=load_dataset(pairs))
    project = whole.project
    foreign = Project.objects.create(slug="bridges", name="Bridges", created_by=project.created_by)
    people = People(project=project, foreign=foreign)
    people.users = {role: member(project, role, role) for role in ("annotator", "adjudicator", "manager")}
    people.users["second"] = member(project, "annotator", "second")
    people.users["admin"] = User.objects.create_superuser("admin")
    numbers = make_objects(project, people.annotators).numbers
    for name, criteria in CRITERIA.items():
        freeze_dataset(project=project, name=name, extractions=[whole.extractions.get()], criteria=criteria)
    judged(whole, people.annotators)
    done = {"project": project, "kind": "extract", "state": JobState.DONE}
    Job.objects.bulk_create(Job(title=f"Extraction {n}", **done) for n in range(JOBS))
    KeptNumbers.objects.create(project=project, name=OBJECTS, numbers=numbers)


def judged(dataset: Any, annotators: list[Any]) -> None:
    """A batch that both have judged, differing in one pair of seven, and the gold set of it."""
    from django.utils import timezone

    from annotation.models import Answer, Assignment, AssignmentState, Judgement, Label
    from annotation.services.drawing import draw_judging_batch
    from annotation.services.gold import freeze_gold_set

    batch = draw_judging_batch(
        project=dataset.project, by=None, name="large", dataset=dataset, size=JUDGED, seed=1, overlap=2,
        annotators=[user.username for user in annotators],
    )  # fmt: skip
    places = list(Assignment.objects.filter(item__batch=batch).select_related("item"))
    for place in places:
        place.state, place.version, place.milliseconds = AssignmentState.DONE, 1, 4_000
        place.answered_at = timezone.now() - timedelta(minutes=place.item.number)
        place.flagged = place.item.number % 31 == 0
        place.comment = "in doubt" if place.item.number % 19 == 0 else ""
    fields = ["state", "version", "milliseconds", "answered_at", "flagged", "comment"]
    Assignment.objects.bulk_update(places, fields, batch_size=500)
    second = annotators[1].pk
    labels = [
        (place, Label.NOT_PARAPHRASE if place.item.number % (7 if place.annotator_id == second else 2) == 0
         else Label.PARAPHRASE)
        for place in places
    ]  # fmt: skip
    Judgement.objects.bulk_create(Judgement(assignment=place, label=label) for place, label in labels)
    Answer.objects.bulk_create(
        Answer(assignment=place, key=f"{place.pk:032x}", version=1, body={"label": label}, response={})
        for place, label in labels
    )
    freeze_gold_set(project=dataset.project, by=None, name="large gold", batches=[batch])


def addresses() -> dict[str, str]:
    """Every page that the manager may read, by the name of its address and what is asked of it."""
    from django.urls import reverse

    from annotation.models import Batch
    from corpus.models import Dataset, Extraction
    from projects.models import Project
    from tests.permissions.matrix import ROUTES
    from tests.permissions.objects import Objects
    from tests.permissions.people import by_role
    from tests.permissions.test_matrix import url_of

    project = Project.objects.get(slug="bench")
    own = Objects(project, project.kept_numbers.get(name=OBJECTS).numbers)
    whole = Dataset.objects.get(project=project, name="candidates").pk
    large = {
        "dataset": whole,
        "extraction": Extraction.objects.get(project=project, name="all").pk,
        "batch": Batch.objects.get(project=project, name="large").pk,
    }
    names = {"dataset": "dataset", "extraction": "extraction", "answered batch": "batch"}
    large_ones = Objects(project, own.numbers | {name: large[kind] for name, kind in names.items()})
    gold = project.gold_sets.get(name="large gold")
    large_ones.numbers |= {"gold set": gold.pk, "gold judgement": gold.judgements.first().pk}
    found = {}
    for name, route in sorted(ROUTES.items()):
        status = by_role(route.methods["GET"])["manager"] if "GET" in route.methods else 0
        if name.startswith("api-") or status != 200:
            continue
        found[name] = url_of(name, large_ones, large_ones)
        for asked in ASKED.get(name, ()):
            found[f"{name}?{asked}"] = f"{found[name]}?{asked.format(**large)}"
        if route.pk == "batch":
            found[f"{name} (large)"] = reverse(name, args=[project.slug, large["batch"]])
    return found


def measured(requests: int, only: str) -> list[tuple[str, int, float, float, float, int]]:
    """Of each page: name, queries, milliseconds of the first request, median, its CPU time, and bytes."""
    from django.contrib.auth.models import User
    from django.core.cache import cache
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="manager"))
    client.get("/")
    cache.clear()
    rows = []
    for name, url in addresses().items():
        if only not in name:
            continue
        times, cpu, size = [], [], 0
        for _ in range(requests + 1):
            began, used = time.perf_counter(), time.process_time()
            response = client.get(url)
            size = len(b"".join(response))
            times.append(1000 * (time.perf_counter() - began))
            cpu.append(1000 * (time.process_time() - used))
            if response.status_code != 200:
                raise SystemExit(f"{url} is answered with {response.status_code}.")
        with CaptureQueriesContext(connection) as queries:
            client.get(url)
        if os.environ.get("SHOW"):
            for query in sorted(queries.captured_queries, key=lambda one: -float(one["time"]))[:4]:
                print(f"  {query['time']} {query['sql'][:1500]}")
        rows.append((name, len(queries), times[0], median(times[1:]), median(cpu[1:]), size))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=229_000)
    parser.add_argument("--requests", type=int, default=5)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", default="", help="pages whose name holds this")
    asked = parser.parse_args()
    server = postgresql() if asked.postgresql else nullcontext("")
    folder = (
        nullcontext(asked.folder) if asked.folder else tempfile.TemporaryDirectory(prefix="paragold-bench-")
    )
    with folder as place, server as address:
        there = (Path(place) / "paragold.sqlite3").exists()
        installation_in(Path(place), address)
        from projects.models import Project

        if not there or not Project.objects.filter(slug="bench").exists():
            make(asked.pairs)
        rows = measured(asked.requests, asked.only)
    print(f"{'page':60} {'queries':>7} {'first':>7} {'p50 ms':>7} {'CPU ms':>7} {'KB':>5}")
    for name, queries, first, p50, cpu, size in sorted(rows, key=lambda row: -row[3]):
        mark = " above" if p50 > LIMIT_MS else ""
        print(f"{name:60} {queries:7} {first:7.0f} {p50:7.0f} {cpu:7.0f} {size / 1024:5.0f}{mark}")
    above = sum(p50 > LIMIT_MS for _, _, _, p50, _, _ in rows)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs"
    print(f"{len(rows)} pages, {above} above {LIMIT_MS} ms; {load}")
    sys.exit(1 if above else 0)


if __name__ == "__main__":
    main()
