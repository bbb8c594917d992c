import json

import pytest
from hypothesis import given
from paragold.formats.links import jsonl

from paragold.formats.link_files import read_links, write_links
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem
from tests.paragold.strategies import corpora

GOOD = {"id": "1", "source": ["a", "b"], "target": ["é"], "sure": [[0, 0]], "possible_only": [[1, 0]]}
PAIR = LinkedPair("1", TokenPair(("a", "b"), ("é",)), Links.of([(0, 0)], [(1, 0)]))


def test_one_object_a_line():
    assert jsonl.loads(json.dumps(GOOD) + "\r\n\n" + json.dumps({**GOOD, "id": "2"})) == [
        PAIR,
        LinkedPair("2", PAIR.tokens, PAIR.links),
    ]


def test_written_form():
    assert jsonl.dumps([PAIR]) == (
        '{"id": "1", "source": ["a", "b"], "target": ["é"], "sure": [[0, 0]], "possible_only": [[1, 0]]}\n'
    )


@given(corpora())
def test_round_trip(pairs):
    assert jsonl.loads(jsonl.dumps(pairs)) == pairs


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"id": "1"', "is not valid JSON"),
        ("[]", "not an object"),
        (json.dumps({"id": "1", "source": []}), "target is missing"),
        (json.dumps({**GOOD, "id": 5}), "id is not a string"),
        (json.dumps({**GOOD, "id": "0"}), "id '0' was used on line 1"),
        (json.dumps({**GOOD, "source": "a b"}), "source is not a list"),
        (json.dumps({**GOOD, "target": [""]}), "target 1 is not a string that is not empty"),
        (json.dumps({**GOOD, "sure": [[0]]}), "sure 1 2 is not two whole numbers, [i, j]"),
        (json.dumps({**GOOD, "sure": [[0, True]]}), "sure 1 2 is not a whole number"),
        (json.dumps({**GOOD, "sure": [[0, -1]]}), "sure 1 2 is not a whole number, 0 or above"),
        (json.dumps({**GOOD, "sure": [[0, 0, 0]]}), "sure 1 is not two whole numbers, [i, j]"),
        (json.dumps({**GOOD, "possible_only": {}}), "possible_only is not a list"),
        (json.dumps({**GOOD, "possible_only": [[0, 0]]}), "link [0, 0] is in sure and in possible_only"),
        (json.dumps({**GOOD, "sure": [[2, 0]]}), "link 2-0 points outside its sentences"),
        ("[" * 100_000, "nested more than"),
    ],
)
def test_bad_lines_are_refused_by_number(content, message):
    with pytest.raises(FileProblem) as caught:
        jsonl.loads(json.dumps({**GOOD, "id": "0"}) + "\n" + content + "\n")
    assert str(caught.value).startswith("line 2")
    assert message in str(caught.value)


def test_files(tmp_path):
    write_links(tmp_path / "links.jsonl", [PAIR], "jsonl")
    assert read_links(tmp_path / "links.jsonl") == [PAIR]


def test_half_a_surrogate_pair_is_refused_with_its_line(tmp_path):
    broken = LinkedPair("2", TokenPair(("\ud800",), ()), Links.of())
    with pytest.raises(FileProblem, match=r"line 2: U\+D800 is half of a surrogate pair"):
        write_links(tmp_path / "links.jsonl", [PAIR, broken], "jsonl")
    assert not (tmp_path / "links.jsonl").exists()
