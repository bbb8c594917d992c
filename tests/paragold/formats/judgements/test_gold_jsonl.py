import json
from copy import deepcopy

import pytest
from hypothesis import given, strategies as st

from paragold.formats import gold_jsonl
from paragold.formats.gold_jsonl import Adjudication, GoldJudgement, GoldPair, GoldSentence
from paragold.problems import FileProblem

PAIR = GoldPair(
    "17",
    "storm",
    "not_paraphrase",
    GoldSentence("gazette-1", 0, "Two\nlines 😀.", ("Two", "lines", "😀", "."), (0, 4, 10, 11)),
    GoldSentence("courier-4", 3, "One line.", ("One", "line", "."), (0, 4, 8)),
    (
        GoldJudgement(
            "annotator-1", "paraphrase", "2026-01-02T03:04:05+00:00", "", flagged=False, skipped=False
        ),
        GoldJudgement("annotator-2", None, "2026-01-02T03:05:05+00:00", "unsure", flagged=True, skipped=True),
    ),
    Adjudication("adjudicator-1", "not_paraphrase", "2026-01-03T00:00:00+00:00", "a clause is missing"),
)
RECORD = json.loads(gold_jsonl.dumps([PAIR]))

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
FILLED = TEXTS.filter(bool)


@st.composite
def sentences(draw):
    text = draw(TEXTS)
    starts = [n for n, character in enumerate(text) if not character.isspace()]
    return GoldSentence(
        draw(TEXTS), draw(st.integers(0, 99)), text, tuple(text[n] for n in starts), tuple(starts)
    )


PAIRS = st.lists(
    st.builds(
        GoldPair,
        FILLED,
        TEXTS,
        FILLED,
        sentences(),
        sentences(),
        st.lists(
            st.builds(GoldJudgement, FILLED, st.none() | FILLED, FILLED, TEXTS, st.booleans(), st.booleans()),
            max_size=3,
        ).map(tuple),
        st.none() | st.builds(Adjudication, FILLED, FILLED, FILLED, TEXTS),
    ),
    max_size=3,
    unique_by=lambda pair: pair.key,
)


def test_written_forms():
    assert list(RECORD) == ["id", "cluster", "label", "a", "b", "judgements", "adjudication"]
    assert RECORD["a"] == {
        "article": "gazette-1",
        "sentence": 0,
        "text": "Two\nlines 😀.",
        "tokens": ["Two", "lines", "😀", "."],
        "starts": [0, 4, 10, 11],
    }
    assert list(RECORD["judgements"][1].values()) == [
        *("annotator-2", None, "2026-01-02T03:05:05+00:00", "unsure", True, True)
    ]
    assert RECORD["adjudication"]["comment"] == "a clause is missing"
    assert gold_jsonl.dumps([PAIR]).count("\n") == 1
    clusters = {"dam": [["a", "c"], ["b", "d", "e"]], "zoë": []}
    assert gold_jsonl.subclusters_text(clusters.items()) == LINES
    assert gold_jsonl.subclusters_of(LINES) == clusters


@given(PAIRS)
def test_round_trip(pairs):
    lines = gold_jsonl.dumps(pairs).split("\n")[:-1]
    assert [gold_jsonl.gold_pair(json.loads(line)) for line in lines] == pairs


def changed(*path, value):
    record = deepcopy(RECORD)
    place = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(record)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "the line: id is missing"),
        (changed("a", "sentence", value=True), "the line, a: sentence should be a valid integer"),
        (changed("b", "starts", value=[0, 4]), "tokens and starts are not equally many"),
        (changed("b", "starts", value=[0, 4, 9]), "token '.' is not at character 9"),
        (changed("judgements", 1, "flagged", value=""), "judgements 2: flagged should be a valid boolean"),
    ],
)
def test_bad_lines_are_refused(content, message):
    with pytest.raises(FileProblem) as caught:
        gold_jsonl.gold_pair(json.loads(content))
    assert message in str(caught.value)


LINES = (
    '{"cluster_id": "dam", "subclusters": [["a", "c"], ["b", "d", "e"]]}\n'
    '{"cluster_id": "zoë", "subclusters": []}\n'
)
