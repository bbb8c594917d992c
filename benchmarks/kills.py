"""Workers killed in the middle of extractions, which must end with the pairs of an undisturbed one."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measuring import Row, percentile
from ops.launcher.programs import queue
from scripts.installations import Running, processes as all_processes, running, throwaway_installation
from tests.factories.made_up import write_tokenised

if TYPE_CHECKING:
    from corpus.models import Extraction
    from jobs.models import Job
    from projects.models import Project
    from tests.worker_process import Worker

CLUSTERS, SIZES = 90, (32,) * 29 + (240,)
MOMENTS = ("waiting", "taking a message", "computing", "in the database", "at the end")
# What is killed at that moment: mostly the process itself.
VICTIMS = ("process", "process", "process", "parent", "all", "queue", "all and the queue")
LONGEST_WAIT = 60.0
SETTINGS = {"max_edit_distance": 20}
PATIENCE = 600.0


def kills(*, kills: int = 20, seed: int = 1, database: str = "sqlite") -> list[Row]:
    """Workers killed (SIGKILL) during extractions: equal pairs afterwards, and how long a job stood still.

    On SQLite, or on a throw-away PostgreSQL. An extraction is launched for each kill, about every second one
    in a project that holds the same pairs already. At a random moment a victim is killed: one of the
    worker's processes while it waits for messages, takes one, computes, or reads or writes the database;
    their parent, whose other processes live on; all of them; the queue; or all of them and the queue. What
    the launcher would start again is then started again. Other pairs than those of an undisturbed extraction,
    and more than 60 s in which nothing happened to a job that was not done, are problems.
    """
    with (
        throwaway_installation(database, queue=False) as installation,
        running(queue(installation), ready=installation.queue_socket.exists) as messages,
    ):
        rounds = _rounds(kills, seed, messages)
    silences = [row["longest_silence_s"] for row in rounds]
    wrong = [row for row in rounds if not row["equal"] or row["longest_silence_s"] > LONGEST_WAIT]
    summary = {"database": database, "moment": "all", "kills": len(rounds), "equal": len(rounds) - len(wrong)}
    silent = {"longest_silence_s": max(silences, default=0.0), "median_silence_s": percentile(silences, 0.5)}
    problem = f"{len(wrong)} of {len(rounds)} extractions were not as they have to be." if wrong else ""
    if len(rounds) < kills:
        problem = f"Only {len(rounds)} kills came before the end of their job."
    return [*rounds, summary | silent | {"problem": problem}]


def _rounds(kills: int, seed: int, messages: Running) -> list[Row]:
    from django.conf import settings

    from jobs.services.running import run_here
    from tests.factories.news import project_with, stored
    from tests.processes import within
    from tests.worker_process import Worker

    (path,) = write_tokenised(settings.VAR, CLUSTERS, 1, 7, sizes=SIZES)
    calm = launch(project_with(path))
    run_here(job=calm.job)
    expected = stored(calm)
    draw = random.Random(seed)
    worker = Worker(settings.VAR / "worker.log", concurrency=2, in_haste=False, short=True)
    rounds: list[Row] = []
    project: Project | None = None
    launched = 0
    try:
        worker.start()
        while len(rounds) < kills and launched < 6 * kills:
            moment, victim = MOMENTS[len(rounds) % len(MOMENTS)], draw.choice(VICTIMS)
            again = project is not None and launched % 2 == 1
            project = project if again and project else project_with(path)
            launched += 1
            worker.start()
            assert within(lambda: len(processes()) == 3)
            if moment == "waiting":
                strike(victim, draw.choice(processes()), worker, messages)
            extraction = launch(project)
            job = extraction.job
            if moment != "waiting":
                pid = find(moment, job, draw)
                if pid is None:
                    continue
                strike(victim, pid, worker, messages)
                job.refresh_from_db()
            done, disturbed = job.chunks.filter(state="done").count(), job.active
            silence = longest_silence(job, worker)
            job.refresh_from_db()
            if not disturbed:
                continue
            rounds.append({
                "moment": moment, "victim": victim, "pairs_there_before": again,
                "chunks_done": done, "chunks": job.chunks.count(),
                "chunks_taken_again": sum(job.chunks.values_list("losses", flat=True)),
                "longest_silence_s": round(silence, 2), "state": job.state,
                "equal": stored(extraction) == expected and job.counts["pairs_kept"] == len(expected),
            })  # fmt: skip
            print(json.dumps(rounds[-1]), file=sys.stderr, flush=True)
    finally:
        worker.close()
    return rounds


def launch(project: Project) -> Extraction:
    """An extraction in chunks of two clusters, the large ones in parts."""
    from corpus.services import extraction

    extraction.CLUSTERS_A_CHUNK = 2
    extraction.COMPARISONS_A_PART = 15_000
    return extraction.launch_extraction(project=project, by=None, preset="L12-2004", settings=SETTINGS)


def processes() -> list[int]:
    """The worker's processes that take messages."""
    from jobs.models import WorkerHeartbeat

    names = WorkerHeartbeat.objects.moving().values_list("name", flat=True)
    return [pid for pid in (int(name.rpartition(":")[2]) for name in names) if Path(f"/proc/{pid}").exists()]


