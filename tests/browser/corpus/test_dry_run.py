from pathlib import Path

import pytest
from playwright.sync_api import expect

from corpus.imports import import_corpus
from corpus.services.dry_run import dry_run
from paragold.extraction.presets import get_preset
from tests.factories.corpus import ProjectFactory, member

DEMO = Path(__file__).resolve().parents[3] / "demo" / "corpus.jsonl"
PAGE = "/projects/floods/candidates/dry-run/?preset="


@pytest.fixture
def project(transactional_db, monkeypatch):
    for name in ("services.dry_run.SECONDS", "views.extractions.AT_ONCE", "views.extractions.SOON"):
        monkeypatch.setattr(f"corpus.{name}", 60.0)  # all clusters, however busy the machine is
    project = ProjectFactory(slug="floods")
    import_corpus(project=project, by=None, path=DEMO, filename="corpus.jsonl")
    member(project, "manager", "mira")
    return project


def count_again(page):
    with page.expect_navigation():
        page.get_by_role("button", name="Count again").click()


def expect_count(page, project, preset, **settings):
    """Wait until the page shows what the server counts for a preset with these settings."""
    counted = dry_run(project=project, criteria=get_preset(preset).criteria.replace(**settings)).found
    expect(page.locator("[data-part=pairs]")).to_have_text(f"{counted:,}", timeout=60_000)
    return counted


def test_a_slider_gives_the_yield_that_the_server_counts(project, log_in):
    page = log_in("mira")
    for preset, parameter, key, presses in (
        ("L12-2004-word", "max_edit_distance", "ArrowLeft", 5),
        ("L12", "min_length_ratio", "ArrowRight", 12),
    ):
        page.goto(PAGE + preset)
        before = expect_count(page, project, preset)
        page.locator(f"[data-parameter={parameter}]").focus()
        for _ in range(presses):
            page.keyboard.press(key)
        value = page.locator(f"[name={parameter}]").input_value()
        assert expect_count(page, project, preset, **{parameter: value}) != before
        expect(page.locator(f"[data-parameter={parameter}]")).to_be_focused()
        count_again(page)
        expect(page.locator(f"[name={parameter}]")).to_have_value(value)
        expect_count(page, project, preset, **{parameter: value})


def test_the_focus_stays_while_the_numbers_of_presets_arrive(project, log_in):
    page = log_in("mira")
    held = []

    def hold(route):  # an object's own method would get attributes from playwright
        held.append(route)

    page.route(lambda url: "yields=yes" in url, hold)
    page.goto("/projects/floods/candidates/new/")
    preset = page.get_by_role("link", name="L12", exact=True)
    preset.focus()
    expect(page.locator(".presets td.num").first).to_have_text("…")
    held[0].continue_()
    expect(page.locator(".presets td.num").first).not_to_have_text("…")
    expect(preset).to_be_focused()
