"""`paragold link-agreement`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Done


def test_files_of_other_pairs_are_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    for name, source in (("a", "one two"), ("b", "one three")):
        record = {"id": "1", "source": source, "target": "one", "sureAlign": "0-0", "possibleAlign": ""}
        (tmp_path / f"{name}.json").write_text(json.dumps([record]), encoding="utf-8")
    told = refused("link-agreement", tmp_path / "a.json", tmp_path / "b.json")
    assert "b.json" in told and "differ" in told
    assert "two files" in refused("link-agreement", tmp_path / "a.json")


@pytest.mark.real_data
def test_as_json(alignment_data: Path, paragold: Callable[..., Done]) -> None:
    paths = [alignment_data / f"RTE2_dev_{name}.align.json" for name in "ABC"]
    figures = json.loads(paragold("link-agreement", *paths, "--json").out)
    assert figures["files"][1]["all"]["agreement"] == pytest.approx(92.8099, abs=1e-3)
