"""Sentences and tokens of the development parts of Universal Dependencies, ten sentences in a row."""

import json

import pytest

from paragold.languages import language

GROUP = 10


def f_score(right, ours, theirs):
    return 200 * right / (ours + theirs)


def ends_of(texts):
    """Where sentences that are joined by a space end."""
    ends, place = set(), 0
    for text in texts:
        place += len(text)
        ends.add(place)
        place += 1
    return ends


def spans_of(text, tokens):
    spans, place = set(), 0
    for token in tokens:
        start = text.find(token, place)
        if start >= 0:
            place = start + len(token)
            spans.add((start, place))
    return spans


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("tag", "sentences", "tokens"),
    [("nl", 99.8, 99.8), ("de", 98.6, 99.8), ("fr", 98.1, 99.6), ("es", 98.2, 99.7)],
)
def test_ends_and_tokens_are_those_of_the_treebank(shared_data, tag, sentences, tokens):
    path = shared_data / "ud" / f"{tag}.dev.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    of_language = language(tag)
    ends, spans = [0, 0, 0], [0, 0, 0]
    for at in range(0, len(rows), GROUP):
        texts = [row["text"] for row in rows[at : at + GROUP]]
        joined = " ".join(texts)
        ours = {len(joined[:end].rstrip()) for _, end in of_language.sentences(joined)}
        gold = ends_of(texts)
        ends = [a + b for a, b in zip(ends, (len(ours & gold), len(ours), len(gold)), strict=True)]
    for row in rows:
        words, starts = of_language.tokens(row["text"])
        ours = {(start, start + len(word)) for word, start in zip(words, starts, strict=True)}
        gold = spans_of(row["text"], row["tokens"])
        spans = [a + b for a, b in zip(spans, (len(ours & gold), len(ours), len(gold)), strict=True)]
    assert f_score(*ends) >= sentences and f_score(*spans) >= tokens
