from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from annotation.models import Decision
from tests.factories.annotation import judge, judge_all, judging_batch
from tests.factories.corpus import member


def disputed_batch(project, size):
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    batch = judging_batch(project, people, size=size)
    judge_all(batch, people[0], ["paraphrase"])
    judge_all(batch, people[1], ["not_paraphrase"])
    member(project, "adjudicator", "adj")
    return batch


@pytest.fixture
def batch(project):
    """Three pairs on which all differ."""
    return disputed_batch(project, 3)


def expect_synced(page):
    expect(page.locator('[data-part="unsynced"]')).to_be_hidden()


def expect_pair(page, number):
    """Waits until the page takes keys: its rows are filled before that, its frame is shown after it."""
    expect(page.locator("h1")).to_have_text(f"Review pair {number}")
    expect(page.locator('[data-part="frame"]')).to_be_visible()


KEYS = "fjjfjfffjjf"
LABELS = {"f": "not_paraphrase", "j": "paraphrase"}


def test_no_key_is_lost_while_the_server_takes_its_time(project, log_in):
    """At ten keys a second, with 300 ms before each answer of the server."""
    batch = disputed_batch(project, len(KEYS) + 2)
    page = log_in("adj")
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    expect_pair(page, 1)
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))

    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    for key in KEYS:
        pressed = time.monotonic()
        page.keyboard.press(key)
        time.sleep(max(0.0, 0.1 - (time.monotonic() - pressed)))
    expect_pair(page, len(KEYS) + 1)
    expect_synced(page)
    decided = Decision.objects.order_by("item__number").values_list("item__number", "label", "version")
    assert list(decided) == [(number, LABELS[key], 1) for number, key in enumerate(KEYS, 1)]
    assert loads == [], "no page was loaded"
    page.keyboard.press("u")
    expect_pair(page, len(KEYS))
    expect(page.get_by_role("radio", name="Not a paraphrase")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("j")
    expect_pair(page, len(KEYS) + 1)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.wait_for_url(re.compile(r"/review/\d+/$"))
    assert (
        Decision.objects.filter(item=batch.items.get(number=len(KEYS))).latest("version").label
        == "paraphrase"
    )
    assert Decision.objects.count() == len(KEYS) + 3


def test_decisions_made_without_the_network_are_sent_once_it_is_back(batch, log_in):
    page = log_in("adj")
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    expect_pair(page, 1)
    page.context.set_offline(True)
    page.keyboard.press("j")
    expect_pair(page, 2)
    page.keyboard.press("k")
    expect_pair(page, 3)
    page.keyboard.press("f")
    expect(page.locator('[data-part="unsynced"]')).to_contain_text("2 unsynced")
    assert not Decision.objects.exists()
    page.context.set_offline(False)
    expect_synced(page)
    expect_pair(page, 2)  # left for later, it comes again at the end
    assert list(Decision.objects.order_by("item__number").values_list("item__number", "label")) == [
        (1, "paraphrase"), (3, "not_paraphrase"),
    ]  # fmt: skip
    page.reload()
    expect_pair(page, 2)
    page.keyboard.press("u")
    expect_pair(page, 3)


def test_an_answer_that_changed_meanwhile_is_shown_before_it_is_decided(batch, log_in):
    page = log_in("adj")
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    expect_pair(page, 1)
    second = batch.items.get(number=2).assignments.get(annotator__username="ann")
    judge(second, "paraphrase", comment="after a second look")
    page.keyboard.press("j")
    expect_pair(page, 2)
    page.keyboard.press("f")
    expect_pair(page, 3)
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("pair 2 was not decided")
    notice.get_by_role("button", name="Show the new answers").click()
    expect_pair(page, 2)
    expect(page.locator(".vote .comment")).to_have_text("after a second look")
    assert list(Decision.objects.values_list("item__number", flat=True)) == [1]
    page.keyboard.press("f")
    expect_pair(page, 3)
