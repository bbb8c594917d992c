"""The web application under load: annotators, pages of a manager, exports, extractions, large uploads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.data import PAPERS_CLUSTERS, SENTENCES_A_CLUSTER, NewsWriter, write_tokenised
from benchmarks.measuring import Row, cost, peak_mb, percentile, ratio, seconds, spread
from benchmarks.server import (
    Annotator,
    Running,
    running,
    signed_in,
    throwaway_installation,
    throwaway_server,
    worker_is_there,
)
from ops.launcher.programs import worker


def annotators(
    *, people: int = 50, length: float = 20, kills: int = 0, think: float = 1.0, database: str = "sqlite"
) -> list[Row]:
    """Many annotators at once over HTTP, for `length` seconds: p50 and p95 of a save and of the next items.

    The server is gunicorn with the real settings. Each annotator takes items as they come, thinks (1 s on
    average), and saves over a connection that is kept, as a browser does. Of the saves a tenth is sent twice
    with the same key, and of another tenth the reply is thrown away and the save sent again. `kills` times
    the whole server is killed (SIGKILL) and started again. `acknowledged` are the answers that the server
    said to have, `lost` those of them that are not stored, `duplicates` the stored ones beyond one for each
    item. p50 and p95 are of the requests that did not meet a restart, `p95_with_restarts_ms` of all.
    `server_cpu_ms` is what the server computes for a request: other work on the machine changes it less than
    the rest.
    """
    items = int(1.1 * length / max(0.1, think)) + 20
    with throwaway_server(lambda: _batch_for(people, items), database) as (
        server,
        address,
        (batch, sessions),
    ):
        crowd = [Annotator(address, batch, session, think) for session in sessions]
        used, over = server.cpu_seconds(), threading.Event()
        until = time.monotonic() + length
        with ThreadPoolExecutor(people + 1) as pool:
            killing = pool.submit(_kill_at_times, server, kills, length, over)
            for work in [pool.submit(one.work, lambda: time.monotonic() >= until) for one in crowd]:
                work.result()
            over.set()
        cpu = None if kills else server.cpu_seconds() - used
        return [{"database": database, "seconds": length} | _of_crowd(crowd, killing.result(), length, cpu)]


def _batch_for(people: int, items: int) -> tuple[int, list[str]]:
    """The id of a batch that is handed out as people come, and a session for each annotator."""
    from django.conf import settings

    from annotation.models import HandingOut
    from annotation.services.drawing import draw_judging_batch
    from projects.models import Role
    from tests.factories.corpus import ProjectFactory, dataset_of, member

    # Nobody enters a password here, and 200 take a minute to hash.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    project = ProjectFactory()
    users = [member(project, Role.ANNOTATOR, f"annotator {n}") for n in range(people)]
    batch = draw_judging_batch(
        project=project, by=None, name="load", dataset=dataset_of(project, items), size=items, seed=1,
        annotators=[user.username for user in users], overlap=people, handing_out=HandingOut.AS_THEY_COME,
    )  # fmt: skip
    return batch.pk, [signed_in(user) for user in users]


def _kill_at_times(
    server: Running, kills: int, length: float, over: threading.Event
) -> list[tuple[float, float]]:
    """Kills and starts the server at even distances; returns from when to when it was away each time."""
    away: list[tuple[float, float]] = []
    began = time.perf_counter()
    for number in range(1, kills + 1):
        if over.wait(max(0, began + number * length / (kills + 1) - time.perf_counter())):
            break
        killed = time.perf_counter()
        server.kill()
        server.start()
        away.append((killed, time.perf_counter()))
    return away


def _of_crowd(
    crowd: list[Annotator], away: list[tuple[float, float]], length: float, cpu: float | None
) -> Row:
    from annotation.models import Answer

    stored = {str(key) for key in Answer.objects.values_list("key", flat=True)}
    items = Answer.objects.values("assignment").distinct().count()
    acknowledged = {key for one in crowd for key in one.acknowledged}

    def calm(times: list[tuple[float, float]]) -> list[float]:
        return [
            took for start, took in times if not any(a <= start + took / 1000 and start <= b for a, b in away)
        ]

    saves = [times for one in crowd for times in one.saves]
    queues = [times for one in crowd for times in one.queues]
    lost, duplicates = len(acknowledged - stored), len(stored) - items
    return {
        "annotators": len(crowd),
        "kills": len(away),
        "saves_per_s": round(len(acknowledged) / length, 1),
        **{f"save_{name}": value for name, value in spread(calm(saves)).items()},
        **{f"next_{name}": value for name, value in spread(calm(queues)).items()},
        "p95_with_restarts_ms": percentile([took for _, took in saves], 0.95),
        "acknowledged": len(acknowledged),
        "lost": lost,
        "duplicates": duplicates,
        "failed": sum(one.failed for one in crowd),
        "reconnected": sum(one.reconnected for one in crowd),
        "refused": dict(sum((one.refused for one in crowd), Counter())),
        "server_cpu_ms": None if cpu is None else round(1000 * cpu / max(1, len(saves) + len(queues)), 1),
        "problem": f"{lost} answers lost, {duplicates} stored twice." if lost or duplicates else "",
    }


PAIRS_A_SENTENCE = 1.5
"""What `candidates-2005` finds in the made-up news."""


def project_of_news(folder: Path, clusters: int, seed: int = 1) -> Any:
    """A project with so many clusters of 287 sentences, imported as a user would."""
    from corpus.imports import import_corpus
    from tests.factories.corpus import ProjectFactory

    project = ProjectFactory(slug="bench")
    (path,) = write_tokenised(folder, clusters, 1, seed)
    import_corpus(project=project, by=None, path=path, filename=path.name)
    return project


def dataset_of_news(folder: Path, pairs: int, seed: int = 1) -> Any:
    """A dataset of about so many pairs, in the project of `project_of_news`."""
    from corpus.services.datasets import freeze_dataset
    from tests.factories.news import extract

    project = project_of_news(folder, max(1, round(pairs / PAIRS_A_SENTENCE / SENTENCES_A_CLUSTER)), seed)
    extraction = extract(project, "candidates-2005")
    return freeze_dataset(project=project, name="candidates", extractions=[extraction])


LIMIT_MS = 300
JUDGED, JOBS = 3_000, 400
# Filters and orders of the long lists, after the address of the page that they narrow.
ASKED = {
    "pairs": (
        *("sort=-id", "sort=distance", "sort=-length", "sort=shared", "q=the", "q=zzz", "q=storm"),
        *("min_distance=5&max_distance=9", "min_shared=8", "min_distance=3&min_shared=6&sort=-length"),
        *("extraction={extraction}", "cluster=c7", "dataset={dataset}", "held_out=rest", "after=200000"),
        "dataset={dataset}&q=zzz&sort=-shared",
    ),
    "judged-pairs": (
        *("disagreement=disputed", "disagreement=undecided", "person=1&label=paraphrase", "flagged=1"),
        *("comment=1", "q=doubt", "sort=-answered", "sort=-answers", "batch={batch}&state=open"),
        "since=2026-01-01&until=2026-12-31",
    ),
    "corpus": ("sort=-sentences", "q=c1", "held_out=rest"),
    "jobs": ("state=done", "sort=-finished", "q=Extraction"),
    "articles": ("q=a1", "sort=-published", "source=outlet 1"),
    "characteristics": ("dataset={dataset}", "format=csv"),
}


def manager_pages(
    *, pairs: int = 229_000, requests: int = 5, only: str = "", database: str = "sqlite"
) -> list[Row]:
    """Milliseconds of every page of a manager in a project of many pairs; none may take 300.

    The project has so many pairs, a few datasets of them, a batch of 3,000 pairs that two people judged, its
    gold set, 400 jobs, and one of each object that an address names. This process asks for each page as its
    manager: `first_ms` is the first request, which computes what is cached, `p50_ms` and `cpu_ms` the medians
    of the others (SQLite's own time included). `only` names pages.
    """
    from django.test import Client

    with throwaway_installation(database) as installation:
        addresses = _large_project(dataset_of_news(installation.var, pairs))
        from django.contrib.auth.models import User
        from django.core.cache import cache
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        client = Client(headers={"host": "localhost"})
        client.force_login(User.objects.get(username="manager"))
        client.get("/")
        cache.clear()
        rows = []
        for name, url in addresses.items():
            if only not in name:
                continue
            times, cpu, size = [], [], 0
            for _ in range(requests + 1):
                with cost() as spent:
                    began = time.perf_counter()
                    response = client.get(url)
                    size = len(b"".join(response))
                    times.append(1000 * (time.perf_counter() - began))
                cpu.append(1000 * spent["cpu_s"])
            with CaptureQueriesContext(connection) as queries:
                client.get(url)
            rows.append({
                "page": name, "queries": len(queries), "first_ms": round(times[0]),
                "p50_ms": round(median(times[1:])), "cpu_ms": round(median(cpu[1:])), "kb": size // 1024,
            })  # fmt: skip
            if response.status_code != 200 or median(times[1:]) > LIMIT_MS:
                rows[-1]["problem"] = f"status {response.status_code}; above {LIMIT_MS} ms"
        return sorted(rows, key=lambda row: -row["p50_ms"])


def _large_project(whole: Any) -> dict[str, str]:
    """Fill the project of a dataset; the pages that its manager may read, by name and what is asked."""
    from django.contrib.auth.models import User
    from django.urls import reverse

    from annotation.schemes import Label
    from annotation.services.gold import freeze_gold_set
    from corpus.services.datasets import freeze_dataset
    from jobs.models import Job, JobState
    from projects.models import Project
    from tests.factories.annotation import judge_all, judging_batch
    from tests.factories.corpus import member
    from tests.permissions.matrix import ROUTES
    from tests.permissions.objects import Objects, make_objects
    from tests.permissions.people import People, by_role
    from tests.permissions.test_matrix import url_of

    project = whole.project
    foreign = Project.objects.create(slug="bridges", name="Bridges", created_by=project.created_by)
    people = People(project=project, foreign=foreign)
    people.users = {role: member(project, role, role) for role in ("annotator", "adjudicator", "manager")}
    people.users["second"] = member(project, "annotator", "second")
    people.users["admin"] = User.objects.create_superuser("admin")
    own = make_objects(project, people.annotators)
    extraction = whole.extractions.get()
    for name, criteria in {"near": {"max_edit_distance": 12}, "short": {"max_length": 30}}.items():
        freeze_dataset(project=project, name=name, extractions=[extraction], criteria=criteria)
    judged = judging_batch(project, people.annotators, dataset=whole, size=min(JUDGED, whole.size))
    for user, turns in zip(people.annotators, (2, 7), strict=True):
        judge_all(judged, user, [Label.NOT_PARAPHRASE] + [Label.PARAPHRASE] * (turns - 1))
    gold = freeze_gold_set(project=project, by=None, name="large gold", batches=[judged])
    batch = judged.pk
    done = {"project": project, "kind": "extract", "state": JobState.DONE}
    Job.objects.bulk_create(Job(title=f"Extraction {n}", **done) for n in range(JOBS))

    large = {"dataset": whole.pk, "extraction": extraction.pk, "batch": batch}
    numbers = {"dataset": whole.pk, "extraction": extraction.pk, "answered batch": batch}
    numbers |= {"gold set": gold.pk, "gold judgement": gold.judgements.first().pk}
    objects = Objects(project, own.numbers | numbers)
    found = {}
    for name, route in sorted(ROUTES.items()):
        readable = "GET" in route.methods and by_role(route.methods["GET"])["manager"] == 200
        if name.startswith("api-") or not readable:
            continue
        found[name] = url_of(name, objects, objects)
        for asked in ASKED.get(name, ()):
            found[f"{name}?{asked}"] = f"{found[name]}?{asked.format(**large)}"
        if route.pk == "batch":
            found[f"{name} (large)"] = reverse(name, args=[project.slug, batch])
    return found


PEER_SHARE = 0.05
DEADLINE = 3_600.0


def export(*, pairs: int = 1_000_000, database: str = "sqlite", seed: int = 1) -> list[Row]:
    """A dataset exported by a worker in each format, and in all: seconds and memory, beside a plain loop.

    From the moment it is asked for until the job is done. `cpu_s` is of the worker's processes (not of
    PostgreSQL's), `peak_mb` the largest of them. The peer is a loop over pairs with their sentences,
    `json.dumps` a row, without zip, on a share of the pairs; `times_loop` is ours to its pairs a second.
    """
    from paragold.formats.pair_files import PAIR_FORMATS

    with throwaway_installation(database) as installation:
        dataset = dataset_of_news(installation.var, pairs, seed)
        some = max(1, int(PEER_SHARE * dataset.size))
        loop = some / seconds(lambda: _plain_export(dataset, some, installation.var / "peer.jsonl"))
        with running(worker(installation), ready=worker_is_there) as program:
            # Modules are loaded and the database's pages are read once.
            _exported(dataset, ["parallel"], program, limits="The first.")
            rows = [_exported(dataset, [name], program) for name in PAIR_FORMATS.ids()]
            rows.append(_exported(dataset, list(PAIR_FORMATS.ids()), program))
    for row in rows:
        row["times_loop"] = ratio(row["pairs_per_s"], loop)
    return [*rows, {"formats": "plain loop", "pairs_per_s": round(loop)}]


def _exported(dataset: Any, formats: list[str], program: Running, limits: str = "") -> Row:
    from alignment.models import Export
    from alignment.services.dataset_exports import export_dataset
    from alignment.specs import DatasetExportSpec
    from jobs.models import JobState

    program.forget_peaks()
    cpu, began = program.cpu_seconds(), time.monotonic()
    spec = DatasetExportSpec(formats=frozenset(formats), limits=limits)
    job = export_dataset(dataset=dataset, by=None, spec=spec)
    while job.active and time.monotonic() - began < DEADLINE:
        time.sleep(0.05)
        job.refresh_from_db()
    spent = time.monotonic() - began
    if job.state != JobState.DONE:
        raise SystemExit(f"The export of {formats} is {job.state}: {job.error}")
    made = Export.objects.get(pk=job.parameters["export"])
    return {
        "formats": formats[0] if len(formats) == 1 else "all",
        "s": round(spent, 1),
        "cpu_s": round(program.cpu_seconds() - cpu, 1),
        "peak_mb": round(max(program.megabytes("VmHWM"))),
        "pairs_per_s": round(dataset.size / spent),
        "zip_mb": round(made.bytes / 2**20),
    }


def _plain_export(dataset: Any, pairs: int, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for pair in dataset.pairs().with_sentences().order_by("pk")[:pairs].iterator():
            row = {"cluster": pair.cluster.key, "edit_distance": pair.edit_distance}
            for side, sentence in (("a", pair.sentence_a), ("b", pair.sentence_b)):
                row |= {f"article_{side}": sentence.article.key, f"sentence_{side}": sentence.number}
                row |= {f"text_{side}": sentence.text, f"tokens_{side}": sentence.tokens}
            file.write(json.dumps(row) + "\n")


def extraction_jobs(
    *, scale: float = 0.05, database: str = "postgresql", preset: str = "candidates-2005", workers: int = 2,
    seed: int = 1,
) -> list[Row]:  # fmt: skip
    """An extraction as a job with two workers; scale 1.0 is the corpus of Brockett and Dolan (2005).

    It has 32,408 clusters of 287 sentences, and takes some 15 GB in the folder for temporary files. The
    workers do what a Celery worker does with its message: lease a chunk, extract, store, until the job ends.
    `worker_us` and `server_us` are CPU a sentence, which a busy machine changes least; `minutes_at_scale_1`
    is computed from the part below scale 1.0.
    """
    clusters = max(2, round(scale * PAPERS_CLUSTERS))
    with throwaway_installation(database) as installation:
        from corpus.services.extraction import launch_extraction
        from jobs.models import JobState
        from jobs.services import ledger

        project = project_of_news(installation.var, clusters, seed)
        ledger.hand_over = lambda job: None  # No queue: the workers are told below.
        job = launch_extraction(project=project, by=None, preset=preset).job
        command = [sys.executable, "-c", f"from benchmarks.web import work; work({job.pk})"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        programs = [subprocess.Popen(command, **pipes) for _ in range(workers)]
        for program in programs:
            if program.stdout.readline() != "ready\n":
                raise SystemExit("A worker did not start.")
        before, started = _server_cpu_seconds(), time.monotonic()
        for program in programs:
            program.stdin.write("\n")
            program.stdin.flush()
        while job.active:
            if all(program.poll() is not None for program in programs):
                raise SystemExit(f"The workers ended before the job; its state is {job.state}.")
            time.sleep(0.02)
            job.refresh_from_db()
        spent = time.monotonic() - started
        server = _server_cpu_seconds() - before
        told = [program.communicate()[0].split() for program in programs]
        if job.state != JobState.DONE:
            raise SystemExit(f"The job is {job.state}: {job.error}")
        counts = job.counts
        sentences, own = counts["sentences"], sum(float(cpu) for _, cpu in told)
        return [{
            "database": database, "sentences": sentences, "rows": counts["pairs_kept"],
            "compared": counts["pairs_compared"], "s": round(spent, 2),
            "sentences_per_s": round(sentences / spent),
            "pairs_per_s": round(counts["pairs_compared"] / spent),
            "worker_mb": round(max(float(peak) for peak, _ in told)),
            "worker_us": round(1e6 * own / sentences, 1), "server_us": round(1e6 * server / sentences, 1),
            "minutes_at_scale_1": round(spent / 60 * PAPERS_CLUSTERS / clusters, 2),
        }]  # fmt: skip


def work(job_id: int) -> None:
    """A worker of `extraction_jobs`, which writes its peak memory and CPU seconds."""
    import django

    django.setup()
    from corpus.services import extraction as _  # noqa: F401 - registers its runner
    from jobs.models import Job
    from jobs.services.running import run_here
    from paragold.extraction.cluster import extract_cluster
    from paragold.extraction.presets import get_preset

    # A worker loads its kernel once, with its first chunk.
    extract_cluster(NewsWriter(0).cluster(0, sentences=20), get_preset("L12-2004").criteria)
    print("ready", flush=True)
    sys.stdin.readline()
    job = Job.objects.get(pk=job_id)
    spent = seconds(lambda: run_here(job=job, patience=0.05))
    print(peak_mb(), spent, flush=True)


def _server_cpu_seconds() -> float:
    """CPU time of all processes named postgres; SQLite's time is the workers' own."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, _, fields = stat.read_text().rpartition(")")
            ticks += sum(map(int, fields.split()[11:15])) if name.endswith("(postgres") else 0
    return ticks / os.sysconf("SC_CLK_TCK")
