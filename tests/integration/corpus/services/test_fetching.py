"""The job that fetches: kept pages survive, one request at a time to a host, a report for every address."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from corpus.errors import PublicError
from corpus.importers.pages.story_hmm import load_story_model
from corpus.models import Article, Fetch, FetchHost, FetchSite, ImportState, JobState, Project, Sentence
from corpus.services import fetch_turns, fetching
from corpus.services.fetch_import import check_fetched
from corpus.services.fetch_turns import DatabaseTurns
from corpus.services.fetching import discard_fetch, launch_fetch
from corpus.services.import_jobs import begin_storing
from corpus.services.jobs import cancel_job, lease_chunk, retry_job
from corpus.services.running import LeaseLost, run_here, run_next_chunk
from tests import misbehaving_server as server_that
from tests.factories.corpus import ProjectFactory
from tests.factories.fetching import address_list, fetch_of
from tests.misbehaving_server import STORY, MisbehavingServer, page, serving


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with serving() as server:
        server.answers |= {f"/{name}": page(STORY.replace("Dam", name)) for name in "abc"}
        yield server


@pytest.fixture
def project(db: None, settings, monkeypatch: pytest.MonkeyPatch) -> Project:
    settings.FETCHING = True
    settings.FETCH_CONTACT = "mailto:tests@paragold.example"
    settings.FETCH_LOOPBACK_FOR_TESTS = True
    settings.FETCH_DELAY_SECONDS = 0.0
    monkeypatch.setattr(fetching, "BACKOFF_SECONDS", (0.0, 0.0))
    return ProjectFactory(slug="dams")


def report(fetch: Fetch) -> list[tuple[str, int | None, str]]:
    return list(fetch.addresses.order_by("number").values_list("state", "status", "reason"))


def step(fetch: Fetch) -> bool:
    return run_next_chunk(job=fetch.job, worker="w", hold=lambda chunk: nullcontext())


def test_pages_are_fetched_seen_and_imported(project: Project, server: MisbehavingServer) -> None:
    server.answers["/pdf"] = page(b"%PDF", content_type="application/pdf")
    fetch = fetch_of(project, *[("dam", server.url(f"/{name}")) for name in ("a", "pdf", "b")])
    run_here(job=fetch.job)
    assert (fetch.job.state, fetch.job.done, fetch.job.total) == (JobState.DONE, 3, 3)
    assert fetch.job.counts == {"pages": 2, "bytes": 2 * len(STORY) - 2 * len("Dam") + 2, "not_fetched": 1}
    assert [row[:2] for row in report(fetch)] == [("kept", 200), ("refused", 200), ("kept", 200)]
    assert server.asked == ["/robots.txt", "/a", "/pdf", "/b"]
    assert "paragold" in server.heads[0].lower() and "mailto:tests@paragold.example" in server.heads[0]
    row = fetch.addresses.get(number=1)
    assert (row.final_url, row.kind, row.encoding, row.attempts) == (server.url("/a"), "html", "utf-8", 1)
    assert row.seconds > 0

    source = check_fetched(fetch=fetch, by=None)
    run_here(job=source.job)
    source.refresh_from_db()
    assert (source.state, source.counts["articles"]) == (ImportState.CHECKED, 1)
    assert "has the same sentences" in source.notes[0]
    assert not Article.objects.exists()
    run_here(job=begin_storing(source=source, by=None))
    article = Article.objects.get()
    assert (article.cluster.key, article.url, article.title) == ("dam", server.url("/a"), "a mended")
    assert article.key == server.url("/a").removeprefix("http://")
    assert Sentence.objects.count() == 2
    with pytest.raises(PublicError, match="all 1 pages of the list are in the corpus already"):
        fetch_of(project, ("dam", server.url("/a")))


def test_what_is_in_the_corpus_is_not_asked_for_again(project: Project, server: MisbehavingServer) -> None:
    first = fetch_of(project, ("dam", server.url("/a")))
    run_here(job=first.job)
    source = check_fetched(fetch=first, by=None)
    run_here(job=source.job)
    source.refresh_from_db()
    run_here(job=begin_storing(source=source, by=None))
    second = fetch_of(project, ("dam", server.url("/a")), ("dam", server.url("/b")))
    run_here(job=second.job)
    assert [state for state, _, _ in report(second)] == ["there", "kept"]
    assert server.asked.count("/a") == 1


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
        DatabaseTurns(lost).alive()


def test_a_cancelled_fetch_stops_in_the_middle_of_a_page(
    project: Project, server: MisbehavingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page never ends by itself; its worker looks up now and then, and finds its job cancelled."""
    server.answers["/a"] = server_that.endless
    fetch = fetch_of(project, ("dam", server.url("/a")))
    looks_up = DatabaseTurns.alive

    def cancelled_meanwhile(turns: DatabaseTurns) -> None:
        if "/a" in server.asked and Fetch.objects.get().job.active:
            cancel_job(job=Fetch.objects.get().job)
        looks_up(turns)

    monkeypatch.setattr(fetch_turns, "ALIVE_SECONDS", 0.0)
    monkeypatch.setattr(DatabaseTurns, "alive", cancelled_meanwhile)
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
    assert fetching.next_address(fetch) is None
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
    assert "robots.txt of 127.0.0.1 cannot be had" in states[0][2]
    assert states[2][2].startswith("Not asked for: 127.0.0.1 cannot be had")
    assert set(server.asked) == {"/robots.txt"}
    assert fetch.job.done == fetch.job.total == 3


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
    assert fetching.next_address(fetch).host == "c.example"
    fetch.addresses.filter(host="c.example").update(state="failed")
    assert fetching.next_address(fetch).host == "b.example"
    fetch.addresses.filter(host="b.example").update(state="failed")
    assert fetching.next_address(fetch) is None


