import json
import os
import threading
from hashlib import sha256

import pytest

from paragold.aligners.statistical import HMM
from paragold.formats.link_files import texts_of_sides, write_links
from paragold.formats.pair_files import TSV_COLUMNS
from paragold.metrics.links import LinkedPair, Links
from tests.paragold.metrics.test_link_comparison import PAIRS, A, B

PAIR = LinkedPair("1", ("The", "dog"), ("the", "hound"), Links.of([(0, 0), (1, 1)]))


@pytest.fixture
def gold(tmp_path):
    write_links(tmp_path / "gold.jsonl", [PAIR], "jsonl")
    return tmp_path / "gold.jsonl"


def write_both(folder, gold):
    """Gold links, and those of two aligners."""
    write_links(folder / f"{gold}.jsonl", PAIRS, "jsonl")
    for name, drawn in (("a", A), ("b", B)):
        pairs = [LinkedPair(p.key, *p.tokens, Links.of(links)) for p, links in zip(PAIRS, drawn, strict=True)]
        write_links(folder / f"{name}.pharaoh", pairs, "pharaoh")


@pytest.fixture
def files(tmp_path):
    write_both(tmp_path, "gold")
    return "--gold", tmp_path / "gold.jsonl", tmp_path / "a.pharaoh", tmp_path / "b.pharaoh"


