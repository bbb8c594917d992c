"""Lists of addresses and fetches for tests."""

from __future__ import annotations

import zlib
from contextlib import nullcontext

from corpus.models import AddressState, Fetch
from corpus.services.fetch_pages import KIND
from corpus.services.fetching import launch_fetch
from jobs.services.running import run_next_chunk
from paragold.sources.address_lists import AddressList, listed
from projects.models import Project
from tests.factories.corpus import JobFactory
from tests.misbehaving_server import STORY


def address_list(*addresses: tuple[str, str]) -> AddressList:
    """A list of (cluster, address)."""
    return AddressList([listed(cluster, url) for cluster, url in addresses])


def fetch_of(project: Project, *addresses: tuple[str, str]) -> Fetch:
    """A fetch that waits for a worker; fetching must be allowed."""
    return launch_fetch(project=project, by=None, filename="list.csv", listed=address_list(*addresses))


def fetched(project: Project) -> Fetch:
    """A fetch that is done, with a page that was kept and one that was refused."""
    fetch = Fetch.objects.create(
        project=project,
        filename="list.csv",
        job=JobFactory(project=project, kind=KIND, title="Fetch list.csv"),
    )
    for number, fields in enumerate(
        (
            {
                "state": AddressState.KEPT,
                "final_url": "https://news.example/1",
                "kind": "html",
                "page": zlib.compress(STORY.encode()),
                "size": len(STORY),
                "status": 200,
            },
            {"state": AddressState.REFUSED, "reason": "It answered 404.", "status": 404},
        ),
        1,
    ):
        fetch.addresses.create(
            number=number,
            cluster="dam",
            key=f"news.example/{number}",
            url=f"https://news.example/{number}",
            host="news.example",
            **fields,
        )
    return fetch


def report(fetch: Fetch) -> list[tuple[str, int | None, str]]:
    """State, HTTP status and reason of each address, in their order."""
    return list(fetch.addresses.order_by("number").values_list("state", "status", "reason"))


def step(fetch: Fetch) -> bool:
    """Ask for one page, as a worker would."""
    return run_next_chunk(job=fetch.job, worker="w", hold=lambda chunk: nullcontext())
