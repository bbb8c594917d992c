"""The job that fetches: a report for every address, pages kept, and on to the import."""

from __future__ import annotations

import pytest

from corpus.models import Article, Fetch, ImportState, Sentence
from corpus.services.fetching import check_fetched, discard_fetch, launch_fetch
from corpus.services.import_storing import begin_storing
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.sources.pages.main_text_model import load_main_text_model
from projects.errors import PublicError
from projects.models import Project
from tests.factories.fetching import address_list, fetch_of, report, step
from tests.misbehaving_server import STORY, MisbehavingServer, page


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
    with pytest.raises(PublicError, match="all 1 pages of the list are already in the corpus"):
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


def test_private_machines_are_refused_without_the_tests_switch(
    project: Project, server: MisbehavingServer, settings
) -> None:
    settings.FETCH_LOOPBACK_FOR_TESTS = False
    inside = [server.url("/a"), "http://127.0.0.1/", "http://169.254.169.254/latest/", "http://10.0.0.1/"]
    fetch = fetch_of(project, *[("dam", url) for url in inside])
    run_here(job=fetch.job)
    assert [state for state, _, _ in report(fetch)] == ["refused"] * 4
    assert "Port" in report(fetch)[0][2] and "not a public address" in report(fetch)[1][2]
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
    with pytest.raises(PublicError, match="has errors"):
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
    assert load_main_text_model(second.options["story_model"]) == model
    run_here(job=second.job)
    second.refresh_from_db()
    assert second.state == ImportState.CHECKED
