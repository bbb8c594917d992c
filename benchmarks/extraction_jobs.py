"""An extraction as a job with two workers, on the database of DATABASE_URL; prints JSON.

Run by benchmarks.extraction. The workers are processes that do what a Celery worker does with its message:
lease a chunk, extract, store, until the job has ended.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from time import monotonic, process_time, sleep

import django

from benchmarks.extraction_corpus import load
from benchmarks.news_like_clusters import SENTENCES_A_CLUSTER

WORKERS = 2


def work(job_id: int) -> None:
    from benchmarks.news_like_clusters import NewsWriter
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
    before = process_time()
    run_here(job=job, patience=0.05)
    print(peak_mb(), process_time() - before, flush=True)


def peak_mb() -> float:
    """The most memory that this process has had.

    Linux counts into ru_maxrss what the parent had when it started this process; its status file does not.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


def server_cpu_seconds() -> float | None:
    """CPU time of the PostgreSQL server and its processes, where it runs on this machine and Linux tells."""
    from django.db import connection

    if connection.vendor != "postgresql" or not Path("/proc").exists():
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    # After the name: state, parent, ..., from the twelfth on the ticks of itself and of its dead children.
    processes = {
        int(path.parent.name): path.read_text().rpartition(")")[2].split()
        for path in Path("/proc").glob("[0-9]*/stat")
    }
    server = processes[backend][1]
    ticks = sum(
        sum(map(int, fields[11:15] if str(pid) == server else fields[11:13]))
        for pid, fields in processes.items()
        if server in (str(pid), fields[1])
    )
    return ticks / os.sysconf("SC_CLK_TCK")


def run(clusters: int, size: int, seed: int, preset: str) -> dict[str, object]:
    from django.core.management import call_command
    from django.db import connection

    from corpus.services.extraction import launch_extraction
    from jobs.models import JobState
    from jobs.services import ledger
    from paragold.extraction.presets import get_preset
    from projects.models import Project

    call_command("migrate", verbosity=0)
    started = monotonic()
    project = Project.objects.get(pk=load(clusters, seed, size))
    written = monotonic() - started
    ledger.hand_over = lambda job: None  # No queue: the workers are told below.
    started = monotonic()
    job = launch_extraction(project=project, by=None, preset=preset).job
    launched = monotonic() - started
    command = [sys.executable, "-m", "benchmarks.extraction_jobs", "--work", str(job.pk)]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(WORKERS)
    ]
    for worker in workers:
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
    server_before = server_cpu_seconds()
    started = monotonic()
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("\n")
        worker.stdin.flush()
    while not ledger.all_chunks_done(job):
        if all(worker.poll() is not None for worker in workers):
            sys.exit(f"The workers ended before the job; its state is {job.state}.")
        sleep(0.05)
    chunks_seconds = monotonic() - started
    while job.active:
        sleep(0.02)
        job.refresh_from_db()
    seconds = monotonic() - started
    # Workers go on to reckon what pages will show; that is not the job's.
    server_after = server_cpu_seconds()
    told = [worker.communicate()[0].split() for worker in workers]
    peaks, cpu_seconds = zip(*((float(peak), float(cpu)) for peak, cpu in told), strict=True)
    if job.state != JobState.DONE:
        sys.exit(f"The job is {job.state}: {job.error}")
    counts = job.counts
    server_seconds = None if server_before is None or server_after is None else server_after - server_before
    return {
        "database": connection.vendor,
        "sentences": counts["sentences"],
        "clusters": clusters,
        "criteria": get_preset(preset).criteria.signature(),
        "sentences_a_cluster": size,
        "chunks": job.chunks.count(),
        "pairs_compared": counts["pairs_compared"],
        "rows": counts["pairs_kept"],
        "loading_seconds": round(written, 1),
        "launch_seconds": round(launched, 2),
        "chunks_seconds": round(chunks_seconds, 2),
        "seconds": round(seconds, 2),
        "sentences_per_s": round(counts["sentences"] / seconds),
        "pairs_per_s": round(counts["pairs_compared"] / seconds),
        "rows_per_s": round(counts["pairs_kept"] / seconds),
        "rss_mb_per_worker": round(max(peaks)),
        # What a busy machine does not change: the workers' own time, without the database's.
        "worker_cpu_us_per_sentence": round(1e6 * sum(cpu_seconds) / counts["sentences"], 1),
        "server_cpu_us_per_sentence": server_seconds and round(1e6 * server_seconds / counts["sentences"], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", type=int, default=100)
    parser.add_argument("--cluster-sentences", type=int, default=SENTENCES_A_CLUSTER)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", default="candidates-2005")
    parser.add_argument("--work", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if arguments.work is not None:
        work(arguments.work)
    else:
        print(
            json.dumps(run(arguments.clusters, arguments.cluster_sentences, arguments.seed, arguments.preset))
        )


if __name__ == "__main__":
    main()
