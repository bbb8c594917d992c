import pytest
from hypothesis import given
from paragold.formats.links import jsonl, naacl

from paragold.formats.link_files import read_links
from paragold.metrics.links import Links, TokenPair
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora

TEXT = [TokenPair(("a", "b"), ("a", "b", "c")), TokenPair(("d",), ("d",))]


def test_positions_count_from_one_and_strength_defaults_to_sure():
    assert naacl.loads("0001 1 3 S\n0001 2 1 P\n2 1 1\n") == {
        1: Links.of([(0, 2)], [(1, 0)]),
        2: Links.of([(0, 0)]),
    }


def test_sentences_without_links_are_there_when_the_text_is_known():
    assert naacl.loads("0002 1 1 S\n", tokens=TEXT) == {1: Links.of(), 2: Links.of([(0, 0)])}


def test_link_under_both_strengths_is_sure():
    assert naacl.loads("1 1 1 P\n1 1 1 S\n") == {1: Links.of([(0, 0)])}


def test_blank_lines_and_carriage_returns_are_passed_over():
    assert naacl.loads("0001 1 1 S\r\n\r\n0001 2 2 P\r\n") == {1: Links.of([(0, 0)], [(1, 1)])}


def test_written_form():
    links = {12: Links.of([(0, 0)]), 3: Links.of([(4, 1), (2, 9)], [(0, 0)])}
    assert naacl.dumps(links) == "0003 3 10 S\n0003 5 2 S\n0003 1 1 P\n0012 1 1 S\n"


@given(corpora())
def test_round_trip(pairs):
    links = {number: pair.links for number, pair in enumerate(pairs, start=1)}
    tokens = [pair.tokens for pair in pairs]
    assert naacl.loads(naacl.dumps(links), tokens=tokens) == links
    assert naacl.loads(naacl.dumps(links)) == {n: drawn for n, drawn in links.items() if drawn.possible}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 1", "2 columns instead of 3 or 4"),
        ("1 1 1 S 0.9", "5 columns"),
        ("1 1 1 X", "strength 'X' is neither S nor P"),
        ("1 one 1 S", "'one' is not a token index"),
        ("1 -1 1 S", "'-1' is not a token index"),
        ("1 ² 1 S", "'²' is not a token index"),
        ("1 0 1 S", "count from 1"),
        ("1 3 1 S", "link 3-1 points outside its sentences, which have 2 and 3 tokens"),
        ("1 2 4 P", "link 2-4 points outside"),
        ("3 1 1 S", "sentence 3, but the text has 2 pairs"),
    ],
)
def test_bad_lines_are_refused_by_number(line, message):
    with pytest.raises(FileProblem) as caught:
        naacl.loads(f"1 1 1 S\n\n{line}\n", tokens=TEXT)
    assert str(caught.value).startswith("line 3: ")
    assert message in str(caught.value)
    assert caught.value.remedy


def test_sentence_number_under_one_is_not_written():
    with pytest.raises(ValueError, match="count from 1"):
        naacl.dumps({0: Links.of([(0, 0)])})


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["edinburghpp.train", "msr_rte2.dev"])
def test_real_files_agree_with_jsonl_and_are_written_back_byte_for_byte(alignment_data, name):
    pairs = read_links(alignment_data / f"{name}.jsonl")
    links = naacl.loads(
        (alignment_data / f"{name}.naacl").read_text(), tokens=[pair.tokens for pair in pairs]
    )
    assert list(links.values()) == [pair.links for pair in pairs]
    assert naacl.dumps(links).encode() == (alignment_data / f"{name}.naacl").read_bytes()
    assert jsonl.dumps(pairs).encode() == (alignment_data / f"{name}.jsonl").read_bytes()
