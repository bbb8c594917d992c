"""A lexicon of word association from file to file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from paragold.text import wordnet
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet

PAIRS = [("operation began", "procedure began"), ("vendors which", "suppliers where"), ("orbit", "orbital")]


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(
        wordnet.ENVIRONMENT_VARIABLE, str(write_wordnet(tmp_path / "wordnet", SMALL, EXCEPTIONS))
    )
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{first}\t{second}\n" for first, second in PAIRS * 2), encoding="utf-8")
    return path


def test_word_pairs_are_written_best_first(printed: Callable[..., str], pairs: Path, tmp_path: Path) -> None:
    output = tmp_path / "words.tsv"
    told = printed("associate-words", pairs, "--output", output)
    assert "6 sentence pairs, 4 word pairs, 1 trivial ones." in told
    assert "In WordNet, of the first 3 non-trivial: 33.33 %." in told
    assert "1,500: 46.53 %" in told
    head, *rows = [line.split("\t") for line in output.read_text(encoding="utf-8").splitlines()]
    assert head[:5] == ["rank", "first", "second", "linked", "together"]
    assert rows[0][:5] == ["1", "operation", "procedure", "2", "2"]
    assert [row[6:] for row in rows[:2]] == [["1", "0"], ["0", "1"]]
    options = ("--ranking", "ratio", "--without-function-words", "--json")
    report = json.loads(printed("associate-words", pairs, "--output", output, *options))
    assert (report["word_pairs"], report["coverage"]) == (3, [[2, 0.5]])
    assert "ranking:ratio" in report["signature"]
