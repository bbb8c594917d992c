import time

import pytest

from paragold.problems import FileProblem
from paragold.sources.main_text_model import ATTRIBUTES_OF_A_TAG, ELEMENTS, check_bounds
from paragold.sources.pages import extract_main_text, page_fields
from tests.factories.news_pages.pages import saved_pages

PAGES = list(saved_pages().values())


def with_attributes(count):
    return "<body><p " + " ".join(f"a{number}=1" for number in range(count)) + ">Text.</p>"


def test_real_pages_and_what_only_looks_like_tags_are_within_the_bounds():
    for page in PAGES:
        check_bounds(page)
        assert page_fields(page)["paragraphs"] == extract_main_text(page)["paragraphs"] != []
    check_bounds("<script>" + "if (a<b && c>d) {};" * 200_000 + "</script>")
    check_bounds("<!--" + "<p a b c>" * 200_000 + "-->")
    check_bounds("1 < 2 and <3 " * 200_000)
    check_bounds("<p title='" + "word " * 5_000 + "'>")


@pytest.mark.parametrize("count", [20_000, 400_000])
def test_attributes_without_end_are_refused_at_once(count):
    page = with_attributes(count)
    start = time.process_time()
    with pytest.raises(FileProblem, match=f"{ATTRIBUTES_OF_A_TAG:,}"):
        extract_main_text(page)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "page",
    [
        "<i>" * (ELEMENTS + 1),
        "<p a=1 b=2 c=3 d=4 e>" * 90_000,
        "<!-- > -->" + with_attributes(2_000),
        "<script>if (a<b) {}</script>" + with_attributes(2_000),
        "<p a='>' " + with_attributes(2_000)[9:],
        "<p =" + " =".join("abc"[n % 3] * n for n in range(1, 2_400)) + ">",
    ],
    ids=["elements", "attributes", "after a comment", "after a script", "with a quoted bracket", "equals"],
)
def test_what_is_counted(page):
    with pytest.raises(FileProblem, match="the limit is"):
        check_bounds(page)
