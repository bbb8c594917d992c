"""The lists of scripts/gate.py name files and folders that there are."""

from __future__ import annotations

import pytest

from scripts import gate


@pytest.mark.parametrize("path", [*gate.ON_POSTGRESQL, *gate.ON_BOTH])
def test_a_listed_path_exists(path: str) -> None:
    assert (gate.REPOSITORY / path.partition("::")[0]).exists()
