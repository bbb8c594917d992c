"""Fetched pages, in an archive that says what each of them is."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from paragold.sources.articles.page_files import LIST, FetchedPage, write_fetched
from paragold.sources.articles.registry import ConvertedReader, SourceOptions, open_source
from paragold.sources.records import ClusterRecord
from tests.misbehaving_server import STORY


def read(path: Path) -> tuple[list[ClusterRecord], ConvertedReader]:
    reader = open_source(path, SourceOptions(), copy=path.with_suffix(".jsonl"))
    return list(reader), reader


def page(number: int, **fields: str) -> FetchedPage:
    defaults = {
        "file": f"pages/{number:06}.html",
        "cluster_id": "2004/dam",
        "id": f"courier.example/{number}",
        "url": f"https://courier.example/{number}",
        "kind": "html",
        "encoding": "",
    }
    return FetchedPage(**(defaults | fields))


def test_pages_keep_their_clusters_keys_and_addresses(tmp_path: Path) -> None:
    path = tmp_path / "fetched.zip"
    pages = [
        (page(1), STORY.encode()),
        (page(2, kind="txt", encoding="latin-1"), "Ein Überfall geschah.".encode("latin-1")),
        (page(3), b"<body><a href=x>Home</a></body>"),
    ]
    write_fetched(path, pages)
    (cluster,), reader = read(path)
    assert cluster.key == "2004/dam"
    assert [(one.key, one.url, one.title) for one in cluster.articles] == [
        ("courier.example/1", "https://courier.example/1", "Dam mended"),
        ("courier.example/2", "https://courier.example/2", ""),
    ]
    assert cluster.articles[1].sentences[0].text == "Ein Überfall geschah."
    assert "No main text was found in 1 pages; they were left out." in reader.notes
    again = tmp_path / "again.zip"
    write_fetched(again, pages)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("listed", ["no json", "[1]", '[{"file": "x"}]', json.dumps([{"file": 1}])])
def test_another_list_is_refused(tmp_path: Path, listed: str) -> None:
    path = tmp_path / "fetched.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(LIST, listed)
        archive.writestr("pages/000001.html", STORY)
    _, reader = read(path)
    assert "not a list of fetched pages" in reader.problems[0].message


def test_a_page_that_is_not_in_the_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fetched.zip"
    write_fetched(path, [(page(1), STORY.encode())])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("pages/000009.html", STORY)
    _, reader = read(path)
    assert "missing from the list of the archive" in reader.problems[0].message


def test_a_page_that_cannot_be_read_is_reported_with_its_address(tmp_path: Path) -> None:
    path = tmp_path / "fetched.zip"
    write_fetched(path, [(page(1), b"\xff\xff")])
    _, reader = read(path)
    assert reader.problems[0].file == "https://courier.example/1"
