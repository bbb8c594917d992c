"""Many annotators at once over HTTP; prints JSON. Needs `make setup-dev`.

    python -m benchmarks.annotators [--database sqlite postgresql] [--seconds 20 | --minutes 5] [--kills N]

The server is gunicorn with the real settings, on this machine. Each annotator (50) takes items as they come,
thinks (1 s on average), and saves over a connection that is kept, as a browser does. Of the saves a tenth is
sent twice with the same key, and of another tenth the reply is thrown away and the save sent again. `--kills`
times the whole server is killed with SIGKILL and started again; with `--minutes` it is 20 by default.

`acknowledged` are the different answers the server said to have, `stored` those in its database, `duplicates`
the stored ones beyond one for each item, `lost` the acknowledged ones that are not stored. `p95_ms` is of the
saves that did not meet a restart; `p95_with_restarts_ms` of all. `server_cpu_ms` is what the server computes
for a request of this mix: other work on the machine changes it less than the rest; `load` is the machine's
over the last five minutes. `failed_requests` got no answer; before those that `reconnected` the server had
closed the connection. `refused` were answered 503 or 429 and sent again. The
database that is asked for first stands on top, others under their names. The PostgreSQL is a throw-away one
without fsync.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

from benchmarks.one_annotator import Annotator, signed_in
from benchmarks.throwaway_server import Server, percentile, throwaway_server
from scripts.services import find_postgresql, postgresql

DATABASES = ("sqlite", "postgresql")


def make(annotators: int, pairs: int) -> tuple[int, list[str]]:
    """The id of a batch that is handed out as people come, and a session for each annotator."""
    from django.conf import settings

    from annotation.models import HandingOut
    from annotation.services.drawing import draw_judging_batch
    from projects.models import Role
    from tests.factories.corpus import ProjectFactory, dataset_of, member

    # Nobody enters a password here, and 200 take a minute to hash.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    project = ProjectFactory()
    people = [member(project, Role.ANNOTATOR, f"annotator {n}") for n in range(annotators)]
    batch = draw_judging_batch(
        project=project, by=None, name="load", dataset=dataset_of(project, pairs), size=pairs, seed=1,
        annotators=[user.username for user in people], overlap=annotators,
        handing_out=HandingOut.AS_THEY_COME,
    )  # fmt: skip
    sessions = []
    for user in people:
        sessions.append(signed_in(user))
    return batch.pk, sessions


def kill_at_times(
    server: Server, kills: int, seconds: float, over: threading.Event
) -> list[tuple[float, float]]:
    """Kills and starts the server at even distances; returns from when to when it was away each time."""
    away: list[tuple[float, float]] = []
    began = time.perf_counter()
    for number in range(1, kills + 1):
        if over.wait(max(0, began + number * seconds / (kills + 1) - time.perf_counter())):
            break
        killed = time.perf_counter()
        server.kill()
        server.start()
        away.append((killed, time.perf_counter()))
    return away


def measure(options: argparse.Namespace, database: str) -> dict[str, Any]:
    """One run on one database. Django is set up on it, so there is one run in a process."""
    pairs = int(1.1 * options.seconds / max(0.1, options.think)) + 20
    with (
        postgresql() if database == "postgresql" else nullcontext("") as url,
        throwaway_server(lambda: make(options.annotators, pairs), database_url=url) as (server, found),
    ):
        batch, sessions = found
        people = [Annotator(server.address, batch, session, options.think) for session in sessions]
        used = server.cpu_seconds()
        over = threading.Event()
        until = time.monotonic() + options.seconds
        with ThreadPoolExecutor(len(people) + 1) as pool:
            killing = pool.submit(kill_at_times, server, options.kills, options.seconds, over)
            for work in [pool.submit(person.work, until) for person in people]:
                work.result()
            over.set()
        cpu = None if used is None or options.kills else (server.cpu_seconds() or 0) - used
        return result(people, database, killing.result(), options, cpu)


def result(
    people: list[Annotator],
    database: str,
    away: list[tuple[float, float]],
    options: argparse.Namespace,
    cpu: float | None,
) -> dict[str, Any]:
    from annotation.models import Answer

    stored = {str(key) for key in Answer.objects.values_list("key", flat=True)}
    items = Answer.objects.values("assignment").distinct().count()
    acknowledged = {key for person in people for key in person.acknowledged}

    def undisturbed(times: list[tuple[float, float]]) -> list[float]:
        return [
            took for start, took in times if not any(a <= start + took / 1000 and start <= b for a, b in away)
        ]

    saves = [one for person in people for one in person.saves]
    queues = undisturbed([one for person in people for one in person.queues])
    calm = undisturbed(saves)
    requests = len(saves) + sum(len(person.queues) for person in people)
    return {
        "database": database,
        "annotators": len(people),
        "seconds": options.seconds,
        "kills": len(away),
        "acknowledged": len(acknowledged),
        "stored": len(stored),
        "duplicates": len(stored) - items,
        "lost": len(acknowledged - stored),
        "failed_requests": sum(person.failed for person in people),
        "reconnected": sum(person.reconnected for person in people),
        "refused": sum((person.refused for person in people), Counter()),
        "saves_per_second": round(len(acknowledged) / options.seconds, 1),
        "p50_ms": percentile(calm, 0.5),
        "p95_ms": percentile(calm, 0.95),
        "p95_with_restarts_ms": percentile([took for _, took in saves], 0.95),
        "next_items_ms": {"p50": percentile(queues, 0.5), "p95": percentile(queues, 0.95)},
        "server_cpu_ms": None if cpu is None else round(1000 * cpu / requests, 1),
        "load": round(os.getloadavg()[1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--database", nargs="+", choices=DATABASES, help="all there are by default")
    parser.add_argument("--annotators", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--minutes", type=float, help="in place of --seconds, and with 20 kills")
    parser.add_argument("--kills", type=int)
    parser.add_argument("--think", type=float, default=1.0, help="seconds, on average")
    options = parser.parse_args()
    if options.minutes is not None:
        options.seconds = 60 * options.minutes
    if options.kills is None:
        options.kills = 0 if options.minutes is None else 20
    databases = options.database or [name for name in DATABASES if name == "sqlite" or find_postgresql()]
    if len(databases) == 1:
        print(json.dumps(measure(options, databases[0]), indent=2))
        return
    common = [f"--{name}={getattr(options, name)}" for name in ("annotators", "seconds", "kills", "think")]
    command = [sys.executable, "-m", "benchmarks.annotators", *common, "--database"]
    runs = [
        json.loads(subprocess.run([*command, name], stdout=subprocess.PIPE, check=True).stdout)
        for name in databases
    ]
    print(json.dumps(runs[0] | {run["database"]: run for run in runs[1:]}, indent=2))


if __name__ == "__main__":
    main()
