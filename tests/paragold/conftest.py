from pathlib import Path

import pytest

ALIGNMENT_DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "alignment"


@pytest.fixture
def alignment_data() -> Path:
    """The folder of public gold links, which the project does not copy."""
    if not ALIGNMENT_DATA.is_dir():
        pytest.skip(f"no alignment data at {ALIGNMENT_DATA}")
    return ALIGNMENT_DATA


@pytest.fixture
def program_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for; it is empty."""
    from paragold.aligners import programs

    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(programs.sys, "executable", str(tmp_path / "none" / "python"))
    return folder
