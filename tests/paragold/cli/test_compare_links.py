import json

import pytest

from paragold.formats.links.registry import write_links
from paragold.metrics.comparison_report import summary_as_json
from paragold.metrics.link_comparison import compare_links
from paragold.metrics.links import LinkedPair, Links
from tests.paragold.metrics.test_link_comparison import PAIRS, A, B


def write_both(folder, gold):
    """Gold links, and those of two aligners."""
    write_links(folder / f"{gold}.jsonl", PAIRS, "jsonl")
    for name, drawn in (("a", A), ("b", B)):
        pairs = [LinkedPair(p.key, p.tokens, Links.of(links)) for p, links in zip(PAIRS, drawn, strict=True)]
        write_links(folder / f"{name}.pharaoh", pairs, "pharaoh")


@pytest.fixture
def files(tmp_path):
    write_both(tmp_path, "gold")
    return "--gold", tmp_path / "gold.jsonl", tmp_path / "a.pharaoh", tmp_path / "b.pharaoh"


def test_json_has_the_numbers_of_the_library(printed, files):
    result = json.loads(printed("compare-links", *files, "--json", "--pairs", "--outcome", "only_b"))
    assert [pair["number"] for pair in result.pop("listed")] == [3]
    expected = summary_as_json(compare_links(PAIRS, A, B, language="en", seed=1))
    assert result == json.loads(json.dumps(expected))


def test_the_table_and_the_file(printed, files, tmp_path):
    told = printed("compare-links", *files, "--csv", tmp_path / "links.csv")
    [row] = [line.split() for line in told.splitlines() if line.startswith("all  ")]
    assert row[-4:] == ["3", "3", "1", "2"]
    assert "1 by A only, 1 by B only, 0 by neither" in told and "errors of B" in told
    assert len((tmp_path / "links.csv").read_text(encoding="utf-8").splitlines()) == 10


def test_what_does_not_fit_is_refused(refused, files, tmp_path):
    (tmp_path / "b.pharaoh").write_text("0-0\n", encoding="utf-8")
    assert "b.pharaoh" in refused("compare-links", *files)
    assert "--source and --target together" in refused("compare-links", *files, "--source", tmp_path / "x")
