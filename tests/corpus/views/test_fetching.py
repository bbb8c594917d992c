"""Fetching through the pages: the list, the report, and on to the import."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Article, CorpusImport, Fetch
from jobs.services.running import run_here
from tests.factories.fetching import fetch_of, fetched
from tests.factories.house import House
from tests.misbehaving_server import MisbehavingServer, page, serving


@pytest.fixture
def server(settings) -> Iterator[MisbehavingServer]:
    settings.FETCH_LOOPBACK_FOR_TESTS = True
    settings.FETCH_DELAY_SECONDS = 0.0
    with serving() as server:
        server.answers["/a"] = page()
        yield server


def send(house: House, text: str, name: str = "list.csv"):
    file = SimpleUploadedFile(name, text.encode())
    return house.manager.post(house.url("corpus/fetch/"), {"encoding": "utf-8", "file": file})


def test_a_list_is_fetched_looked_at_and_imported(house: House, server: MisbehavingServer) -> None:
    asked = house.manager.get(house.url("corpus/fetch/")).content.decode()
    assert "Paragold/" in asked and "mailto:tests@paragold.example" in asked
    answer = send(house, f"cluster,url\nnew dam,{server.url('/a')}\nnew dam,{server.url('/gone')}\n")
    fetch = Fetch.objects.get()
    assert answer.url == house.url(f"corpus/fetches/{fetch.pk}/")
    waiting = house.manager.get(answer.url).content.decode()
    assert "Stop fetching" in waiting and "waiting: 2" in waiting and "Look at" not in waiting
    run_here(job=fetch.job)
    report = house.manager.get(answer.url).content.decode()
    assert "It answered 404." in report and "fetched: 1" in report
    assert "It answered 404." not in house.manager.get(answer.url + "?state=kept").content.decode()
    seen = house.manager.post(answer.url, {"check": ""})
    source = CorpusImport.objects.get()
    assert seen.url == house.url(f"corpus/imports/{source.pk}/")
    assert "Import 1 article<" in house.manager.get(seen.url).content.decode()
    house.manager.post(seen.url, {"confirm": ""})
    assert Article.objects.get(cluster__key="new dam").url == server.url("/a")
    assert "See the import" in house.manager.get(answer.url).content.decode()


def test_a_bad_list_is_told_by_line_and_nothing_is_asked(house: House, server: MisbehavingServer) -> None:
    answer = send(house, f"cluster,url\ndam,{server.url('/a')}\ndam,ftp://x.example/\n")
    told = answer.content.decode()
    assert answer.status_code == 422
    assert "1 problem; nothing is fetched" in told and "does not begin with http" in told
    assert not Fetch.objects.exists() and server.asked == []
    again = house.manager.post(house.url("corpus/fetch/"), {"encoding": "utf-8"})
    assert again.status_code == 422 and "This field is required" in again.content.decode()


def test_a_stopped_fetch_and_a_discarded_one(house: House) -> None:
    fetch = fetch_of(house.project, ("dam", "http://news.example/"))
    url = house.url(f"corpus/fetches/{fetch.pk}/")
    stopped = house.manager.post(house.url(f"jobs/{fetch.job.pk}/cancel/"), follow=True).content.decode()
    assert "It was stopped with 1 address left" in stopped and "Fetch the rest" in stopped
    refused = house.manager.post(url, {"check": ""}, follow=True).content.decode()
    assert "No page was fetched" in refused
    gone = house.manager.post(url, {"discard": ""}, follow=True).content.decode()
    assert "are discarded" in gone
    assert house.manager.get(url).status_code == 404


def test_where_fetching_is_off_the_page_says_who_allows_it(house: House, settings) -> None:
    fetched(house.project)
    settings.FETCHING = False
    page_ = house.manager.get(house.url("corpus/fetch/")).content.decode()
    assert "This installation does not fetch pages" in page_ and '<form method="post" enctype' not in page_
    assert "list.csv" in page_
    answer = send(house, "cluster,url\ndam,http://news.example/\n")
    assert answer.status_code == 422 and Fetch.objects.count() == 1


def test_hostile_text_is_never_markup(house: House, server: MisbehavingServer) -> None:
    path = "/<script>alert(1)</script>"
    answer = send(house, f"cluster,url\n<b>dam</b>,{server.url(path)}\n")
    run_here(job=Fetch.objects.get().job)
    told = house.manager.get(answer.url).content.decode()
    assert "&lt;b&gt;dam" in told and "<script>alert" not in told
