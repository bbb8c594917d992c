from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from paragold.extraction import pairs_tsv
from paragold.formats.links import pharaoh

LINES = "The dog barked .\tA dog barks .\n\nVendors sold apples .\t\na b\tb a"


@pytest.fixture
def pairs(tmp_path):
    (tmp_path / "pairs.tsv").write_text(LINES, encoding="utf-8")
    return tmp_path / "pairs.tsv"


def run(pairs, *arguments):
    out, err = StringIO(), StringIO()
    output = pairs.with_name("links.pharaoh")
    call_command(
        "align_words",
        "--input",
        str(pairs),
        "--output",
        str(output),
        *map(str, arguments),
        stdout=out,
        stderr=err,
    )
    return output.read_text(), out.getvalue(), err.getvalue()


@pytest.mark.parametrize("name", ["best", "hmm", "ibm1", "identity", "identity-stem"])
def test_one_line_out_per_line_in(pairs, name):
    links, out, err = run(pairs, "--aligner", name)
    lines = links.split("\n")
    assert len(lines) == 5
    assert lines[1:3] == ["", ""]
    assert "1-1" in lines[0].split()
    assert lines[3] == "0-1 1-0"
    assert f"{len(links.split())} links in 4 pairs" in out
    assert "2 lines without words on one side have no links (lines 2, 3)" in err
    assert len(pharaoh.loads(links)) == 4


def test_what_extract_pairs_wrote_is_training_text(pairs, tmp_path):
    extracted, plain = tmp_path / "extracted.tsv", tmp_path / "plain.tsv"
    rows = [("The dog barked .", "A dog barks ."), ("Vendors sold apples .", "Sellers sold apples .")]
    extracted.write_text(
        pairs_tsv.HEADER + "".join(f"c\ta\t0\tb\t1\t2\t{left}\t{right}\n" for left, right in rows)
    )
    plain.write_text("".join(f"{left}\t{right}\n" for left, right in rows))
    assert run(pairs, "--train", extracted) == run(pairs, "--train", plain)
    extracted.write_text(extracted.read_text() + "c\ta\t0\tb\t1\tx\ty\n")
    with pytest.raises(CommandError, match=r"extracted.tsv, line 4: 7 columns instead of 8"):
        run(pairs, "--train", extracted)
    extracted.write_text(pairs_tsv.HEADER)
    assert run(pairs, "--train", extracted) == run(pairs)


def test_training_text_from_several_files(pairs, tmp_path):
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    first.write_text("das haus\tthe house\ndas buch\tthe book\n")
    second.write_text("ein buch\ta book\n")
    pairs.write_text("haus\thouse\n")
    links, out, _ = run(
        pairs,
        "--aligner",
        "hmm",
        "--language",
        "two",
        "--train",
        first,
        "--train",
        second,
        "--symmetrise",
        "union",
    )
    assert links == "0-0\n"
    assert "hmm|version:3|links:union|" in out


def test_raw_text_is_tokenised(pairs):
    pairs.write_text("The dog barked.\tDogs? The dog.\n")
    assert run(pairs, "--aligner", "identity", "--raw")[0] == "0-2 1-3 3-4\n"
    assert run(pairs, "--aligner", "identity")[0] == "0-1\n"


def test_gold_links_are_learned_from(pairs, tmp_path):
    (tmp_path / "gold.naacl").write_text("1 1 1 S\n1 2 2 P\n2 1 2\n2 2 1\n")
    (tmp_path / "gold.src").write_text("a dog a .\nb c\n")
    (tmp_path / "gold.tgt").write_text("a cat !\nc b\n")
    gold = ("--gold", tmp_path / "gold.naacl", "--gold-source", tmp_path / "gold.src")
    _, out, _ = run(pairs, *gold, "--gold-target", tmp_path / "gold.tgt")
    assert "logistic-regression" in out
    with pytest.raises(CommandError, match="--gold-source and --gold-target together"):
        run(pairs, *gold)
    with pytest.raises(CommandError, match="'hmm' does not learn from gold links"):
        run(pairs, *gold, "--gold-target", tmp_path / "gold.tgt", "--aligner", "hmm")


def test_lines_must_have_one_tab(pairs):
    pairs.write_text("a\tb\na b c\n")
    with pytest.raises(CommandError, match=r"pairs.tsv, line 2: 1 columns instead of 2"):
        run(pairs)
    assert not pairs.with_name("links.pharaoh").exists()


def test_options_that_do_not_fit_are_named(pairs):
    with pytest.raises(CommandError, match="--train is for aligners that are trained: best, hmm, ibm1"):
        run(pairs, "--aligner", "identity", "--train", pairs)
    with pytest.raises(CommandError, match="best draws links in its own way"):
        run(pairs, "--symmetrise", "union")
    with pytest.raises(CommandError, match="must be one of arabic"):
        run(pairs, "--language", "klingon")