def test_a_pause_is_kept_and_a_dead_askers_turn_comes_to_an_end(project: Project) -> None:
    fetch = fetch_of(project, ("dam", "http://a.example/"))
    turns = DatabaseTurns(lease_chunk(job=fetch.job, worker="w"))
    with turns.turn("a.example") as pause:
        pause(30.0)
        during = FetchHost.objects.get().free_at
        assert during > timezone.now() + timedelta(seconds=60)
    after = FetchHost.objects.get().free_at
    assert timedelta(seconds=20) < after - timezone.now() <= timedelta(seconds=30)
    # Somebody else's turn is not ended by a late comer.
    FetchHost.objects.update(free_at=timezone.now())
    with turns.turn("a.example"):
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


def test_private_machines_are_refused_without_the_tests_switch(
    project: Project, server: MisbehavingServer, settings
) -> None:
    settings.FETCH_LOOPBACK_FOR_TESTS = False
    inside = [server.url("/a"), "http://127.0.0.1/", "http://169.254.169.254/latest/", "http://10.0.0.1/"]
    fetch = fetch_of(project, *[("dam", url) for url in inside])
    run_here(job=fetch.job)
    assert [state for state, _, _ in report(fetch)] == ["refused"] * 4
    assert "Port" in report(fetch)[0][2] and "no public address" in report(fetch)[1][2]
    assert server.asked == []
    with pytest.raises(PublicError, match="No page was fetched"):
        check_fetched(fetch=fetch, by=None)


def test_an_installation_that_does_not_fetch(project: Project, server: MisbehavingServer, settings) -> None:
    fetch = fetch_of(project, ("dam", server.url("/a")))
    settings.FETCHING = False
    with pytest.raises(PublicError, match="PARAGOLD_FETCHING=1"):
        fetch_of(project, ("dam", server.url("/b")))
    run_here(job=fetch.job)
    assert fetch.job.state == JobState.FAILED and "PARAGOLD_FETCHING=1" in fetch.job.error
    assert server.asked == []


def test_a_list_with_problems_and_a_running_fetch(project: Project, server: MisbehavingServer) -> None:
    with pytest.raises(PublicError, match="has problems"):
        launch_fetch(project=project, by=None, filename="x", listed=address_list())
    fetch = fetch_of(project, ("dam", server.url("/a")))
    with pytest.raises(PublicError, match="still being fetched"):
        check_fetched(fetch=fetch, by=None)


def test_a_discarded_fetch_leaves_nothing_but_its_job(project: Project, server: MisbehavingServer) -> None:
    fetch = fetch_of(project, ("dam", server.url("/a")), ("dam", server.url("/b")))
    step(fetch)
    job = fetch.job
    discard_fetch(fetch=fetch)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not Fetch.objects.exists()


def test_another_method_takes_the_place_of_the_first_check(
    project: Project, server: MisbehavingServer
) -> None:
    from benchmarks.news_pages.pages import news_pages
    from benchmarks.story_text import model_without

    fetch = fetch_of(project, ("dam", server.url("/a")))
    run_here(job=fetch.job)
    first = check_fetched(fetch=fetch, by=None)
    run_here(job=first.job)
    model = model_without("semantic", news_pages())
    fetch.refresh_from_db()
    second = check_fetched(fetch=fetch, by=None, model=model)
    assert list(project.imports.values_list("pk", flat=True)) == [second.pk]
    assert load_story_model(second.options["story_model"]) == model
    run_here(job=second.job)
    second.refresh_from_db()
    assert second.state == ImportState.CHECKED
