"""A real worker, killed in the middle of a fetch: nothing is asked for again but what was under way."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone

from corpus.models import AddressState, FetchHost, ImportState
from corpus.services.fetching import check_fetched
from jobs.models import JobState
from jobs.services import ledger
from jobs.services.ledger import cancel_job, retry_job
from projects.models import Project
from tests.factories.fetching import fetch_of
from tests.misbehaving_server import STORY, Answer, MisbehavingServer, loopback_name, page
from tests.processes import wait_until
from tests.worker_process import Worker

pytestmark = pytest.mark.django_db(transaction=True)

HOSTS, PAGES, BEFORE = 4, 16, 8
# Seconds that a worker may take to start and to work, ten times what a busy machine needs.
PATIENCE = 300


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    worker = Worker(tmp_path / "worker.log", settings_module="tests.loopback_settings", in_haste=False)
    yield worker
    worker.kill()


def test_a_killed_worker_and_a_stopped_job_go_on_where_they_were(
    project: Project, server: MisbehavingServer, worker: Worker
) -> None:
    go_on = threading.Event()

    def held(data: bytes) -> Answer:
        def answer(connection: socket.socket) -> None:
            go_on.wait(PATIENCE)
            connection.sendall(data)

        return answer

    pages = [page(STORY.replace("a whole year", f"{number} years")) for number in range(PAGES)]
    server.answers |= {
        f"/{number}": data if number < BEFORE else held(data) for number, data in enumerate(pages)
    }
    addresses = [server.url(f"/{number}", loopback_name(number % HOSTS)) for number in range(PAGES)]
    fetch = fetch_of(project, *[("dam", url) for url in addresses])
    job = fetch.job
    under_way = {f"/{number}" for number in range(BEFORE, BEFORE + HOSTS)}

    def kept() -> int:
        return fetch.addresses.filter(state=AddressState.KEPT).count()

    worker.start()
    wait_until(
        lambda: kept() == BEFORE and under_way <= set(server.asked),
        PATIENCE,
        f"{BEFORE} pages, and {HOSTS} under way\n{worker.log()}",
    )
    worker.kill()
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.RUNNING, BEFORE)
    assert job.chunks.filter(state="leased").count() == HOSTS
    cancel_job(job=job)
    go_on.set()
    assert kept() == BEFORE

    # As if the locks of the dead worker had expired.
    FetchHost.objects.update(free_at=timezone.now())
    retry_job(job=job)
    ledger.hand_over(job)
    worker.start()
    wait_until(lambda: not type(job).objects.get(pk=job.pk).active, PATIENCE, f"the end\n{worker.log()}")
    job.refresh_from_db()
    assert (job.state, job.done, kept()) == (JobState.DONE, PAGES, PAGES)
    assert set(server.most_at_once_of.values()) == {1}
    asked = Counter(server.asked)
    assert asked.pop("/robots.txt") == HOSTS
    assert {path for path, times in asked.items() if times > 1} == under_way
    assert set(asked.values()) == {1, 2}

    source = check_fetched(fetch=fetch, by=None)
    wait_until(
        lambda: project.imports.get(pk=source.pk).state != ImportState.CHECKING, PATIENCE, worker.log()
    )
    source.refresh_from_db()
    assert (source.state, source.counts["articles"]) == (ImportState.CHECKED, PAGES)
    assert source.near["pairs"] == PAGES * (PAGES - 1) // 2
