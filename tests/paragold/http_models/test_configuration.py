"""Models are named by the environment; what is wrong there is said with the variable's name."""

from __future__ import annotations

import ipaddress
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paragold.http_models.configuration import read_models
from paragold.problems import FileProblem

TWO = "neural=https://models.example:8443/v1 other=http://10.1.2.3/"


def test_nothing_named() -> None:
    assert read_models({}) == {}


def test_models_tokens_and_networks(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("other=sesame\n", encoding="utf-8")
    models = read_models(
        {
            "PARAGOLD_HTTP_MODELS": TWO,
            "PARAGOLD_HTTP_MODEL_TOKENS_FILE": str(tokens),
            "PARAGOLD_HTTP_MODEL_NETWORKS": "10.0.0.0/8, ::1",
            "PARAGOLD_HTTP_MODEL_SECONDS": "5",
        }
    )
    assert models["neural"].address.joined("align").url == "https://models.example:8443/v1/align"
    assert (models["neural"].token, models["other"].token) == ("", "sesame")
    assert models["other"].seconds == 5
    for address, expected in (("10.9.9.9", True), ("::1", True), ("8.8.8.8", True), ("127.0.0.1", False)):
        assert models["other"].permits(ipaddress.ip_address(address)) is expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"PARAGOLD_HTTP_MODELS": "https://host/"}, "PARAGOLD_HTTP_MODELS: 'https://host/'"),
        ({"PARAGOLD_HTTP_MODELS": "a=https://one/ a=https://two/"}, "'a' is not a new name"),
        ({"PARAGOLD_HTTP_MODELS": "A=https://one/"}, "'A' is not a new name"),
        ({"PARAGOLD_HTTP_MODELS": "a=ftp://one/"}, "begin with http://"),
        ({"PARAGOLD_HTTP_MODELS": "a=https://user:word@one/"}, "neither user name nor query"),
        ({"PARAGOLD_HTTP_MODELS": "a=https://one/?x=1"}, "neither user name nor query"),
        ({"PARAGOLD_HTTP_MODEL_TOKENS": "b=word"}, "there is no model b"),
        ({"PARAGOLD_HTTP_MODEL_TOKENS": "neural=wörd"}, "'neural' is not a new name with a value"),
        (
            {"PARAGOLD_HTTP_MODEL_TOKENS_FILE": "/nowhere/tokens"},
            "PARAGOLD_HTTP_MODEL_TOKENS_FILE.*No such file",
        ),
        ({"PARAGOLD_HTTP_MODEL_NETWORKS": "10.0.0.1/8"}, "PARAGOLD_HTTP_MODEL_NETWORKS.*has host bits set"),
        ({"PARAGOLD_HTTP_MODEL_SECONDS": "0"}, "from 1 to 240"),
        ({"PARAGOLD_HTTP_MODEL_SECONDS": "nan"}, "from 1 to 240"),
    ],
)
def test_what_is_wrong_is_said(variables: dict[str, str], expected: str) -> None:
    with pytest.raises(FileProblem, match=expected) as caught:
        read_models({"PARAGOLD_HTTP_MODELS": TWO} | variables)
    assert "word" not in str(caught.value)


def test_a_command_says_it_and_an_aligner_comes_of_each_model() -> None:
    def run(models: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "paragold", "align-words", "--help"]
        environment = {**os.environ, "PARAGOLD_HTTP_MODELS": models, "COLUMNS": "1000"}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    wrong = run("neural")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (1, 1)
    assert "PARAGOLD_HTTP_MODELS" in wrong.stderr
    assert "http-neural, http-other" in run(TWO).stdout
