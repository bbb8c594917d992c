"""score-links, compare-links, link-agreement and phrase-pairs."""

import json

import pytest

from paragold.formats.link_files import write_links
from paragold.metrics.error_rate import percent
from paragold.metrics.link_comparison import compare_links
from paragold.metrics.links import LinkedPair, Links, TokenPair
from tests.paragold.metrics.test_link_comparison import PAIRS, A, B

PAIR = LinkedPair("1", TokenPair(("The", "dog"), ("the", "hound")), Links.of([(0, 0), (1, 1)]))


@pytest.fixture
def gold(tmp_path):
    write_links(tmp_path / "gold.jsonl", [PAIR], "jsonl")
    return tmp_path / "gold.jsonl"


def test_prints_json_and_a_table(printed, gold, tmp_path):
    result = json.loads(printed("score-links", "--gold", gold, "--aligner", "identity", "--json"))
    assert set(result) == {"all", "identical", "non_identical", "pairs", "signature"}
    assert (result["all"]["precision"], result["all"]["recall"], result["all"]["aer"]) == (100, 50, 33.3333)
    assert result["all"]["aer_interval"] is None
    links = tmp_path / "links.pharaoh"
    for text, row in (("0-0 1-1\n", ["100.00", "100.00", "0.00", "-"]), ("\n", ["-", "0.00", "100.00", "-"])):
        links.write_text(text)
        lines = printed("score-links", "--gold", gold, "--links", links, "--seed", 5).split("\n")
        assert lines[1].split() == ["all", "words", *row]
        assert "|seed:5|" in lines[4]


def test_a_bad_file_is_named_with_its_line(refused, gold, tmp_path):
    (tmp_path / "links.pharaoh").write_text("0-0 1-5\n", encoding="utf-8")
    message = refused("score-links", "--gold", gold, "--links", tmp_path / "links.pharaoh")
    assert "links.pharaoh, line 1: link 1-5 points outside" in message
    message = refused("score-links", "--gold", gold)
    assert "one of the arguments --links --aligner is required" in message


def test_intervals_of_all_rates(printed, gold):
    rows = json.loads(
        printed("score-links", "--gold", gold, "--aligner", "identity", "--json", "--intervals")
    )
    # One pair cannot be drawn anew.
    assert rows["all"]["recall_interval"] is None
    write_links(gold, [PAIR, LinkedPair("2", PAIR.tokens, Links.of([(0, 0)]))], "jsonl")
    rows = json.loads(
        printed("score-links", "--gold", gold, "--aligner", "identity", "--json", "--intervals")
    )
    assert rows["all"]["recall_interval"] == [50, 100]
    assert rows["all"]["precision_interval"] == [100, 100]
    assert "50.00 to 100.00" in printed("score-links", "--gold", gold, "--aligner", "identity", "--intervals")


def test_two_files_against_each_other(printed, refused, gold, tmp_path):
    write_links(gold, [LinkedPair(str(n), PAIR.tokens, PAIR.links) for n in range(12)], "jsonl")
    good, bad = tmp_path / "good.pharaoh", tmp_path / "bad.pharaoh"
    good.write_text("0-0 1-1\n" * 12, encoding="utf-8")
    bad.write_text("0-0 1-0\n" * 12, encoding="utf-8")
    found = json.loads(printed("score-links", "--gold", gold, "--links", good, "--against", bad, "--json"))[
        "against"
    ]
    assert found["all"]["aer_difference"] == -50
    assert found["all"]["difference_interval"] == [-50, -50]
    assert found["all"]["p"] < 0.01
    # Neither draws a link between identical words that the other one does not.
    assert found["identical"] == {"aer_difference": 0, "difference_interval": [0, 0], "p": 1}
    assert "-50.00 to -50.00" in printed("score-links", "--gold", gold, "--links", good, "--against", bad)
    bad.write_text("0-0\n", encoding="utf-8")
    assert "bad.pharaoh" in refused("score-links", "--gold", gold, "--links", good, "--against", bad)


def test_files_of_other_pairs_are_refused(tmp_path, refused):
    for name, source in (("a", "one two"), ("b", "one three")):
        record = {"id": "1", "source": source, "target": "one", "sureAlign": "0-0", "possibleAlign": ""}
        (tmp_path / f"{name}.json").write_text(json.dumps([record]), encoding="utf-8")
    told = refused("link-agreement", tmp_path / "a.json", tmp_path / "b.json")
    assert "b.json" in told and "differ" in told
    assert "two files" in refused("link-agreement", tmp_path / "a.json")


@pytest.mark.real_data
def test_as_json(alignment_data, paragold):
    paths = [alignment_data / f"RTE2_dev_{name}.align.json" for name in "ABC"]
    figures = json.loads(paragold("link-agreement", *paths, "--json").out)
    assert figures["files"][1]["all"]["agreement"] == pytest.approx(92.8099, abs=1e-3)


HEAD = "count\tfirst\tsecond\tsecond_given_first\tfirst_given_second"


def test_phrase_pairs_of_links_with_text_and_without(paragold, refused, tmp_path):
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
def test_gold_links_of_edinburgh(alignment_data, paragold, tmp_path):
    output = tmp_path / "phrases.tsv"
    links = alignment_data / "edinburghpp.train.jsonl"
    assert paragold("phrase-pairs", "--links", links, "--shortest", 2, "--output", output).status == 0
    rows = [line.split("\t") for line in output.read_text(encoding="utf-8").splitlines()[1:]]
    assert ["us dollars", "us$"] in [row[1:3] for row in rows[:100]]


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
    expected = percent(compare_links(PAIRS, A, B, language="en", seed=1)[1])
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