HAND = [
    LinkedPair("1", ("The", "dog", "barked"), ("the", "hound", "barked"), Links.of([(0, 0), (1, 1)])),
    LinkedPair("2", ("yes",), ("yes", "sir"), Links.of((), [(0, 0)])),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The present folder, with gold links in two formats, links to score and text."""
    monkeypatch.chdir(tmp_path)
    for name, text in zip(("src", "tgt"), texts_of_sides(pair.tokens for pair in HAND), strict=True):
        (tmp_path / f"text.{name}").write_text(text)
    write_links(tmp_path / "gold.naacl", HAND, "naacl")
    write_links(tmp_path / "gold.jsonl", HAND, "jsonl")
    (tmp_path / "links.pharaoh").write_text("0-0 2-2 1?0\n\n", encoding="utf-8")
    (tmp_path / "three.pharaoh").write_text("\n\n\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def scored(printed):
    """What score-links gives for these arguments."""

    def run(*arguments):
        return json.loads(printed("score-links", "--json", *arguments))

    return run


def test_scores_by_hand_in_percent(folder, scored):
    # Drawn: The-the (sure), barked-barked (not in gold), dog-the (not in gold); nothing in pair 2.
    result = scored("--gold", "gold.jsonl", "--links", "links.pharaoh")
    assert result["all"]["precision"] == 33.3333
    assert result["all"]["recall"] == 50
    assert result["all"]["aer"] == 60
    assert result["all"]["counts"] == {"scored": 3, "sure": 2, "scored_possible": 1, "scored_sure": 1}
    assert (result["identical"]["precision"], result["identical"]["recall"]) == (50, 100)
    assert result["identical"]["aer"] == 33.3333
    assert (result["non_identical"]["recall"], result["non_identical"]["aer"]) == (0, 100)
    low, high = result["all"]["aer_interval"]
    assert 0 <= low <= 60 <= high <= 100
    assert result["pairs"] == 2


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "pairs", "low", "high"), [("edinburghpp.train", 714, 17, 19), ("msr_rte2.dev", 800, 13, 15.5)]
)
def test_identity_baseline_on_public_gold(alignment_data, scored, name, pairs, low, high):
    text = ("--source", alignment_data / f"{name}.src", "--target", alignment_data / f"{name}.tgt")
    result = scored("--gold", alignment_data / f"{name}.naacl", *text, "--aligner", "identity")
    assert result["pairs"] == pairs
    assert low < result["all"]["aer"] < high
    assert result["all"]["aer_interval"][0] < result["all"]["aer"] < result["all"]["aer_interval"][1]
    # Of words that differ the baseline links only quotes and dashes of another style, which are few.
    others = result["non_identical"]
    assert others["precision"] in (None, 100) and others["recall"] < 0.1 and others["aer"] > 99.9


def test_a_signature_hashes_what_was_read_of_a_pipe(folder, scored, refused):
    plain = scored("--gold", "gold.jsonl", "--links", "links.pharaoh")["signature"]
    (folder / "pipes").mkdir()
    pipes = [folder / "pipes" / name for name in ("gold.jsonl", "links.pharaoh")]
    for pipe in pipes:
        os.mkfifo(pipe)
        content = (folder / pipe.name).read_bytes()
        threading.Thread(target=pipe.write_bytes, args=[content], daemon=True).start()
    piped = scored("--gold", pipes[0], "--links", pipes[1])["signature"]
    assert piped == plain and sha256(b"").hexdigest()[:12] not in piped
    # A problem in a pipe names the pipe.
    threading.Thread(target=pipes[0].write_text, args=['{"key": \n'], daemon=True).start()
    message = refused("score-links", "--gold", pipes[0], "--aligner", "identity")
    assert message.startswith(f"{pipes[0]}, line 1")


LINES = "The dog barked .\tA dog barks .\n\nVendors sold apples .\t\na b\tb a"


@pytest.fixture
def pairs(tmp_path):
    (tmp_path / "pairs.tsv").write_text(LINES, encoding="utf-8")
    return tmp_path / "pairs.tsv"


@pytest.fixture
def aligned(pairs, paragold):
    """The links, what was printed and the warnings."""

    def run(*arguments):
        output = pairs.with_name("links.pharaoh")
        done = paragold("align-words", "--input", pairs, "--output", output, *arguments)
        assert done.status == 0, done.err
        return output.read_text(), done.out, done.err

    return run


@pytest.fixture
def not_aligned(pairs, paragold):
    """The message when the command fails."""

    def run(*arguments):
        output = pairs.with_name("refused.pharaoh")
        done = paragold("align-words", "--input", pairs, "--output", output, *arguments)
        assert done.status and not output.exists()
        return done.err

    return run


@pytest.mark.parametrize("name", ["best", "identity"])
def test_one_line_out_per_line_in(aligned, name):
    links, out, err = aligned("--aligner", name)
    lines = links.split("\n")
    assert len(lines) == 5
    assert lines[1:3] == ["", ""]
    assert "1-1" in lines[0].split()
    assert lines[3] == "0-1 1-0"
    assert f"{len(links.split())} links in 4 pairs" in out
    assert "2 lines without words on one side have no links (lines 2, 3)" in err
    assert len(links.splitlines()) == 4


def test_what_extract_pairs_wrote_is_training_text_and_there_may_be_more(aligned, not_aligned, tmp_path):
    extracted, plain = tmp_path / "extracted.tsv", tmp_path / "plain.tsv"
    rows = [("The dog barked .", "A dog barks ."), ("Vendors sold apples .", "Sellers sold apples .")]
    header = "\t".join(TSV_COLUMNS) + "\n"
    extracted.write_text(header + "".join(f"c\ta\t0\tb\t1\t2\t{left}\t{right}\n" for left, right in rows))
    plain.write_text("".join(f"{left}\t{right}\n" for left, right in rows))
    assert (
        aligned("--train", extracted)
        == aligned("--train", plain)
        != aligned("--train", plain, "--train", extracted)
    )
    extracted.write_text(extracted.read_text() + "c\ta\t0\tb\t1\tx\ty\n")
    assert "extracted.tsv, line 4: 7 columns instead of 8" in not_aligned("--train", extracted)
    extracted.write_text(header)
    assert aligned("--train", extracted) == aligned()


def test_parameters_and_stored_aligners(aligned, not_aligned, pairs, tmp_path):
    options = ("--aligner", "hmm", "--language", "two", "--set", "hmm_iterations=1", "--symmetrise", "union")
    assert "hmm|version:4|links:union|" in aligned(*options)[1] != aligned("--aligner", "hmm")[1]
    HMM().fit([(["a", "b"], ["b", "a"]), (["dog"], ["dog"])]).save(tmp_path / "hmm.npz")
    assert aligned("--model", tmp_path / "hmm.npz")[0].split("\n")[3] == "0-1 1-0"
    for arguments, message in (
        (("--model", tmp_path / "hmm.npz", "--train", tmp_path / "a"), "--train is for training"),
        (("--aligner", "identity", "--train", pairs), "aligners that are trained: best, hmm, ibm1"),
        (("--language", "klingon"), "must be one of arabic"),
        (("--aligner", "hmm", "--set", "red"), "takes KEY=VALUE"),
    ):
        assert message in not_aligned(*arguments)
    pairs.write_text("a\tb\na b c\n")
    assert "pairs.tsv, line 2: 1 columns instead of 2" in not_aligned()


def test_gold_links_are_learned_from_and_other_gold_beside_them(aligned, not_aligned, tmp_path):
    (tmp_path / "gold.naacl").write_text("1 1 1 S\n1 2 2 P\n2 1 2\n2 2 1\n")
    (tmp_path / "gold.src").write_text("a dog a .\nb c\n")
    (tmp_path / "gold.tgt").write_text("a cat !\nc b\n")
    gold = ("--gold", tmp_path / "gold.naacl", "--gold-source", tmp_path / "gold.src")
    whole = (*gold, "--gold-target", tmp_path / "gold.tgt")
    assert "logistic-regression" in aligned(*whole)[1]
    assert "--gold-source and --gold-target together" in not_aligned(*gold)
    assert "'hmm' does not learn from gold links" in not_aligned(*whole, "--aligner", "hmm")
    gold, other = tmp_path / "gold.jsonl", tmp_path / "other.jsonl"
    for path, shift in ((gold, ""), (other, "x")):
        tokens = [((f"{shift}{n}", "b"), (f"{shift}{n}", "c")) for n in range(30)]
        drawn = [LinkedPair(str(n), *both, Links.of([(0, 0)])) for n, both in enumerate(tokens)]
        write_links(path, drawn, "jsonl")
    assert "give --gold" in not_aligned("--other-gold", other)
    _, out, _ = aligned("--gold", gold, "--other-gold", other)
    assert "Learned elsewhere, gold links of other.jsonl: " in out
