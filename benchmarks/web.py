"""The web application under load: annotators, exports, extractions."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.measuring import Row, percentile, ratio, seconds, spread
from benchmarks.visitors import Annotator
from ops.launcher.programs import worker
from scripts.installations import (
    Running,
    cpu_seconds_of,
    processes,
    running,
    signed_in,
    throwaway_installation,
    throwaway_server,
    worker_is_there,
)
from tests.factories.made_up import PAPERS_CLUSTERS, SENTENCES_A_CLUSTER, write_tokenised


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
    prepared = throwaway_server(lambda: _batch_for(people, items), database)
    with prepared as (server, address, (batch, sessions)):
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

    spec = DatasetExportSpec(formats=frozenset(formats), limits=limits)
    job, spent = done(lambda: export_dataset(dataset=dataset, by=None, spec=spec), program)
    made = Export.objects.get(pk=job.parameters["export"])
    return {"formats": formats[0] if len(formats) == 1 else "all"} | spent | {
        "pairs_per_s": round(dataset.size / spent["s"]), "zip_mb": round(made.bytes / 2**20),
    }  # fmt: skip


def done(launch: Callable[[], Any], program: Running) -> tuple[Any, Row]:
    """The job when a worker has done it; seconds, and CPU seconds and memory of the worker's processes."""
    program.forget_peaks()
    cpu, began = program.cpu_seconds(), time.monotonic()
    job = launch()
    while job.active and time.monotonic() - began < DEADLINE:
        time.sleep(0.02)
        job.refresh_from_db()
    if job.state != "done":
        raise SystemExit(f"{job.title} is {job.state}: {job.error}")
    return job, {
        "s": round(time.monotonic() - began, 2), "cpu_s": round(program.cpu_seconds() - cpu, 2),
        "peak_mb": round(max(program.megabytes("VmHWM"))),
    }  # fmt: skip


def _plain_export(dataset: Any, pairs: int, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for pair in dataset.pairs().with_sentences().order_by("pk")[:pairs].iterator():
            row = {"cluster": pair.cluster.key, "edit_distance": pair.edit_distance}
            for side, sentence in (("a", pair.sentence_a), ("b", pair.sentence_b)):
                row |= {f"article_{side}": sentence.article.key, f"sentence_{side}": sentence.number}
                row |= {f"text_{side}": sentence.text, f"tokens_{side}": sentence.tokens}
            file.write(json.dumps(row) + "\n")


def extraction_jobs(
    *, scale: float = 0.05, database: str = "postgresql", preset: str = "candidates-2005", seed: int = 1
) -> list[Row]:
    """An extraction by an installation's worker; scale 1.0 is the corpus of Brockett and Dolan (2005).

    It has 32,408 clusters of 287 sentences, and takes some 15 GB in the folder for temporary files. The
    worker has a process for each core, which load what they need with their first part of the job.
    `worker_us` and `server_us` are CPU a sentence, which a busy machine changes least; `minutes_at_scale_1`
    is computed from the part below scale 1.0.
    """
    clusters = max(2, round(scale * PAPERS_CLUSTERS))
    with throwaway_installation(database) as installation:
        from corpus.services.extraction import launch_extraction

        project = project_of_news(installation.var, clusters, seed)
        with running(worker(installation), ready=worker_is_there) as program:
            before = _server_cpu_seconds()
            job, spent = done(lambda: launch_extraction(project=project, by=None, preset=preset).job, program)
            server = _server_cpu_seconds() - before
        counts = job.counts
        sentences, took = counts["sentences"], spent["s"]
        return [{
            "database": database, "sentences": sentences, "rows": counts["pairs_kept"],
            "compared": counts["pairs_compared"], "s": took, "sentences_per_s": round(sentences / took),
            "pairs_per_s": round(counts["pairs_compared"] / took), "worker_mb": spent["peak_mb"],
            "worker_us": round(1e6 * spent["cpu_s"] / sentences, 1),
            "server_us": round(1e6 * server / sentences, 1),
            "minutes_at_scale_1": round(took / 60 * PAPERS_CLUSTERS / clusters, 2),
        }]  # fmt: skip


def _server_cpu_seconds() -> float:
    """CPU time of all processes named postgres; SQLite's time is the workers' own."""
    servers = (fields for _, name, fields in processes() if name == "postgres")
    return sum(cpu_seconds_of(fields, children=True) for fields in servers)
