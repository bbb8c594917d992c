"""Workers killed in the middle of extractions; each extraction must end with the pairs of an undisturbed one.

    python -m benchmarks.kills [--kills 20] [--seed 1] [--only sqlite|postgresql]

Two Celery workers work on SQLite with a queue of files, then on a throw-away PostgreSQL with Redis. An
extraction is launched for each kill, about every second one in a project that holds the same pairs already.
At a random moment of it a random victim is killed (SIGKILL): the process that computes, a worker, both
workers, or both with the queue emptied. Then what was killed is started again.

Prints JSON; exits with 1 when the sha256 of the sorted pairs of any extraction differs.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts.gate import clean_environment
from scripts.services import postgresql, redis

if TYPE_CHECKING:
    from corpus.models import Extraction, Job, Project
    from tests.integration.worker_process import Worker

CLUSTERS, LARGE_CLUSTERS = 90, 3
WORDS = [f"word{number}" for number in range(80)]
MOMENTS = ("soon after the launch", "a chunk is leased", "part of the chunks done", "the last chunk")
VICTIMS = ("computing process", "one worker", "both workers", "both workers and the queue")
SETTINGS = {"max_edit_distance": 8}
PATIENCE = 600.0


def write_project(slug: str) -> "Project":
    """Clusters of rewrites, some sentences the same across clusters, a few clusters cut into parts."""
    from django.contrib.auth.models import User
    from django.db import transaction

    from corpus.models import Article, Cluster, Project, Sentence

    draw = random.Random(7)
    bases = [[draw.choice(WORDS) for _ in range(12)] for _ in range(100)]
    with transaction.atomic():
        user, _ = User.objects.get_or_create(username="kills")
        project = Project.objects.create(slug=slug, name=slug, created_by=user)
        sentences = []
        for number in range(CLUSTERS):
            cluster = Cluster.objects.create(project=project, key=f"c{number}")
            for outlet in range(4):
                key = f"a{outlet}"
                article = Article.objects.create(cluster=cluster, key=key, content_sha256=key)
                for index in range(60 if number % (CLUSTERS // LARGE_CLUSTERS) == 5 else 8):
                    tokens = list(draw.choice(bases))
                    if index:
                        tokens[draw.randrange(12)] = draw.choice(WORDS)
                    text = " ".join(tokens)
                    sentences.append(
                        Sentence(article=article, number=index, text=text, tokens=text, starts=[])
                    )
        Sentence.objects.bulk_create(sentences, batch_size=2000)
    return project


def launch(project: "Project") -> "Extraction":
    """An extraction in chunks of two clusters, the large ones in parts."""
    from corpus.services import extraction

    extraction.CLUSTERS_A_CHUNK = 2
    extraction.COMPARISONS_A_PART = 15_000
    return extraction.launch_extraction(project=project, by=None, preset="L12-2004", settings=SETTINGS)


def fingerprint(extraction: "Extraction") -> tuple[str, int]:
    """The sha256 of the sorted pairs, told without ids, which differ between projects; and how many."""
    import hashlib

    from corpus.models import CandidatePair

    rows = CandidatePair.objects.found_by([extraction.pk]).values_list(
        "cluster__key", "sentence_a__article__key", "position_a", "sentence_b__article__key", "position_b",
        "edit_distance", "length_a", "length_b", "shared_words", "content_key",
    )  # fmt: skip
    lines = sorted(map(str, rows))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest(), len(lines)


def wait(true: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > until:
            raise SystemExit(f"Not within {PATIENCE:.0f} s: {what}")
        time.sleep(0.005)


def wait_for(moment: str, job: "Job", draw: random.Random) -> None:
    """Until the moment is there, or the job has ended."""
    from corpus.models import ChunkState, Job

    chunks = job.chunks.count()
    share = draw.randrange(1, chunks)

    def there() -> bool:
        if not Job.objects.get(pk=job.pk).active:
            return True
        if moment == "a chunk is leased":
            return job.chunks.filter(state=ChunkState.LEASED).exists()
        done = job.chunks.filter(state=ChunkState.DONE).count()
        return done >= (share if moment == "part of the chunks done" else chunks - 1)

    if moment == "soon after the launch":
        time.sleep(draw.random())
    else:
        wait(there, moment)
        time.sleep(draw.random() / 30)


def computing_process(worker: "Worker") -> int | None:
    """The process id of the worker's pool process; None while there is none, as when it has just started."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()[-1])
    return None


