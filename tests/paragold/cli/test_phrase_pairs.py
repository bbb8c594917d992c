"""`paragold phrase-pairs`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Done

HEAD = "count\tfirst\tsecond\tsecond_given_first\tfirst_given_second"


def test_phrase_pairs_of_links_with_text_and_without(
    paragold: Callable[..., Done], refused: Callable[..., str], tmp_path: Path
) -> None:
    texts = {"links": "0-0 1-1 1-2\n0-0 1-1 1-2\n", "source": "he fell\nhe fell\n"}
    texts["target"] = "he went down\nshe went down\n"
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = ["phrase-pairs", "--links", tmp_path / "links", "--format", "pharaoh"]
    options += ["--output", tmp_path / "out.tsv", "--source", tmp_path / "source"]
    assert "--target" in refused(*options)
    done = paragold(*options, "--target", tmp_path / "target", "--longest", 3)
    assert done.status == 0 and "4 phrase pairs in 2 sentence pairs" in done.out
    head, *rows = (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()
    assert head == HEAD
    assert rows[0] == "2\tfell\twent down\t1.000000\t1.000000"
    assert rows[1].split("\t")[:2] == ["1", "he"]
    paragold(*options, "--target", tmp_path / "target", "--min-count", 2)
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines() == [head, rows[0]]


@pytest.mark.real_data
def test_gold_links_of_edinburgh(alignment_data: Path, paragold: Callable[..., Done], tmp_path: Path) -> None:
    output = tmp_path / "phrases.tsv"
    links = alignment_data / "edinburghpp.train.jsonl"
    assert paragold("phrase-pairs", "--links", links, "--shortest", 2, "--output", output).status == 0
    rows = [line.split("\t") for line in output.read_text(encoding="utf-8").splitlines()[1:]]
    assert ["us dollars", "us$"] in [row[1:3] for row in rows[:100]]
