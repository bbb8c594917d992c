from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from corpus.models import Article
from corpus.views.importing import UPLOADS
from tests.factories.corpus import ProjectFactory, member

DEMO = Path(__file__).resolve().parents[3] / "demo" / "corpus.jsonl"


@pytest.fixture
def project(transactional_db, monkeypatch):
    monkeypatch.setitem(UPLOADS, "at_once_bytes", 0)  # every file counts as a large one
    project = ProjectFactory(slug="floods")
    member(project, "manager", "mira")
    return project


def choose(page):
    page.goto("/projects/floods/corpus/import/")
    page.set_input_files("input[name=file]", DEMO)
    page.get_by_role("button", name="Upload and check").press("Enter")


def test_a_large_file_is_sent_again_after_a_lost_connection(project, log_in):
    page = log_in("mira")
    lost: list[str] = []

    def lose_the_first(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.request.url)
            route.abort()
        else:
            route.fallback()

    page.route("**/corpus/import/", lose_the_first)
    choose(page)
    expect(page.get_by_role("alert").filter(has_text="No answer from the server")).to_be_visible()
    assert lost
    page.get_by_role("button", name="Upload and check").press("Enter")
    expect(page.get_by_role("heading", name="Check corpus.jsonl")).to_be_visible()
    page.get_by_role("button", name="Import 96 articles").press("Enter")
    expect(page.get_by_role("heading", name="Imported: corpus.jsonl")).to_be_visible()
    assert Article.objects.filter(cluster__project=project).count() == 96
