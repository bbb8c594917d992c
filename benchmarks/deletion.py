"""Deleting a large extraction on SQLite while somebody else writes; prints JSON.

    python -m benchmarks.deletion [--pairs 230000]

An installation in a folder that is removed holds an extraction of so many pairs (see
benchmarks.export_corpus). `request_s` is the time until DELETE is answered; `total_s` until the last row is
gone, removed in this process as a worker does; `lock_s` the longest time that one transaction of it held the
write lock; `wait_s` the longest of the `writes` of one row by another process, one each 20 ms, meanwhile.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.programs import installation_in


def write_again_and_again(stop: Any, waits: Any) -> None:
    import django

    django.setup()
    from django.contrib.auth.models import User

    longest, writes = 0.0, 0
    while not stop.is_set():
        began = time.monotonic()
        User.objects.filter(username="writer").update(first_name=str(writes))
        longest, writes = max(longest, time.monotonic() - began), writes + 1
        time.sleep(0.02)
    waits.put((longest, writes))


@contextmanager
def longest_lock(locks: list[float]) -> Any:
    """Note how long each transaction of this process holds the write lock, in seconds."""
    from django.db import connection

    begun = [0.0]

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith("BEGIN"):
            begun[0] = time.monotonic()
        return result

    connection.ensure_connection()
    commit = connection._commit

    def timed_commit() -> None:
        commit()
        locks.append(time.monotonic() - begun[0])

    connection._commit = timed_commit
    with connection.execute_wrapper(watch):
        yield


def measured(pairs: int) -> dict[str, Any]:
    from django.contrib.auth.models import User
    from rest_framework.test import APIClient

    from benchmarks.export_corpus import load_dataset
    from corpus.models import CandidatePair, Dataset, Extraction, Job, Membership, Role
    from corpus.services.running import run_here

    dataset = Dataset.objects.get(pk=load_dataset(pairs))
    extraction: Extraction = dataset.extractions.get()
    dataset.delete()
    manager = User.objects.create_user("writer")
    Membership.objects.create(user=manager, project=extraction.project, role=Role.MANAGER)
    client = APIClient()
    client.force_authenticate(manager)
    client.get(address := f"/api/v1/extractions/{extraction.pk}/", HTTP_HOST="localhost")  # loads the routes
    context = multiprocessing.get_context("spawn")
    stop, waits = context.Event(), context.Queue()
    other = context.Process(target=write_again_and_again, args=(stop, waits))
    other.start()
    time.sleep(3)
    locks: list[float] = []
    with longest_lock(locks):
        began = time.monotonic()
        answer = client.delete(address, HTTP_HOST="localhost")
        request = time.monotonic() - began
        job = Job.objects.get(kind="remove")
        run_here(job=job)
        total = time.monotonic() - began
    stop.set()
    longest, writes = waits.get(timeout=60)
    other.join()
    return {
        "pairs": pairs,
        "status": answer.status_code,
        "left": CandidatePair.objects.count(),
        "state": job.state,
        "pieces": job.chunks.count(),
        "request_s": round(request, 2),
        "total_s": round(total, 1),
        "lock_s": round(max(locks), 2),
        "wait_s": round(longest, 2),
        "writes": writes,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=230_000)
    pairs = parser.parse_args().pairs
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        installation_in(Path(folder))
        figures = measured(pairs)
    machine = {"load_before": round(load, 1), "machine": platform.machine(), "cpus": os.cpu_count()}
    print(json.dumps(figures | machine))


if __name__ == "__main__":
    main()
