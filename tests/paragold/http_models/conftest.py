from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paragold.http_models import cached_answers, client
from tests.model_server import ModelServer, serving_model


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setattr(client, "PAUSES", (0.01, 0.01))
    with serving_model() as server:
        yield server


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Answers are kept in this file."""
    monkeypatch.setattr(cached_answers, "_file", tmp_path / "models" / "answers.sqlite3")
    return tmp_path / "models" / "answers.sqlite3"


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_answers, "_file", None)
