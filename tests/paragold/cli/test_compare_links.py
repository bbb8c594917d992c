import json

import pytest

from paragold.formats.link_files import write_links
from paragold.metrics.comparison_report import summary_as_json
from paragold.metrics.link_comparison import compare_links
from paragold.metrics.links import LinkedPair, Links
from tests.paragold.metrics.test_link_comparison import PAIRS, A, B


@pytest.fixture
def files(tmp_path):
    write_links(tmp_path / "gold.jsonl", PAIRS, "jsonl")
    for name, drawn in (("a", A), ("b", B)):
        pairs = [LinkedPair(p.key, p.tokens, Links.of(links)) for p, links in zip(PAIRS, drawn, strict=True)]
        write_links(tmp_path / f"{name}.pharaoh", pairs, "pharaoh")
    return "--gold", tmp_path / "gold.jsonl", tmp_path / "a.pharaoh", tmp_path / "b.pharaoh"


def test_json_has_the_numbers_of_the_library(paragold, files):
    done = paragold("compare-links", *files, "--json", "--pairs", "--outcome", "only_b")
    assert done.status == 0, done.err
    result = json.loads(done.out)
    assert [pair["number"] for pair in result.pop("listed")] == [3]
    expected = summary_as_json(compare_links(PAIRS, A, B, language="en", seed=1))
    assert result == json.loads(json.dumps(expected))


def test_the_table_and_the_file(paragold, files, tmp_path):
    done = paragold("compare-links", *files, "--csv", tmp_path / "links.csv")
    assert done.status == 0, done.err
    assert [line.split()[-4:] for line in done.out.splitlines() if line.startswith("all  ")] == [
        ["3", "3", "1", "2"]
    ]
    assert "1 by A only, 1 by B only, 0 by neither" in done.out
    assert "errors of B" in done.out
    assert len((tmp_path / "links.csv").read_text(encoding="utf-8").splitlines()) == 10


def test_what_does_not_fit_is_refused(paragold, files, tmp_path):
    (tmp_path / "b.pharaoh").write_text("0-0\n", encoding="utf-8")
    done = paragold("compare-links", *files)
    assert done.status == 1
    assert "b.pharaoh" in done.err
    done = paragold("compare-links", *files, "--source", tmp_path / "x")
    assert "--source and --target together" in done.err
