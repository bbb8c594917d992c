"""The sliders of a dry run: what the browser reckons is what the server counts."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from corpus.imports import import_corpus
from corpus.services.dry_run import dry_run
from paragold.extraction.presets import get_preset
from tests.browser.conftest import NARROW
from tests.factories.corpus import ProjectFactory, member

DEMO = Path(__file__).resolve().parents[3] / "demo" / "corpus.jsonl"
PAGE = "/projects/floods/candidates/dry-run/?preset="


@pytest.fixture
def project(transactional_db, monkeypatch):
    for name in ("corpus.services.dry_run.SECONDS", "corpus.views.extractions.AT_ONCE"):
        monkeypatch.setattr(name, 60.0)  # all clusters, however busy the machine is
    project = ProjectFactory(slug="floods")
    import_corpus(project=project, by=None, path=DEMO, filename="corpus.jsonl")
    member(project, "manager", "mira")
    return project


def shown(page):
    return int(page.locator("[data-part=pairs]").inner_text().replace(",", ""))


def count_again(page):
    with page.expect_navigation():
        page.get_by_role("button", name="Count again").click()


def test_a_slider_gives_the_yield_that_the_server_counts(project, log_in):
    page = log_in("mira")
    for preset, parameter, key, presses in (
        ("L12-2004-word", "max_edit_distance", "ArrowLeft", 5),
        ("L12-2004-word", "max_edit_distance", "ArrowRight", 3),
        ("L12", "min_length_ratio", "ArrowRight", 12),
        ("F3", "min_shared_words", "ArrowLeft", 1),
        ("candidates-2005", "first_n", "ArrowLeft", 1),
    ):
        criteria = get_preset(preset).criteria
        page.goto(PAGE + preset)
        before = shown(page)
        assert before == dry_run(project=project, criteria=criteria).found
        page.locator(f"[data-parameter={parameter}]").focus()
        for _ in range(presses):
            page.keyboard.press(key)
        value = page.locator(f"[name={parameter}]").input_value()
        counted = dry_run(project=project, criteria=criteria.replace(**{parameter: value})).found
        assert shown(page) == counted != before
        count_again(page)
        expect(page.locator(f"[name={parameter}]")).to_have_value(value)
        assert shown(page) == counted


def expect_count(page, project, preset, **settings):
    """Wait until the page shows what the server counts for a preset with these settings."""
    counted = dry_run(project=project, criteria=get_preset(preset).criteria.replace(**settings)).found
    expect(page.locator("[data-part=pairs]")).to_have_text(f"{counted:,}", timeout=60_000)
    expect(page.locator("[data-part=status]")).to_have_text("", timeout=60_000)


def test_what_was_not_counted_is_counted_again(project, log_in):
    page = log_in("mira", viewport=NARROW)
    page.goto(PAGE + "L12-2004-word")
    distance = page.locator("[data-parameter=max_edit_distance]")
    distance.focus()
    page.keyboard.press("End")
    far = page.locator("[name=max_edit_distance]").input_value()
    assert int(far) > 17
    expect_count(page, project, "L12-2004-word", max_edit_distance=far)
    expect(distance).to_be_focused()
    assert int(distance.get_attribute("max")) > int(far)
    page.locator("[data-switch=distance]").press("Space")
    expect_count(page, project, "L12-2004-word", max_edit_distance=far, distance="indel")
    page.locator("[data-switch=placeholders]").press("Space")
    expect_count(page, project, "L12-2004-word", max_edit_distance=far, distance="indel", placeholders="yes")
    expect(page.locator("[name=placeholders]")).to_have_value("yes")
    page.locator("[data-switch=ratio_strict]").press("Space")
    strict = {"ratio_strict": "yes", "distance": "indel", "placeholders": "yes", "max_edit_distance": far}
    expect_count(page, project, "L12-2004-word", **strict)
    page.locator("[data-parameter=min_edit_distance]").press("ArrowRight")
    expect_count(page, project, "L12-2004-word", min_edit_distance=1, **strict)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("[data-switch=placeholders]").scroll_into_view_if_needed()
    page.mouse.wheel(0, 300)
    expect(page.locator("[data-part=pairs]")).to_be_in_viewport()


def test_without_javascript_the_form_is_sent(project, log_in):
    page = log_in("mira", java_script_enabled=False)
    page.goto(PAGE + "L12-2004-word")
    expect(page.locator(".sliders")).to_be_hidden()
    page.get_by_text("All parameters").click()
    page.locator("[name=max_edit_distance]").fill("4")
    count_again(page)
    criteria = get_preset("L12-2004-word").criteria.replace(**{"max_edit_distance": "4"})
    counted = dry_run(project=project, criteria=criteria)
    assert shown(page) == counted.found
