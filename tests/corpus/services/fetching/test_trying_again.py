"""Fetches that are stopped, lost and taken up again, and addresses that fail."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from corpus.models import Fetch
from corpus.services import fetch_pages
from corpus.services.fetch_pages import DatabaseLocks
from corpus.services.fetching import check_fetched
from jobs.services.ledger import cancel_job, lease_chunk, retry_job
from jobs.services.running import LeaseLost, run_here
from projects.models import Project
from tests import misbehaving_server as server_that
from tests.factories.fetching import fetch_of, report, step
from tests.misbehaving_server import STORY, MisbehavingServer, page


def test_a_stopped_fetch_goes_on_where_it_was(project: Project, server: MisbehavingServer) -> None:
    fetch = fetch_of(project, *[("dam", server.url(f"/{name}")) for name in "abc"])
    assert step(fetch)
    cancel_job(job=fetch.job)
    assert not step(fetch)
    assert [state for state, _, _ in report(fetch)] == ["kept", "waiting", "waiting"]
    assert fetch.job.done == 1
    # What is there can be looked at, and the rest be fetched later.
    source = check_fetched(fetch=fetch, by=None)
    run_here(job=source.job)
    source.refresh_from_db()
    assert source.counts["articles"] == 1
    retry_job(job=fetch.job)
    run_here(job=fetch.job)
    assert [state for state, _, _ in report(fetch)] == ["kept"] * 3
    assert [path for path in server.asked if path != "/robots.txt"] == ["/a", "/b", "/c"]


def test_a_page_whose_worker_was_lost_is_asked_for_again(project: Project, server: MisbehavingServer) -> None:
    fetch = fetch_of(project, ("dam", server.url("/a")))
    lost = lease_chunk(job=fetch.job, worker="dead")
    assert lost is not None
    fetch.job.chunks.update(leased_until=timezone.now() - timedelta(seconds=1))
    run_here(job=fetch.job, patience=0.01)
    assert [state for state, _, _ in report(fetch)] == ["kept"]
    with pytest.raises(LeaseLost):
        DatabaseLocks(lost).alive()


def test_a_cancelled_fetch_stops_in_the_middle_of_a_page(
    project: Project, server: MisbehavingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page never ends by itself; its worker looks up now and then, and finds its job cancelled."""
    server.answers["/a"] = server_that.endless
    fetch = fetch_of(project, ("dam", server.url("/a")))
    looks_up = DatabaseLocks.alive

    def cancelled_meanwhile(locks: DatabaseLocks) -> None:
        if "/a" in server.asked and Fetch.objects.get().job.active:
            cancel_job(job=Fetch.objects.get().job)
        looks_up(locks)

    monkeypatch.setattr(fetch_pages, "ALIVE_SECONDS", 0.0)
    monkeypatch.setattr(DatabaseLocks, "alive", cancelled_meanwhile)
    assert step(fetch)
    assert server.asked == ["/robots.txt", "/a"]
    assert report(fetch) == [("waiting", None, "")]
    assert not step(fetch)


def test_what_fails_is_tried_three_times_then_told(project: Project, server: MisbehavingServer) -> None:
    server.answers["/busy"] = page("busy", status="503 Busy")
    server.answers["/late"] = [page("busy", status="500 Broken"), page(STORY)]
    server.answers["/never"] = page("busy", status="429 Too many", retry_after="86400")
    fetch = fetch_of(project, *[("dam", server.url(path)) for path in ("/busy", "/late", "/never")])
    run_here(job=fetch.job, patience=0.01)
    assert report(fetch) == [
        ("failed", 503, "It answered 503."),
        ("kept", 200, ""),
        ("failed", 429, "It answered 429."),
    ]
    assert [server.asked.count(path) for path in ("/busy", "/late", "/never")] == [3, 2, 1]
    assert list(fetch.addresses.values_list("attempts", flat=True)) == [3, 2, 1]
    assert fetch.job.counts["not_fetched"] == 2


def test_retry_after_is_waited_for(project: Project, server: MisbehavingServer) -> None:
    server.answers["/late"] = [page("busy", status="503 Busy", retry_after="300"), page(STORY)]
    fetch = fetch_of(project, ("dam", server.url("/late")))
    assert step(fetch)
    assert fetch_pages.next_address(fetch) is None
    due = fetch.addresses.get().due
    assert due is not None and due > timezone.now() + timedelta(seconds=200)
    fetch.addresses.update(due=timezone.now())
    run_here(job=fetch.job)
    assert [state for state, _, _ in report(fetch)] == ["kept"]


def test_a_host_that_cannot_be_had_is_left_alone(project: Project, server: MisbehavingServer) -> None:
    server.answers["/robots.txt"] = page("", status="500 Broken")
    fetch = fetch_of(project, *[("dam", server.url(f"/{name}")) for name in "abc"])
    run_here(job=fetch.job, patience=0.01)
    states = report(fetch)
    assert [state for state, _, _ in states] == ["failed"] * 3
    assert "robots.txt of 127.0.0.1 cannot be read" in states[0][2]
    assert states[2][2].startswith("Not requested: 127.0.0.1 cannot be reached")
    assert set(server.asked) == {"/robots.txt"}
    assert fetch.job.done == fetch.job.total == 3
