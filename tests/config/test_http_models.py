"""The installation names models over HTTP: checked at its start, by doctor, by a worker and on a page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config import environment
from ops.diagnosis import examine
from ops.workers import process
from paragold.http_models import configuration
from paragold.http_models.cached_answers import model_state
from paragold.problems import FileProblem
from projects.services.installation import model_states
from tests.factories.corpus import UserFactory
from tests.model_server import ModelServer, configure, serving_model


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving_model() as server:
        yield server


def test_a_wrong_setting_stops_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refused() -> None:
        raise FileProblem("PARAGOLD_HTTP_MODELS: 'x' is not a new name with a value.", "Write name=value.")

    monkeypatch.setattr(configuration, "http_models", refused)
    with pytest.raises(ImproperlyConfigured, match="PARAGOLD_HTTP_MODELS"):
        environment.http_models(tmp_path)


def test_doctor_asks_every_model(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert examine("http models").found == "none"
    configure(monkeypatch, tmp_path, server)
    finding = examine("http models")
    assert (finding.ok, finding.found) == (True, "toy 1 aligns and scores")
    server.health = {"version": "a b"}
    finding = examine("http models")
    assert not finding.ok
    assert "The answer is not valid: version String should match" in finding.found


def test_a_worker_notes_how_the_models_are(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = configure(monkeypatch, tmp_path, server, ask=False)
    monkeypatch.setattr(process, "HEALTH_SECONDS", 3600)
    assert [(state.version, state.asked_at) for state in model_states()] == [("", "")]
    Thread(target=process.note_health, daemon=True).start()
    until = time.monotonic() + 20
    while not model_state(model).asked_at and time.monotonic() < until:
        time.sleep(0.02)
    assert [(state.version, state.aligns, state.scores, state.problem) for state in model_states()] == [
        ("1", True, True, "")
    ]


@pytest.mark.django_db
def test_administrators_see_the_models(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client()
    client.force_login(UserFactory(username="ada", is_superuser=True))
    assert "PARAGOLD_HTTP_MODELS" in client.get("/installation/").content.decode()
    model = configure(monkeypatch, tmp_path, server)
    del server.asked[:]
    page = client.get("/installation/").content.decode()
    assert all(text in page for text in ("toy", model.host, "aligns, scores", "answers"))
    assert server.asked == []
