"""Locks of hosts: one request at a time to each, whoever asks, and several hosts at once."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from corpus.models import Fetch, FetchHost, FetchSite
from corpus.services import fetch_pages
from corpus.services.fetch_pages import DatabaseLocks
from jobs.services.ledger import lease_chunk
from jobs.services.running import run_here
from projects.models import Project
from tests.factories.fetching import fetch_of, report, step
from tests.misbehaving_server import STORY, Answer, MisbehavingServer, loopback_name, page


def test_robots_are_kept_for_all_jobs(project: Project, server: MisbehavingServer) -> None:
    server.answers["/robots.txt"] = page("User-agent: *\nDisallow: /b\n")
    for name in "ab":
        run_here(job=fetch_of(project, ("dam", server.url(f"/{name}"))).job)
    assert server.asked == ["/robots.txt", "/a"]
    FetchSite.objects.update(fetched_at=timezone.now() - timedelta(days=2))
    run_here(job=fetch_of(project, ("dam", server.url("/c"))).job)
    assert server.asked.count("/robots.txt") == 2


def test_the_host_that_has_been_free_for_longest_is_next(project: Project) -> None:
    fetch = fetch_of(project, *[("dam", f"http://{host}.example/") for host in "abc"])
    now = timezone.now()
    FetchHost.objects.create(host="a.example", free_at=now + timedelta(seconds=60))
    FetchHost.objects.create(host="b.example", free_at=now - timedelta(seconds=60))
    assert fetch_pages.next_address(fetch).host == "c.example"
    fetch.addresses.filter(host="c.example").update(state="failed")
    assert fetch_pages.next_address(fetch).host == "b.example"
    fetch.addresses.filter(host="b.example").update(state="failed")
    assert fetch_pages.next_address(fetch) is None


def test_a_pause_is_kept_and_a_dead_askers_turn_comes_to_an_end(project: Project) -> None:
    fetch = fetch_of(project, ("dam", "http://a.example/"))
    locks = DatabaseLocks(lease_chunk(job=fetch.job, worker="w"))
    with locks.lock("a.example") as pause:
        pause(30.0)
        during = FetchHost.objects.get().free_at
        assert during > timezone.now() + timedelta(seconds=60)
    after = FetchHost.objects.get().free_at
    assert timedelta(seconds=20) < after - timezone.now() <= timedelta(seconds=30)
    # Somebody else's turn is not ended by a late comer.
    FetchHost.objects.update(free_at=timezone.now())
    with locks.lock("a.example"):
        FetchHost.objects.update(free_at=during)
    assert FetchHost.objects.get().free_at == during


@pytest.mark.django_db(transaction=True)
def test_one_request_at_a_time_to_a_host_whoever_asks(project: Project, server: MisbehavingServer) -> None:
    """Two fetches at work at the same time, in two threads."""
    for name in "abcdef":
        server.answers[f"/{name}"] = page(STORY)
    fetches = [
        fetch_of(project, *[(cluster, server.url(f"/{name}")) for name in names])
        for cluster, names in (("dam", "abc"), ("vote", "def"))
    ]

    def work(fetch: Fetch) -> None:
        try:
            run_here(job=fetch.job, patience=0.01)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(fetch,)) for fetch in fetches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [state for fetch in fetches for state, _, _ in report(fetch)] == ["kept"] * 6
    assert server.most_at_once == 1


@pytest.mark.django_db(transaction=True)
def test_hosts_are_asked_at_once_and_what_is_stored_is_the_same(
    project: Project, server: MisbehavingServer
) -> None:
    """Fetched by one lane and by eight: the same rows, with never two requests to a host under way."""

    pages = {f"/{number}": page(STORY.replace("Dam", f"Dam {number}")) for number in range(12)}
    pages["/7"] = page("", status="500 No")
    all_here = threading.Barrier(4)

    def after_the_others(data: bytes) -> Answer:
        def answer(connection: socket.socket) -> None:
            with suppress(threading.BrokenBarrierError):
                all_here.wait(20)
            connection.sendall(data)

        return answer

    # The first page of each host comes when all four are asked for.
    server.answers |= pages | {f"/{number}": after_the_others(pages[f"/{number}"]) for number in range(4)}
    addresses = [("dam", server.url(f"/{number}", loopback_name(number % 4))) for number in range(12)]
    at_once = fetch_of(project, *addresses)
    assert at_once.job.chunks.count() == 4
    run_here(job=at_once.job, patience=0.01)
    assert server.most_at_once == 4
    assert set(server.most_at_once_of.values()) == {1}
    asked = Counter(server.asked)
    assert [asked[f"/{number}"] for number in range(12)] == [3 if number == 7 else 1 for number in range(12)]
    assert at_once.job.chunks.filter(state="done").count() == at_once.job.chunks.count()
    server.answers |= pages
    server.most_at_once = 0
    alone = fetch_of(project, *addresses)
    with transaction.atomic():
        run_here(job=alone.job, patience=0.01)
    assert server.most_at_once == 1

    told = ("state", "reason", "status", "final_url", "kind", "encoding", "size", "attempts", "page")
    first, second = (
        list(fetch.addresses.order_by("number").values_list(*told)) for fetch in (at_once, alone)
    )
    assert first == second
    assert at_once.job.counts == alone.job.counts


def test_no_more_lanes_are_open_than_hosts_are_left(project: Project, server: MisbehavingServer) -> None:
    names = [loopback_name(number) for number in range(3)]
    fetch = fetch_of(project, *[("dam", server.url("/a", name)) for name in names])
    assert fetch.job.chunks.count() == 3
    held = lease_chunk(job=fetch.job, worker="other")
    assert held is not None
    fetch.job.chunks.filter(pk=held.pk).update(payload={"host": names[0]})
    assert step(fetch)
    assert step(fetch)
    assert [state for state, _, _ in report(fetch)] == ["waiting", "kept", "kept"]
    assert not step(fetch)
    assert fetch.job.chunks.count() == 3