def touches(pid: int) -> str:
    """Where the process is: `computing`, or the file or socket that its system call is about, or nothing."""
    with suppress(OSError, ValueError, IndexError):
        words = Path(f"/proc/{pid}/syscall").read_text().split()
        if words[0] == "running":
            return "computing"
        return str(Path(f"/proc/{pid}/fd/{int(words[1], 16)}").readlink())
    return ""


def is_in(moment: str, pid: int) -> bool:
    where = touches(pid)
    if moment == "in the database":
        return "sqlite" in where or where.startswith("socket")
    return where == "computing"


def find(moment: str, job: Job, draw: random.Random) -> int | None:
    """Wait for the moment, and return the process that is then at it; None when the job has ended before."""
    from jobs.models import ChunkState, Job

    until = time.monotonic() + PATIENCE
    chunks = job.chunks.count()
    share = draw.randrange(1, chunks) if moment != "at the end" else chunks - 1
    while time.monotonic() < until:
        if not Job.objects.get(pk=job.pk).active:
            return None
        name = job.chunks.filter(state=ChunkState.LEASED).values_list("worker", flat=True).first()
        pid = int(name.rpartition(":")[2]) if name else None
        done = job.chunks.filter(state=ChunkState.DONE).count()
        if moment == "taking a message" and pid is not None:
            return pid
        if pid is not None and done >= share:
            # The moment comes and goes within milliseconds.
            looks = time.monotonic() + 0.3
            while time.monotonic() < looks and not is_in(moment, pid):
                pass
            return pid
    raise SystemExit(f"Not within {PATIENCE:.0f} s: {moment}")


def strike(victim: str, pid: int, worker: Worker, messages: Running) -> None:
    """Kill, and start again what the launcher would start again, about as quickly."""
    if victim == "process":
        os.kill(pid, signal.SIGKILL)
        return
    if victim == "parent":
        [parent] = [int(fields[1]) for each, _, fields in all_processes() if each == pid]
        os.kill(parent, signal.SIGKILL)
    if victim.startswith("all"):
        worker.kill()
    if victim.endswith("queue"):
        messages.kill()
    time.sleep(1)
    if victim.endswith("queue"):
        messages.start()
    worker.start()


def longest_silence(job: Job, worker: Worker) -> float:
    """Wait for the end of a job; the longest time until then in which no chunk of it was leased or done.

    A worker that ends meanwhile is started again, as the launcher does.
    """
    from jobs.models import Job

    until = time.monotonic() + PATIENCE
    since, longest, state = time.monotonic(), 0.0, None
    while Job.objects.get(pk=job.pk).active and time.monotonic() < until:
        now = sorted(job.chunks.values_list("number", "state", "fence"))
        if now != state:
            since, state = time.monotonic(), now
        longest = max(longest, time.monotonic() - since)
        worker.start()
        time.sleep(0.02)
    return longest
