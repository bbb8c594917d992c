import pytest
from hypothesis import given
from paragold.formats.links import pharaoh

from paragold.metrics.links import Links, TokenPair
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora

TEXT = [TokenPair(("a", "b"), ("a", "b", "c")), TokenPair(("d",), ("d",))]


def test_sure_and_possible_links():
    assert pharaoh.loads("0-0 1?2\n\n") == [Links.of([(0, 0)], [(1, 2)]), Links.of()]


def test_last_line_may_lack_its_line_feed():
    assert pharaoh.loads("0-0\r\n1-1") == [Links.of([(0, 0)]), Links.of([(1, 1)])]


def test_link_of_both_strengths_is_sure():
    assert pharaoh.loads("0?0 0-0\n") == [Links.of([(0, 0)])]


def test_written_in_ascending_order():
    assert pharaoh.dumps([Links.of([(1, 0), (0, 2)], [(0, 1)]), Links.of()]) == "0?1 0-2 1-0\n\n"


@given(corpora())
def test_round_trip(pairs):
    links = [pair.links for pair in pairs]
    assert pharaoh.loads(pharaoh.dumps(links), tokens=[pair.tokens for pair in pairs]) == links


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0-0 1:1", "'1:1' is not a link"),
        ("0--1", "'0--1' is not a link"),
        ("0-0-0", "'0-0-0' is not a link"),
        ("٠-٠", "is not a link"),
        ("1-0", "link 1-0 points outside its sentences, which have 1 and 1 tokens"),
        ("0?1", "link 0-1 points outside"),
        ("0-9999999999", "'9999999999' is not a token index"),
    ],
)
def test_bad_lines_are_refused_by_number(line, message):
    with pytest.raises(FileProblem) as caught:
        pharaoh.loads(f"0-0\n{line}\n", tokens=TEXT)
    assert str(caught.value).startswith("line 2: ")
    assert message in str(caught.value)


def test_another_number_of_lines_than_the_text_is_refused():
    with pytest.raises(FileProblem, match="1 lines, but the text has 2 pairs"):
        pharaoh.loads("0-0\n", tokens=TEXT)
