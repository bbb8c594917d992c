"""Walking through the pairs of a comparison with keys: focus, address, the next page."""

from __future__ import annotations

import re

from django.urls import reverse
from playwright.sync_api import expect

from projects.models import Role
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, member
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import linked_gold

from ..axe import problems


def test_keys_walk_through_the_pairs(log_in, live_server):
    project = ProjectFactory()
    gold = linked_gold(project, 24)
    made = experiment([dataset_of(project, 4)], [gold])
    member(project, Role.MANAGER, "mia")
    page = log_in("mia", bypass_csp=True)
    page.goto(live_server.url + reverse("experiment", args=[project.slug, made.pk]))
    page.get_by_role("link", name="Compare two").click()
    pairs = page.locator("article.compared-pair")
    ids = [one.get_attribute("id") for one in pairs.all()]
    assert len(ids) == 10
    # The button is there once the keys are.
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    page.keyboard.press("j")
    expect(pairs.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(pairs.nth(1)).to_be_focused()
    assert page.url.endswith(f"#{ids[1]}")
    page.keyboard.press("k")
    expect(pairs.nth(0)).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator('[data-part="said"]')).to_have_text("This is the first pair.")
    assert problems(page) == []
    page.reload()
    expect(pairs.nth(0)).to_be_focused()
    for _ in range(9):
        page.keyboard.press("j")
    expect(pairs.nth(9)).to_be_focused()
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("page=2"))
    expect(pairs.nth(0)).to_be_focused()
    page.keyboard.press("k")
    expect(page).to_have_url(re.compile("page=1"))
    expect(pairs.nth(9)).to_be_focused()
