"""Marking blocks through the pages, training, choosing the method of an import."""

from __future__ import annotations

import re

from benchmarks.news_pages.pages import news_pages
from corpus.models import CorpusImport, TrainedStoryModel
from tests.factories.house import House
from tests.factories.story import marked, waiting_import
from tests.misbehaving_server import STORY


def marking(house: House, source: CorpusImport, page: int = 1) -> tuple[str, str]:
    """The page's address, and its text."""
    url = house.url(f"corpus/imports/{source.pk}/pages/")
    return url, house.manager.get(f"{url}?page={page}").content.decode()


def sha256_in(text: str) -> str:
    found = re.search(r'name="sha256" value="([0-9a-f]{64})"', text)
    assert found
    return found[1]


def test_blocks_are_marked_a_model_is_trained_and_chosen(house: House) -> None:
    empty = house.manager.get(house.url("corpus/main-text/")).content.decode()
    assert "No page is marked yet" in empty and "Train on" not in empty
    source = waiting_import(house.project)
    preview = house.manager.get(house.url(f"corpus/imports/{source.pk}/")).content.decode()
    assert "Main text by trafilatura" in preview and "Mark blocks of 3 pages" in preview
    assert "Read the pages by it" not in preview
    for number in (1, 2, 3):
        url, text = marking(house, source, number)
        assert f"page {number} of 3" in text and "Not marked yet" in text
        ticked = re.findall(r'value="(\d+)" checked', text)
        assert ticked
        answer = house.manager.post(url, {"page": number, "sha256": sha256_in(text), "story": ticked})
        assert answer.url == f"{url}?page={min(number + 1, 3)}"
    assert "Marked by <bdi>manager</bdi>" in marking(house, source)[1]
    page = house.manager.get(house.url("corpus/main-text/")).content.decode()
    assert "Train on 3 pages" in page and "dam/0.html" in page
    trained = house.manager.post(house.url("corpus/main-text/"), follow=True).content.decode()
    assert "Trained: HMM, version 1" in trained and "too few pages" in trained
    assert (
        "Nothing has changed"
        in house.manager.post(house.url("corpus/main-text/"), follow=True).content.decode()
    )
    assert TrainedStoryModel.objects.count() == 1
    method = house.url(f"corpus/imports/{source.pk}/method/")
    chosen = house.manager.post(method, {"method": "1"}, follow=True).content.decode()
    assert "Main text by HMM, version 1" in chosen and '<option value="1" selected>' in chosen


def test_forged_and_stale_marks_change_nothing(house: House) -> None:
    source = waiting_import(house.project)
    url, text = marking(house, source)
    for body in (
        {"page": 1, "sha256": "0" * 64, "story": ["0"]},
        {"page": 1, "sha256": sha256_in(text), "story": ["99999"]},
        {"page": 1, "sha256": sha256_in(text), "story": ["x"]},
        {"page": "x", "sha256": sha256_in(text)},
        {},
    ):
        answer = house.manager.post(url, body, follow=True)
        assert answer.status_code == 200 and "error" in answer.content.decode()
    assert not house.project.marked_pages.exists()
    for version in ("7", "x", "-1"):
        told = house.manager.post(
            house.url(f"corpus/imports/{source.pk}/method/"), {"method": version}, follow=True
        )
        assert "There is no such model" in told.content.decode()


def test_marks_are_taken_away_and_too_few_train_nothing(house: House) -> None:
    page = marked(house.project, news_pages()[0])
    told = house.manager.post(house.url("corpus/main-text/"), follow=True).content.decode()
    assert "1 marked pages are too few" in told and "2 more are needed" in told
    gone = house.manager.post(house.url(f"corpus/main-text/pages/{page.pk}/forget/"), follow=True)
    assert "are taken away" in gone.content.decode()
    assert not house.project.marked_pages.exists()


def test_text_of_pages_is_never_markup(house: House) -> None:
    html = STORY.replace("<article>", "<article><p>&lt;script&gt;alert(1)&lt;/script&gt; said the mayor.</p>")
    source = waiting_import(house.project, {"<b>dam/a.html": html})
    _, text = marking(house, source)
    assert "&lt;script&gt;alert" in text and "<script>alert" not in text and "<b>dam" not in text


def test_a_long_page_sends_its_marks_in_one_field(house: House) -> None:
    html = "<body>" + "".join(f"<p>Paragraph {number}.</p>" for number in range(1_500)) + "</body>"
    source = waiting_import(house.project, {"dam/a.html": html})
    url, text = marking(house, source)
    assert 'name="story"' not in text and 'name="blocks"' in text
    for wrong in ("0", "3-2", "1-1501", "x", "1-2-3", "\u0663"):
        told = house.manager.post(url, {"page": 1, "sha256": sha256_in(text), "blocks": wrong}, follow=True)
        assert "is not a range of blocks" in told.content.decode()
    assert not house.project.marked_pages.exists()
    house.manager.post(url, {"page": 1, "sha256": sha256_in(text), "blocks": " 1, 3-1400,1500"})
    marks = house.project.marked_pages.get().marks
    assert [marks.count(True), marks[0], marks[1], marks[1399], marks[1400], marks[1499]] == [
        1400, True, False, True, False, True,
    ]  # fmt: skip
    assert "1,3-1400,1500</textarea>" in marking(house, source)[1]


def test_an_import_without_a_story_leads_to_marking(house: House) -> None:
    source = waiting_import(house.project, {"dam/a.html": "<div>Menu</div><div>Ads</div>"})
    address = house.url(f"corpus/imports/{source.pk}/")
    told = house.manager.get(address).content.decode()
    assert "No main text was found in its pages" in told and "Mark blocks of 1 page<" in told
    assert "No main text found" in house.manager.get(house.url("corpus/main-text/")).content.decode()
    assert "Which blocks are main text?" in marking(house, source)[1]
    gone = house.manager.post(address, {"discard": ""}, follow=True).content.decode()
    assert "The upload is discarded" in gone
