"""The demo project as a newcomer meets it: what waits is one key away, and the path goes on from there."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import GoldSet
from ops.demo import load_demo
from tests.browser import whole_path as path

LogIn = Callable[..., Page]
SLUG = "demo"


@pytest.fixture
def passwords(transactional_db):
    return {login.username: login.password for login in load_demo()}


def test_the_manager_settles_a_disagreement_with_one_key(log_in, passwords):
    manager = log_in("manager", passwords["manager"])
    manager.goto(f"/projects/{SLUG}/review/")
    path.follow(manager, "Decide 12 disputed pairs of Batch 1")
    manager.wait_for_url("**/review/items/**")
    for key in "jf":
        decided = manager.url
        path.wait_until_read(manager)
        manager.keyboard.press(key)
        manager.wait_for_url(lambda url, decided=decided: url != decided and "/review/items/" in url)
    expect(manager.locator("[data-part=unsynced]")).to_be_hidden()
    gold_with = GoldSet.objects.get(name="demo-gold").batches.get().items.filter(decisions__isnull=False)
    assert sorted(gold_with.values_list("decisions__label", flat=True)) == ["not_paraphrase", "paraphrase"]
