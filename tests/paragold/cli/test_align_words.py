import pytest

from paragold.aligners.statistical import HMM
from paragold.formats.link_files import write_links
from paragold.formats.pair_files import TSV_COLUMNS
from paragold.metrics.links import LinkedPair, Links, TokenPair
from tests.paragold.aligners import fake_giza

LINES = "The dog barked .\tA dog barks .\n\nVendors sold apples .\t\na b\tb a"


@pytest.fixture
def pairs(tmp_path):
    (tmp_path / "pairs.tsv").write_text(LINES, encoding="utf-8")
    return tmp_path / "pairs.tsv"


@pytest.fixture
def run(pairs, paragold):
    """The links, what was printed and the warnings."""

    def run(*arguments):
        output = pairs.with_name("links.pharaoh")
        done = paragold("align-words", "--input", pairs, "--output", output, *arguments)
        assert done.status == 0, done.err
        return output.read_text(), done.out, done.err

    return run


@pytest.fixture
def refused(pairs, paragold):
    """The message when the command fails."""

    def run(*arguments):
        output = pairs.with_name("refused.pharaoh")
        done = paragold("align-words", "--input", pairs, "--output", output, *arguments)
        assert done.status and not output.exists()
        return done.err

    return run


@pytest.mark.parametrize("name", ["best", "identity"])
def test_one_line_out_per_line_in(run, name):
    links, out, err = run("--aligner", name)
    lines = links.split("\n")
    assert len(lines) == 5
    assert lines[1:3] == ["", ""]
    assert "1-1" in lines[0].split()
    assert lines[3] == "0-1 1-0"
    assert f"{len(links.split())} links in 4 pairs" in out
    assert "2 lines without words on one side have no links (lines 2, 3)" in err
    assert len(links.splitlines()) == 4


def test_what_extract_pairs_wrote_is_training_text_and_there_may_be_more(run, refused, tmp_path):
    extracted, plain = tmp_path / "extracted.tsv", tmp_path / "plain.tsv"
    rows = [("The dog barked .", "A dog barks ."), ("Vendors sold apples .", "Sellers sold apples .")]
    header = "\t".join(TSV_COLUMNS) + "\n"
    extracted.write_text(header + "".join(f"c\ta\t0\tb\t1\t2\t{left}\t{right}\n" for left, right in rows))
    plain.write_text("".join(f"{left}\t{right}\n" for left, right in rows))
    assert run("--train", extracted) == run("--train", plain) != run("--train", plain, "--train", extracted)
    extracted.write_text(extracted.read_text() + "c\ta\t0\tb\t1\tx\ty\n")
    assert "extracted.tsv, line 4: 7 columns instead of 8" in refused("--train", extracted)
    extracted.write_text(header)
    assert run("--train", extracted) == run()


def test_parameters_and_stored_aligners(run, refused, pairs, tmp_path):
    options = ("--aligner", "hmm", "--language", "two", "--set", "hmm_iterations=1", "--symmetrise", "union")
    assert "hmm|version:4|links:union|" in run(*options)[1] != run("--aligner", "hmm")[1]
    HMM().fit([(["a", "b"], ["b", "a"]), (["dog"], ["dog"])]).save(tmp_path / "hmm.npz")
    assert run("--model", tmp_path / "hmm.npz")[0].split("\n")[3] == "0-1 1-0"
    for arguments, message in (
        (("--model", tmp_path / "hmm.npz", "--train", tmp_path / "a"), "--train is for training"),
        (("--aligner", "identity", "--train", pairs), "aligners that are trained: best, hmm, ibm1"),
        (("--symmetrise", "union"), "best has no symmetrisation"),
        (("--language", "klingon"), "must be one of arabic"),
        (("--aligner", "hmm", "--set", "colour=red"), "colour"),
        (("--aligner", "hmm", "--set", "red"), "takes KEY=VALUE"),
        (("--aligner", "hmm", "--without", "stem"), "no sources of evidence"),
    ):
        assert message in refused(*arguments)
    pairs.write_text("a\tb\na b c\n")
    assert "pairs.tsv, line 2: 1 columns instead of 2" in refused()


def test_raw_text_is_tokenised(run, pairs):
    pairs.write_text("The dog barked.\tDogs? The dog.\n")
    assert run("--aligner", "identity", "--raw")[0] == "0-2 1-3 3-4\n"
    assert run("--aligner", "identity")[0] == "0-1\n"


def test_gold_links_are_learned_from(run, refused, tmp_path):
    (tmp_path / "gold.naacl").write_text("1 1 1 S\n1 2 2 P\n2 1 2\n2 2 1\n")
    (tmp_path / "gold.src").write_text("a dog a .\nb c\n")
    (tmp_path / "gold.tgt").write_text("a cat !\nc b\n")
    gold = ("--gold", tmp_path / "gold.naacl", "--gold-source", tmp_path / "gold.src")
    whole = (*gold, "--gold-target", tmp_path / "gold.tgt")
    assert "logistic-regression" in run(*whole)[1]
    assert "--gold-source and --gold-target together" in refused(*gold)
    assert "'hmm' does not learn from gold links" in refused(*whole, "--aligner", "hmm")


def test_programs_are_run(run, refused, pairs, program_path):
    pairs.write_text("The dog\tA dog\n\tx\nb a\tb a\n", encoding="utf-8")
    assert "is not on the path" in refused("--aligner", "giza")
    fake_giza.install(program_path)
    assert run("--aligner", "giza", "--lexicon")[0] == "0-0 1-1\n\n0-0 1-1\n"


def test_other_gold_needs_own_gold_and_is_judged_on_it(run, refused, tmp_path):
    gold, other = tmp_path / "gold.jsonl", tmp_path / "other.jsonl"
    for path, shift in ((gold, ""), (other, "x")):
        tokens = [TokenPair((f"{shift}{n}", "b"), (f"{shift}{n}", "c")) for n in range(30)]
        drawn = [LinkedPair(str(n), both, Links.of([(0, 0)])) for n, both in enumerate(tokens)]
        write_links(path, drawn, "jsonl")
    assert "give --gold" in refused("--other-gold", other)
    _, out, _ = run("--gold", gold, "--other-gold", other)
    assert "Learned elsewhere, gold links of other.jsonl: " in out
