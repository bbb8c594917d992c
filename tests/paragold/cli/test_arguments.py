"""A declaration as the options of a command."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from paragold.cli.arguments import add_arguments, spec_from
from paragold.matching.settings import MatchingSpec
from paragold.spec import SpecError


def parse(*words: str, leave_out: tuple[str, ...] = ()) -> dict[str, Any]:
    parser = ArgumentParser()
    add_arguments(parser, MatchingSpec, leave_out)
    return vars(parser.parse_args(words))


def test_options_are_read_and_what_is_wrong_is_named(tmp_path: Path) -> None:
    assert spec_from(MatchingSpec, parse()) == MatchingSpec()
    assert spec_from(MatchingSpec, parse(leave_out=("seed",)), seed=5) == MatchingSpec(seed=5)
    words = tmp_path / "words"
    words.write_text("The, of\nand")
    options = parse("--method", "bands", "--threshold", "0.5", "--greedy", "--stop-words", str(words))
    assert spec_from(MatchingSpec, options) == MatchingSpec(
        method="bands", threshold=0.5, greedy=True, stop_words={"the", "of", "and"}
    )
    with pytest.raises(SpecError, match="Threshold must be a number above 0 and at most 1; it is 7"):
        spec_from(MatchingSpec, parse("--threshold", "7"))
    with pytest.raises(SpecError, match="not readable UTF-8"):
        spec_from(MatchingSpec, parse("--stop-words", str(tmp_path / "missing")))


def test_help_says_what_options_mean(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse("--help")
    shown = " ".join(capsys.readouterr().out.split())
    assert "--threshold THRESHOLD Threshold. Pairs with a lower score are left out. Default: 0.33." in shown
    assert "exact: exact Jaccard of every pair." in shown
