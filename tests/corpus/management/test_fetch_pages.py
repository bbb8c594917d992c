"""`manage.py fetch_pages`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Article, Fetch
from tests.factories.corpus import ProjectFactory
from tests.misbehaving_server import MisbehavingServer, page, serving


@pytest.fixture
def server(db: None, settings) -> Iterator[MisbehavingServer]:
    settings.FETCH_LOOPBACK_FOR_TESTS = True
    settings.FETCH_DELAY_SECONDS = 0.0
    ProjectFactory(slug="dams")
    with serving() as server:
        server.answers["/a"] = page()
        yield server


def run(path: Path, *arguments: str) -> str:
    out = io.StringIO()
    call_command("fetch_pages", str(path), *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_a_list_is_fetched_and_imported(server: MisbehavingServer, tmp_path: Path) -> None:
    (tmp_path / "dam.txt").write_text(f"{server.url('/a')}\n{server.url('/gone')}\n")
    assert run(tmp_path / "dam.txt", "--check") == "2 addresses of 1 hosts.\n"
    assert server.asked == []
    told = run(tmp_path, "--project", "dams", "--import")
    assert f"{server.url('/gone')}\tIt answered 404." in told and "kept\t200\t" in told
    assert "articles added" in told
    assert Article.objects.get().cluster.key == "dam"
    assert not Fetch.objects.exists()


def test_without_import_the_pages_wait(server: MisbehavingServer, tmp_path: Path) -> None:
    (tmp_path / "dam.txt").write_text(server.url("/a"))
    run(tmp_path / "dam.txt", "--project", "dams")
    assert Fetch.objects.get().addresses.get().state == "kept"
    assert not Article.objects.exists()


def test_what_is_refused(server: MisbehavingServer, tmp_path: Path, settings) -> None:
    (tmp_path / "bad.txt").write_text("http://a.example/\nnowhere\n")
    with pytest.raises(CommandError, match="refused; nothing was fetched"):
        run(tmp_path / "bad.txt", "--project", "dams")
    (tmp_path / "gone.txt").write_text(server.url("/gone"))
    with pytest.raises(CommandError, match="No page was fetched"):
        run(tmp_path / "gone.txt", "--project", "dams", "--import")
    settings.FETCHING = False
    with pytest.raises(CommandError, match="PARAGOLD_FETCHING=1"):
        run(tmp_path / "gone.txt", "--project", "dams")
    assert server.asked == ["/robots.txt", "/gone"]
