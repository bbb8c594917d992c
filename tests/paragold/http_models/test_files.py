"""Commands on files: an aligner over HTTP links and is scored, a scorer is a feature of a classifier."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paragold.cli.main import main
from tests.model_server import ModelServer, configure
from tests.paragold.classification.examples import labelled_pairs


@pytest.fixture
def toy(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    server.health["max_pairs"] = 64
    server.score = lambda source, target: float(int(source[-1]) % 2 == 0)
    configure(monkeypatch, tmp_path / "models", server, ask=False)
    return server


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(*arguments: object) -> tuple[int, str]:
        status = main([str(one) for one in arguments])
        written = capsys.readouterr()
        return status, written.err if status else written.out

    return run


def test_links_of_a_file(tmp_path: Path, toy: ModelServer, run: Any) -> None:
    pairs, links = tmp_path / "pairs.tsv", tmp_path / "links.pharaoh"
    pairs.write_text("the dam broke\tdam the\n\tempty\n", encoding="utf-8")
    options = ("--input", pairs, "--output", links, "--aligner", "http-toy")
    status, _ = run("align-words", *options)
    assert (status, links.read_text(encoding="utf-8")) == (0, "0-1 1-0\n\n")
    gold, source, target = (tmp_path / name for name in ("gold.pharaoh", "source", "target"))
    gold.write_text("0-1 1-0\n", encoding="utf-8")
    source.write_text("the dam broke\n", encoding="utf-8")
    target.write_text("dam the\n", encoding="utf-8")
    text = ("--source", source, "--target", target)
    status, out = run("score-links", "--gold", gold, "--aligner", "http-toy", *text, "--json")
    assert (status, json.loads(out)["all"]["aer"]) == (0, 0.0)
    toy.version = "2"
    toy.links = lambda source, target: [[9, 9]]
    status, message = run("align-words", *options)
    assert (status, message.count("\n")) == (1, 1)
    assert "pair 0 of 3 and 2 tokens has the link (9, 9)" in message
    assert run("align-words", *options, "--train", pairs)[0] == 1


def test_a_scorer_is_a_feature(tmp_path: Path, toy: ModelServer, run: Any) -> None:
    pairs, model, decided = (tmp_path / name for name in ("pairs.tsv", "model.npz", "decided.tsv"))
    lines = [
        f"{int(number % 2 == 0)}\t{pair.first}\t{pair.second}\n"
        for number, pair in enumerate(labelled_pairs(40))
    ]
    pairs.write_text("".join(lines), encoding="utf-8")
    options = ("--pairs", pairs, "--output", model, "--c", 0.1, "--json")
    status, out = run("train-classifier", *options, "--scorer", "toy")
    assert status == 0
    figures = json.loads(out)
    assert "scorer" in figures["classes"]
    assert figures["settings"]["scorer_version"] == "1"
    assert run("classify-pairs", "--model", model, "--pairs", pairs, "--output", decided, "--reasons")[0] == 0
    assert "scorer:score" in decided.read_text(encoding="utf-8")
    rows = decided.read_text(encoding="utf-8").splitlines()[1:]
    assert 0 < sum(row.startswith("1\t") for row in rows) < len(lines)
    toy.version = "2"
    pairs.write_text(lines[0].replace("storm", "new") + lines[1] + "1\tnew 2\tnew 4\n", encoding="utf-8")
    status, message = run("classify-pairs", "--model", model, "--pairs", pairs, "--output", decided)
    assert (status, "has version 2, but this work uses 1" in message) == (1, True)
    status, message = run("train-classifier", *options, "--scorer", "other")
    assert (status, message) == (1, "There is no model 'other'. PARAGOLD_HTTP_MODELS: toy.\n")
    status, message = run("train-classifier", *options, "--with", "scorer")
    assert (status, message) == (1, "Choose the model whose score is a feature.\n")