def strike(victim: str, workers: "list[Worker]", draw: random.Random) -> tuple[str, "list[Worker]"]:
    """Kill the victim, or one worker when that has no process of its own yet.

    Returns what was killed, and the workers that have to be started again.
    """
    from config.celery import app

    chosen = draw.choice(workers)
    process = computing_process(chosen) if victim == "computing process" else None
    if process is not None:
        os.kill(process, signal.SIGKILL)
        return victim, []
    killed = workers if victim.startswith("both") else [chosen]
    for worker in killed:
        worker.kill()
    if victim.endswith("the queue"):
        app.control.purge()
    return (victim if victim.startswith("both") else "one worker"), killed


def run(kills: int, seed: int) -> dict[str, Any]:
    """On the database of DATABASE_URL and the broker of REDIS_URL, or files without it."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from corpus.models import Job
    from corpus.services.running import run_here
    from tests.integration.worker_process import Worker

    call_command("migrate", verbosity=0)
    for folder in ("queue", "control"):
        (settings.BROKER_DIR / folder).mkdir(parents=True, exist_ok=True)
    calm = launch(write_project("calm"))
    run_here(job=calm.job)
    expected, pairs = fingerprint(calm)
    draw = random.Random(seed)
    workers = [Worker(settings.VAR / f"worker{number}.log") for number in range(2)]
    rounds: list[dict[str, Any]] = []
    project: Project | None = None
    number = too_late = 0
    started = time.monotonic()
    try:
        for worker in workers:
            worker.start()
        while len(rounds) < kills and too_late < 5 * kills:
            moment, victim = MOMENTS[len(rounds) % len(MOMENTS)], draw.choice(VICTIMS)
            again = project is not None and number % 2 == 1
            project = project if again and project else write_project(f"storm{number}")
            number += 1
            extraction = launch(project)
            job = extraction.job
            wait_for(moment, job, draw)
            victim, dead = strike(victim, workers, draw)
            job.refresh_from_db()
            at, disturbed = job.chunks.filter(state="done").count(), job.active
            time.sleep(draw.random() / 2)
            for worker in dead:
                worker.start()
            wait(lambda job=job: not Job.objects.get(pk=job.pk).active, f"the end of job {job.pk}")  # type: ignore[misc]  # a lambda with a default
            job.refresh_from_db()
            if not disturbed:
                too_late += 1
                continue
            found, kept = fingerprint(extraction)
            rounds.append(
                {
                    "moment": moment,
                    "pairs_there_before": again,
                    "victim": victim,
                    "chunks_done": at,
                    "chunks": job.chunks.count(),
                    "chunks_taken_again": sum(job.chunks.values_list("losses", flat=True)),
                    "state": job.state,
                    "equal": (found, kept, job.counts["pairs_kept"]) == (expected, pairs, pairs),
                }
            )
            print(json.dumps(rounds[-1]), file=sys.stderr, flush=True)
    finally:
        for worker in workers:
            worker.kill()
    return {
        "database": connection.vendor,
        "broker": "redis" if settings.REDIS_URL else "files",
        "pairs": pairs,
        "sha256": expected,
        "kills": len(rounds),
        "kills_that_came_after_the_end": too_late,
        "equal": sum(entry["equal"] for entry in rounds),
        "moments": Counter(entry["moment"] for entry in rounds),
        "victims": Counter(entry["victim"] for entry in rounds),
        "chunks_taken_again": sum(entry["chunks_taken_again"] for entry in rounds),
        "seconds": round(time.monotonic() - started),
        "rounds": rounds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=20, help="on each of the two installations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        import django

        django.setup()
        print(json.dumps(run(arguments.kills, arguments.seed)))
        return
    results = []
    for name in [arguments.only] if arguments.only else ["sqlite", "postgresql"]:
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="paragold-kills-"))
            environment = {**clean_environment(Path(folder)), "DJANGO_SETTINGS_MODULE": "config.settings"}
            if name == "postgresql":
                environment["DATABASE_URL"] = stack.enter_context(postgresql())
                environment["REDIS_URL"] = stack.enter_context(redis())
            command = [sys.executable, "-m", "benchmarks.kills", "--here", "--kills", str(arguments.kills)]
            command += ["--seed", str(arguments.seed)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            results.append(json.loads(done.stdout))
    print(json.dumps(results, indent=2))
    if any(result["equal"] < arguments.kills for result in results):
        sys.exit(1)


if __name__ == "__main__":
    main()
