"""A server to ask, and a project of an installation that may ask it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from corpus.services import fetch_pages
from projects.models import Project
from tests.factories.corpus import ProjectFactory
from tests.misbehaving_server import STORY, MisbehavingServer, page, serving


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with serving() as server:
        server.answers |= {f"/{name}": page(STORY.replace("Dam", name)) for name in "abc"}
        yield server


@pytest.fixture
def project(db: None, settings, monkeypatch: pytest.MonkeyPatch) -> Project:
    settings.FETCHING = True
    settings.FETCH_CONTACT = "mailto:tests@paragold.example"
    settings.FETCH_LOOPBACK_FOR_TESTS = True
    settings.FETCH_DELAY_SECONDS = 0.0
    monkeypatch.setattr(fetch_pages, "BACKOFF_SECONDS", (0.0, 0.0))
    return ProjectFactory(slug="dams")
