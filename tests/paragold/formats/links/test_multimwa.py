from collections import Counter

import pytest
from hypothesis import given
from paragold.formats.links import multimwa

from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora

LINE = "17\tThe dog\tx\tthe  hound\tx\tx\tx\t0-0\t1-1 0-0\tmore\n"


def loads(text):
    return multimwa.loads(text, Counter())


def test_columns_that_are_read():
    pair = LinkedPair("17", TokenPair(("The", "dog"), ("the", "hound")), Links.of([(0, 0)], [(1, 1)]))
    assert loads(f"{LINE}\n") == [pair]
    assert multimwa.dumps([pair]) == "17\tThe dog\t\tthe hound\t\t\t\t0-0\t1-1\n"


@given(corpora())
def test_round_trip(pairs):
    assert loads(multimwa.dumps(pairs)) == pairs


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("18\ta\t\tb\t\t\t\t0-0", "8 columns instead of 9"),
        ("18\ta\t\tb\t\t\t\t0-1\t", "link 0-1 points outside its sentences, which have 1 and 1"),
        ("18\ta\t\tb\t\t\t\t0?0\t", "the column of sure links has a link with '?'"),
        ("18\ta\t\tb\t\t\t\t\t0:0", "'0:0' is not a link"),
        ("17\ta\t\tb\t\t\t\t\t", "id '17' was used on line 1"),
        ("\ta\t\tb\t\t\t\t\t", "id is empty"),
    ],
)
def test_bad_lines_are_refused_by_number(line, message):
    with pytest.raises(FileProblem) as caught:
        loads(f"{LINE}{line}\n")
    assert str(caught.value).startswith("line 2: ")
    assert message in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(("key", "token"), [("a\tb", "x"), ("1", "two words"), ("1", "")])
def test_what_the_format_cannot_hold_is_not_written(key, token):
    with pytest.raises(FileProblem, match=r"JSONL"):
        multimwa.dumps([LinkedPair(key, TokenPair((token,), ("y",)), Links.of())])
