"""`paragold extract-pairs` and `read-pairs` in shards: options, output and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paragold.cli.main import main
from tests.paragold.shards.corpora import as_lines, news, written


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return written(tmp_path / "a.jsonl", as_lines(news(41)))


def extract(*arguments: object) -> int:
    return main(["extract-pairs", "--preset", "L12-2004", *map(str, arguments)])


def test_the_lines_are_those_of_one_process(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, parts, read = tmp_path / "one.tsv", tmp_path / "parts", tmp_path / "read.tsv"
    assert extract("--input", source, "--output", one, "--processes", 1) == 0
    counts = capsys.readouterr().out.splitlines()[:-1]

    assert extract("--input", source, "--output", parts, "--engine", "local", "--workers", 1) == 0
    printed = capsys.readouterr().out
    assert all(line in printed for line in counts)
    assert "extract pairs: 1 task." in printed
    assert main(["read-pairs", str(parts), "--output", str(read)]) == 0

    assert read.read_bytes() == one.read_bytes()
    assert f"{len(one.read_text().splitlines()) - 1:,} pairs written" in capsys.readouterr().out
    status = json.loads((parts / "status.json").read_text())
    assert status["state"] == "finished"
    assert all(tasks["done"] == tasks["of"] for tasks in status["tasks"].values())
    assert (status["sentences"], status["failures"]) == (sum(map(sentences, news(41))), {})


def sentences(cluster: dict) -> int:
    return sum(len(article["sentences"]) for article in cluster["articles"])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--resume"], "--resume goes with --engine or --shards."),
        (["--workers", "2"], "--workers goes with --engine or --shards."),
        (["--shards", "0"], "Shards must be a whole number from 1 to 4,096; it is 0."),
        (["--shards", "2", "--workers", "0"], "--workers takes a whole number from 1."),
        (["--shards", "2", "--processes", "2"], "In shards, give --workers instead of --processes."),
        (["--engine", "local", "--ray-address", "auto"], "--ray-address goes with --engine ray."),
        (["--engine", "ray", "--sbatch=--mem=1G"], "--sbatch goes with --engine slurm."),
    ],
)
def test_options_that_do_not_go_together(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], error: str
) -> None:
    assert extract("--input", source, "--output", tmp_path / "out", *options) == 1
    assert error in capsys.readouterr().err


def test_several_files_need_an_engine(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for inputs in ([source, source], [tmp_path / "*.jsonl"]):
        assert extract("--input", *inputs, "--output", tmp_path / "out.tsv") == 1
        assert "Several files are extracted in shards: add --engine local." in capsys.readouterr().err


def test_a_folder_without_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read-pairs", str(tmp_path), "--output", str(tmp_path / "read.tsv")]) == 1
    assert "It holds no finished result of shards." in capsys.readouterr().err
    (tmp_path / "manifest.json").write_text("{}")
    assert main(["read-pairs", str(tmp_path), "--output", str(tmp_path / "read.tsv")]) == 1
    assert "It is not a manifest of work in shards." in capsys.readouterr().err
