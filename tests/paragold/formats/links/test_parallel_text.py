import pytest
from hypothesis import given
from paragold.formats.links import parallel_text

from paragold.formats.link_files import read_links
from paragold.metrics.links import TokenPair
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora


def test_lines_with_equal_numbers_are_a_pair():
    assert parallel_text.loads("a b\n\nc\n", "d\r\ne  f\r\n\n") == [
        TokenPair(("a", "b"), ("d",)),
        TokenPair((), ("e", "f")),
        TokenPair(("c",), ()),
    ]


def test_only_a_line_feed_ends_a_line():
    text = "a\u2028b\u0085c\x0bd e\n"
    assert parallel_text.loads(text, text)[0].source == ("a\u2028b\u0085c\x0bd", "e")


@given(corpora())
def test_round_trip(pairs):
    tokens = [pair.tokens for pair in pairs]
    assert parallel_text.loads(*parallel_text.dumps(tokens)) == tokens


def test_unequal_numbers_of_lines_are_refused():
    with pytest.raises(FileProblem, match="the source has 2 lines and the target 1"):
        parallel_text.loads("a\nb\n", "a\n")


def test_token_that_would_fall_apart_is_not_written():
    with pytest.raises(FileProblem, match="line 2: token 0 is 'b c'"):
        parallel_text.dumps([TokenPair(("a",), ("a",)), TokenPair(("a",), ("b c",))])


def test_files(tmp_path):
    pairs = [TokenPair(("é", "b"), ("c",))]
    parallel_text.write(tmp_path / "a.src", tmp_path / "a.tgt", pairs)
    assert (tmp_path / "a.src").read_bytes() == "é b\n".encode()
    assert parallel_text.read(tmp_path / "a.src", tmp_path / "a.tgt") == pairs


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["edinburghpp.train", "msr_rte2.dev"])
def test_real_files_hold_the_tokens_of_the_jsonl(alignment_data, name):
    pairs = parallel_text.read(alignment_data / f"{name}.src", alignment_data / f"{name}.tgt")
    assert pairs == [pair.tokens for pair in read_links(alignment_data / f"{name}.jsonl")]
