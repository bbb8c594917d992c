import pytest


@pytest.fixture
def alignment_data(shared_data):
    """The folder of public gold links, which the project does not copy."""
    return shared_data / "alignment"


@pytest.fixture
def program_path(tmp_path, monkeypatch):
    """The only folder in which programs are looked for; it is empty."""
    from paragold.aligners import programs

    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(programs.sys, "executable", str(tmp_path / "none" / "python"))
    return folder
