"""Files of links scored, and links as SVG."""

import os
import threading
from hashlib import sha256
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragold.cli.score_links import as_json, score_files
from paragold.formats.link_files import texts_of_sides, write_links
from paragold.metrics.links import LinkedPair, Links, TokenPair, ladder_svg
from paragold.problems import FileProblem
from tests.paragold.strategies import linked_pairs

PAIRS = [
    LinkedPair(
        "1", TokenPair(("The", "dog", "barked"), ("the", "hound", "barked")), Links.of([(0, 0), (1, 1)])
    ),
    LinkedPair("2", TokenPair(("yes",), ("yes", "sir")), Links.of((), [(0, 0)])),
]


@pytest.fixture
def folder(tmp_path):
    for name, text in zip(("src", "tgt"), texts_of_sides(pair.tokens for pair in PAIRS), strict=True):
        (tmp_path / f"text.{name}").write_text(text)
    write_links(tmp_path / "gold.naacl", PAIRS, "naacl")
    write_links(tmp_path / "gold.jsonl", PAIRS, "jsonl")
    (tmp_path / "links.pharaoh").write_text("0-0 2-2 1?0\n\n", encoding="utf-8")
    return tmp_path


def test_scores_by_hand_in_percent(folder):
    # Drawn: The-the (sure), barked-barked (not in gold), dog-the (not in gold); nothing in pair 2.
    result = as_json(score_files(folder / "gold.jsonl", links=folder / "links.pharaoh", seed=1))
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


def test_signature_names_both_files_with_their_content(folder):
    before = score_files(folder / "gold.jsonl", links=folder / "links.pharaoh", seed=1).signature
    assert "|gold:gold.jsonl@sha256:" in before
    assert "|links:links.pharaoh@sha256:" in before
    (folder / "links.pharaoh").write_text("0-0\n0-0\n", encoding="utf-8")
    assert score_files(folder / "gold.jsonl", links=folder / "links.pharaoh", seed=1).signature != before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either a file of links or the name of an aligner"),
        ({"aligner": "giza9"}, "no aligner 'giza9'"),
        ({"aligner": "identity", "source": "text.src"}, "source and target together"),
        ({"aligner": "identity", "gold": "gold.naacl"}, "The format naacl contains no text"),
        ({"aligner": "identity", "gold": "text.src"}, "Choose one of pharaoh, pharaoh_1, naacl, jsonl"),
        ({"aligner": "identity", "gold": "absent.jsonl"}, "It cannot be read (No such file or directory)"),
        ({"links": "three.pharaoh"}, "3 lines, but the text has 2 pairs"),
        (
            {"aligner": "identity", "source": "text.tgt", "target": "text.src"},
            "the tokens of pair 1 (id 1) differ from the text",
        ),
        ({"links": "one.jsonl"}, "1 pairs, but the text has 2"),
    ],
)
def test_what_does_not_fit_is_refused(folder, options, message):
    (folder / "three.pharaoh").write_text("\n\n\n", encoding="utf-8")
    write_links(folder / "one.jsonl", PAIRS[:1], "jsonl")
    paths = {
        name: value if name == "aligner" else folder / value
        for name, value in {"gold": "gold.jsonl", **options}.items()
    }
    with pytest.raises(ValueError) as caught:
        score_files(**paths, seed=1)
    assert message in str(caught.value)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "pairs", "low", "high"),
    [("edinburghpp.train", 714, 0.17, 0.19), ("msr_rte2.dev", 800, 0.13, 0.155)],
)
def test_identity_baseline_on_public_gold(alignment_data, name, pairs, low, high):
    text = {"source": alignment_data / f"{name}.src", "target": alignment_data / f"{name}.tgt"}
    table = score_files(alignment_data / f"{name}.naacl", **text, aligner="identity", seed=1).table
    assert table["all"].pairs == pairs
    assert low < table["all"].aer < high
    assert table["all"].aer_interval[0] < table["all"].aer < table["all"].aer_interval[1]
    # Of words that differ the baseline links only quotes and dashes of another style, which are few.
    assert table["non_identical"].precision in (None, 1.0)
    assert table["non_identical"].recall < 0.001
    assert table["non_identical"].aer > 0.999
    assert score_files(alignment_data / f"{name}.jsonl", aligner="identity", seed=1).table == table


def test_a_signature_hashes_what_was_read_of_a_pipe(folder):
    plain = score_files(folder / "gold.jsonl", links=folder / "links.pharaoh", seed=1).signature
    (folder / "pipes").mkdir()
    pipes = [folder / "pipes" / name for name in ("gold.jsonl", "links.pharaoh")]
    for pipe in pipes:
        os.mkfifo(pipe)
        content = (folder / pipe.name).read_bytes()
        threading.Thread(target=pipe.write_bytes, args=[content], daemon=True).start()
    piped = score_files(pipes[0], links=pipes[1], seed=1).signature
    assert piped == plain and sha256(b"").hexdigest()[:12] not in piped
    # A problem in a pipe names the pipe.
    threading.Thread(target=pipes[0].write_text, args=['{"key": \n'], daemon=True).start()
    with pytest.raises(FileProblem) as problem:
        score_files(pipes[0], aligner="identity", seed=1)
    assert str(problem.value).startswith(f"{pipes[0]}, line 1")


SVG = "{http://www.w3.org/2000/svg}"
# XML has no control characters; files of links have none in words either.
WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1)


@given(linked_pairs(words=WORDS))
def test_every_word_and_link_is_there_inside_the_picture(pair):
    root = ElementTree.fromstring(pair._repr_html_())
    words = root.findall(f"{SVG}text")
    assert [len(pair.tokens.source), len(pair.tokens.target)] == [
        sum(word.get("text-anchor") == end for word in words) for end in ("end", "start")
    ]
    curves = root.findall(f"{SVG}path")
    dashed = [curve for curve in curves if curve.get("stroke-dasharray")]
    assert (len(curves), len(dashed)) == (len(pair.links.possible), len(pair.links.possible_only))
    assert all(0 < float(word.get("y", 0)) < float(root.get("height", 0)) for word in words)


def test_words_are_text_and_not_markup():
    nasty = '<script>alert("1")</script>'
    html = ladder_svg([nasty], ["&amp;"], [(0, 0)])
    assert "<script" not in html
    root = ElementTree.fromstring(html)
    assert [word.text for word in root.findall(f"{SVG}text")] == [nasty, "&amp;"]


def test_long_words_are_cut_and_wide_ones_have_room():
    def width(word):
        return float(ElementTree.fromstring(ladder_svg([word], ["b"], [])).get("width", 0))

    assert width("x" * 500) == width("x" * 50) > width("x" * 20)
    assert width("堤防決壊") == width("x" * 8)


def test_a_link_outside_is_refused():
    with pytest.raises(IndexError):
        ladder_svg(["a"], ["b"], [(0, 1)])
