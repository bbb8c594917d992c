import json
from collections import Counter

import pytest
from hypothesis import given
from paragold.formats.links import edinburgh

from paragold.formats.link_files import read_links
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora

GOOD = {"id": "1", "source": "a b", "target": "é  c", "sureAlign": "0-0 1-1", "possibleAlign": "1-0"}
PAIR = LinkedPair("1", TokenPair(("a", "b"), ("é", "c")), Links.of([(0, 0), (1, 1)], [(1, 0)]))


def loads(text):
    return edinburgh.loads(text, Counter())


def test_reads_an_array_of_objects():
    assert loads(json.dumps([{**GOOD, "name": "1", "score": "0.0"}])) == [PAIR]


def test_empty_array():
    assert loads(" [ ]\n") == []


def test_link_in_both_fields_is_sure_and_possible_may_be_missing():
    both = {**GOOD, "possibleAlign": "0-0 1-0"}
    assert loads(json.dumps([both])) == [PAIR]
    without = {key: value for key, value in GOOD.items() if key != "possibleAlign"}
    assert loads(json.dumps([without]))[0].links == Links.of([(0, 0), (1, 1)])


def test_other_white_space_stays_inside_a_token():
    pair = loads(json.dumps([{**GOOD, "source": "a 1\u00a01/2"}]))[0]
    assert pair.tokens.source == ("a", "1\u00a01/2")


def test_written_fields():
    assert json.loads(edinburgh.dumps([PAIR])) == [{**GOOD, "name": "1", "target": "é c"}]


@given(corpora())
def test_round_trip(pairs):
    assert loads(edinburgh.dumps(pairs)) == pairs


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "is not JSON"),
        ('{"id": 1}', 1, "is not a JSON array"),
        ("[\n{},\n{}]", 2, "id is missing or not a string"),
        (json.dumps([GOOD])[:-1], 1, "is not JSON"),
        ("[\n" + json.dumps(GOOD) + "\n" + json.dumps(GOOD) + "]", 3, "is not JSON"),
        ("[\n" + json.dumps(GOOD) + ",\n]", 3, "is not JSON"),
        ("[\n" + json.dumps(GOOD) + ',\n{"id": "2",\n"source": }]', 4, "is not JSON"),
        (json.dumps([GOOD]) + "\n[]", 2, "is not JSON"),
        ("[\n\n5]", 3, "an element is not an object"),
        (
            "[\n" + json.dumps(GOOD) + ",\n" + json.dumps(GOOD) + "]",
            3,
            "id '1' was used on line 2",
        ),
        (json.dumps([{**GOOD, "id": ""}]), 1, "id is empty"),
        (json.dumps([{**GOOD, "target": None}]), 1, "target is missing or not a string"),
        (json.dumps([{**GOOD, "possibleAlign": []}]), 1, "possibleAlign is not a string"),
        (json.dumps([{**GOOD, "sureAlign": "0-2"}]), 1, "link 0-2 points outside its sentences"),
        (json.dumps([{**GOOD, "sureAlign": "0:2"}]), 1, "'0:2' is not a link"),
        (json.dumps([{**GOOD, "sureAlign": "0?0"}]), 1, "sureAlign has a link with '?'"),
    ],
)
def test_bad_files_are_refused_by_line(text, line, message):
    with pytest.raises(FileProblem) as caught:
        loads(text)
    assert caught.value.line == line
    assert message in str(caught.value)


@pytest.mark.parametrize("token", ["", "a b", "a\tb", "a\nb", "a\r"])
def test_token_that_would_fall_apart_is_not_written(token):
    with pytest.raises(FileProblem, match="pair 7: token 1 is"):
        edinburgh.dumps([LinkedPair("7", TokenPair(("a", token), ()), Links.of())])


@pytest.mark.real_data
def test_unanimous_links_of_three_files_are_the_sure_ones_of_the_merged_set(alignment_data):
    annotators = [read_links(alignment_data / f"RTE2_dev_{letter}.align.json") for letter in "ABC"]
    merged = {pair.key: pair for pair in read_links(alignment_data / "msr_rte2.dev.jsonl")}
    assert len(merged) == 800
    for first, second, third in zip(*annotators, strict=True):
        assert merged[first.key].tokens == first.tokens == second.tokens == third.tokens
        assert merged[first.key].links.sure == first.links.sure & second.links.sure & third.links.sure
