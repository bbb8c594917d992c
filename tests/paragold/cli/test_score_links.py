import json

import pytest

from paragold.formats.link_files import write_links
from paragold.metrics.links import LinkedPair, Links, TokenPair

PAIR = LinkedPair("1", TokenPair(("The", "dog"), ("the", "hound")), Links.of([(0, 0), (1, 1)]))


@pytest.fixture
def gold(tmp_path):
    write_links(tmp_path / "gold.jsonl", [PAIR], "jsonl")
    return tmp_path / "gold.jsonl"


@pytest.fixture
def run(paragold):
    def run(*arguments):
        done = paragold("score-links", *arguments)
        assert done.status == 0, done.err
        return done.out

    return run


@pytest.fixture
def refused(paragold):
    """The message when the command fails."""

    def run(*arguments):
        done = paragold("score-links", *arguments)
        assert done.status
        return done.err

    return run


def test_prints_json(run, gold):
    result = json.loads(run("--gold", gold, "--aligner", "identity", "--json"))
    assert set(result) == {"all", "identical", "non_identical", "pairs", "signature"}
    assert (result["all"]["precision"], result["all"]["recall"], result["all"]["aer"]) == (100, 50, 33.3333)
    assert result["all"]["aer_interval"] is None


def test_prints_a_table(run, gold, tmp_path):
    (tmp_path / "links.pharaoh").write_text("0-0 1-1\n", encoding="utf-8")
    lines = run("--gold", gold, "--links", tmp_path / "links.pharaoh", "--seed", 5).split("\n")
    assert lines[1].split() == ["all", "words", "100.00", "100.00", "0.00", "-"]
    assert "|seed:5|" in lines[4]


@pytest.mark.parametrize("name", ["links", "links.txt", "links.jsonl"])
def test_a_format_is_recognised_whatever_the_file_is_called(run, gold, tmp_path, name):
    (tmp_path / name).write_text("0-0 1-1\n", encoding="utf-8")
    gold = gold.rename(tmp_path / "gold.txt")
    assert "0.00" in run("--gold", gold, "--links", tmp_path / name)


def test_a_bad_file_is_named_with_its_line(refused, gold, tmp_path):
    (tmp_path / "links.pharaoh").write_text("0-0 1-5\n", encoding="utf-8")
    message = refused("--gold", gold, "--links", tmp_path / "links.pharaoh")
    assert "links.pharaoh, line 1: link 1-5 points outside" in message


def test_links_or_aligner_is_required(refused, gold):
    assert "one of the arguments --links --aligner is required" in refused("--gold", gold)


def test_intervals_of_all_rates(run, gold):
    rows = json.loads(run("--gold", gold, "--aligner", "identity", "--json", "--intervals"))
    # One pair cannot be drawn anew.
    assert rows["all"]["recall_interval"] is None
    write_links(gold, [PAIR, LinkedPair("2", PAIR.tokens, Links.of([(0, 0)]))], "jsonl")
    rows = json.loads(run("--gold", gold, "--aligner", "identity", "--json", "--intervals"))
    assert rows["all"]["recall_interval"] == [50, 100]
    assert rows["all"]["precision_interval"] == [100, 100]
    assert "50.00 to 100.00" in run("--gold", gold, "--aligner", "identity", "--intervals")


def test_two_files_against_each_other(run, refused, gold, tmp_path):
    write_links(gold, [LinkedPair(str(n), PAIR.tokens, PAIR.links) for n in range(12)], "jsonl")
    good, bad = tmp_path / "good.pharaoh", tmp_path / "bad.pharaoh"
    good.write_text("0-0 1-1\n" * 12, encoding="utf-8")
    bad.write_text("0-0 1-0\n" * 12, encoding="utf-8")
    found = json.loads(run("--gold", gold, "--links", good, "--against", bad, "--json"))["against"]
    assert found["all"]["aer_difference"] == -50
    assert found["all"]["difference_interval"] == [-50, -50]
    assert found["all"]["p"] < 0.01
    # Neither draws a link between identical words that the other one does not.
    assert found["identical"] == {"aer_difference": 0, "difference_interval": [0, 0], "p": 1}
    assert "-50.00 to -50.00" in run("--gold", gold, "--links", good, "--against", bad)
    bad.write_text("0-0\n", encoding="utf-8")
    assert "bad.pharaoh" in refused("--gold", gold, "--links", good, "--against", bad)
