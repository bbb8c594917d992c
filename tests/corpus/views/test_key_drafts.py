"""An answer key drafted from two files, corrected on a page, downloaded and gone on with."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

FIRST = b"id\ttext\na1\tThe harbour lay quiet.\na2\tTwo boats came in at dawn.\na3\tNobody spoke.\n"
SECOND = b"id\ttext\nb1\tQuiet lay the harbour.\nb2\tAt dawn two boats came in, laden.\nb3\tWhy?\n"
SPEC = {"min_jaccard": "0.15", "omitted": "0.1", "variance": "6.8"}


def form(**fields: Any) -> dict[str, Any]:
    files = {"first": SimpleUploadedFile("a.tsv", FIRST), "second": SimpleUploadedFile("b.tsv", SECOND)}
    return {**SPEC, **files, **fields}


def rows_of(page: str) -> str:
    found = re.search(r'name="rows" value="([^"]*)"', page)
    assert found
    return html.unescape(found[1])


def test_a_draft_is_corrected_and_downloaded(house) -> None:
    address = house.url("candidates/answer-key/")
    assert "Draft the key" in house.manager.get(address).content.decode()
    page = house.manager.post(address, form()).content.decode()
    assert page.count('name="removed"') == 2 and "Two boats came in at dawn." in page
    sent = {"step": "download", "rows": rows_of(page), "removed": ["0"], "added": "a1,a3 b3"}
    key = house.manager.post(address, sent)
    assert key["Content-Disposition"] == 'attachment; filename="answer-key.tsv"'
    assert key.content.decode() == "first_ids\tsecond_ids\na1,a3\tb3\na2\tb2\n-\tb1\n"
    again = house.manager.post(address, form(key=SimpleUploadedFile("key.tsv", key.content)))
    assert "Remove the row a1,a3 with b3" in again.content.decode()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"added": "a1 nobody"}, "there is no text nobody on that side"),
        ({"added": "a1"}, "not two lists of ids"),
        ({"added": "- b1"}, "not two lists of ids"),
        ({"rows": "[1]"}, "no rows of a key"),
        ({"rows": "7"}, "no rows of a key"),
        ({"rows": "{"}, "Enter a valid JSON"),
    ],
)
def test_wrong_corrections_are_refused_and_ticks_stay(house, fields: dict[str, str], message: str) -> None:
    sent = {"step": "download", "rows": '[["a1", "b1"], ["a2", "b2"]]', "removed": ["1"], **fields}
    answer = house.manager.post(house.url("candidates/answer-key/"), sent)
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 422 and message in page
    if "added" in fields:
        assert 'value="1" checked' in page


def test_unusable_files_are_refused(house, monkeypatch) -> None:
    address = house.url("candidates/answer-key/")
    wrong = house.manager.post(address, form(second=SimpleUploadedFile("b.tsv", b"one column\n")))
    assert wrong.status_code == 422 and "not a header with the column text" in wrong.content.decode()
    monkeypatch.setattr("corpus.services.key_drafts.MAX_COMPARISONS", 8)
    assert "one chapter at a time" in house.manager.post(address, form()).content.decode()


def test_the_api_drafts(house) -> None:
    answer = house.manager.post(f"/api/v1/projects/{house.project.slug}/key-drafts/", form())
    assert answer.json() == {"rows": [["a1", "b1"], ["a2", "b2"], ["-", "b3"], ["a3", "-"]]}
