"""The demo project as a newcomer meets it: what waits is one key away, and the path goes on from there."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from alignment.models import Export
from annotation.models import Assignment, AssignmentState, GoldSet
from ops.demo import load_demo
from tests.browser import whole_path as path

LogIn = Callable[..., Page]
SLUG = "demo"


@pytest.fixture
def passwords(transactional_db: None) -> dict[str, str]:
    return {login.username: login.password for login in load_demo()}


def answered(username: str, kind: str) -> int:
    mine = Assignment.objects.filter(annotator__username=username, item__batch__kind=kind)
    return mine.exclude(state=AssignmentState.OPEN).count()


def test_the_first_judgement_link_and_export(log_in: LogIn, passwords: dict[str, str]) -> None:
    for username in ("annotator_a", "annotator_b"):
        page = log_in(username, passwords[username])
        judged, linked = answered(username, "judge"), answered(username, "link")
        path.follow(page, "Demo: sixteen events")
        path.follow(page, "Judge 60 pairs")
        expect(page.locator("[data-side=a] [data-part=sentence]")).to_be_visible()
        path.wait_until_read(page)
        page.keyboard.press("f")
        expect(page.locator("[data-part=counter]")).to_have_text("1 of 60")
        expect(page.locator("[data-part=unsynced]")).to_be_hidden()
        assert answered(username, "judge") == judged + 1

        page.goto(f"/projects/{SLUG}/")
        path.follow(page, "Link 7 pairs")
        expect(page.locator(".word[data-side=a]").first).to_be_visible()
        page.wait_for_timeout(path.TOO_EARLY)
        page.keyboard.press("a")
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Control+Enter")
        expect(page.locator("[data-part=counter]")).to_have_text("9 of 15")
        expect(page.locator("[data-part=unsynced]")).to_be_hidden()
        assert answered(username, "link") == linked + 1

    manager = log_in("manager", passwords["manager"])
    path.freeze(manager, f"/projects/{SLUG}/gold/new/", "my gold")
    gold = GoldSet.objects.get(name="my gold")
    manager.goto(f"/projects/{SLUG}/export/new/?gold_set={gold.pk}")
    path.press(manager.locator("form.stack button.main"))
    expect(manager.get_by_role("link", name=path.ZIP)).to_have_count(2)
    assert Export.objects.count() == 2
    with zipfile.ZipFile(io.BytesIO(path.download(manager, SLUG))) as archive:
        assert "manifest.json" in archive.namelist()


def test_the_manager_settles_a_disagreement_with_one_key(log_in: LogIn, passwords: dict[str, str]) -> None:
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
