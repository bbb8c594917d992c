"""Sentences and tokens of Universal Dependencies (development parts), beside other sentence splitters."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.measuring import DATA, Row, seconds
from paragold.languages import ENGLISH, Language, language

TREEBANKS = str(DATA / "ud")
TAGS = ("nl", "de", "fr", "es")
GROUP = 10  # sentences in a row

Split = Callable[[str], Iterable[str]]


def treebanks(*, folder: str = TREEBANKS, sentences: int = 10_000) -> list[Row]:
    """F of sentence ends and of tokens in four languages, beside the rules of English and other splitters.

    In percent; ten sentences are joined by spaces.
    """
    rows: list[Row] = []
    for tag in TAGS:
        lines = (Path(folder) / f"{tag}.dev.jsonl").read_text(encoding="utf-8").splitlines()[:sentences]
        given = [json.loads(line) for line in lines]
        texts = [row["text"] for row in given]
        for name, rules in (("paragold", language(tag)), ("English rules", ENGLISH)):
            scores = ends_score(_by_rules(rules), texts) | {"tokens_f": tokens_score(rules, given)}
            rows.append({"language": tag, "who": name} | scores)
        rows += [{"language": tag, "who": name} | ends_score(split, texts) for name, split in _peers(tag)]
    return rows


def ends_score(split: Split, texts: list[str]) -> Row:
    """F of sentence ends in percent; characters a second."""
    groups = [texts[at : at + GROUP] for at in range(0, len(texts), GROUP)]
    joined = [" ".join(group) for group in groups]
    parts: list[list[str]] = []
    spent = seconds(lambda: parts.extend(list(split(text)) for text in joined))
    right = ours = theirs = 0
    for text, group, split_parts in zip(joined, groups, parts, strict=True):
        gold, predicted = ends_of(text, group), ends_of(text, split_parts)
        right, ours, theirs = right + len(gold & predicted), ours + len(predicted), theirs + len(gold)
    return {
        "ends_f": round(200 * right / (ours + theirs), 2),
        "characters_per_s": round(sum(map(len, joined)) / spent),
    }


def ends_of(text: str, parts: Iterable[str]) -> set[int]:
    """Where sentences end in the text that they are parts of, white space aside."""
    ends, place = set(), 0
    for part in parts:
        start = text.find(part.strip(), place)
        if part.strip() and start >= 0:
            place = start + len(part.strip())
            ends.add(place)
    return ends


def tokens_score(rules: Language, given: list[Row]) -> float:
    """F of the tokens of sentences given with `text` and `tokens`, in percent."""
    right = ours = theirs = 0
    for row in given:
        words, starts = rules.tokens(row["text"])
        predicted = {(start, start + len(word)) for word, start in zip(words, starts, strict=True)}
        gold, place = set(), 0
        for token in row["tokens"]:
            start = row["text"].find(token, place)
            if start >= 0:
                place = start + len(token)
                gold.add((start, place))
        right, ours, theirs = right + len(gold & predicted), ours + len(predicted), theirs + len(gold)
    return round(200 * right / (ours + theirs), 2)


def _by_rules(rules: Language) -> Split:
    return lambda text: [text[start:end] for start, end in rules.sentences(text)]


def _peers(tag: str) -> list[tuple[str, Split]]:
    with warnings.catch_warnings():
        # pySBD has escapes that Python 3.11 warns of when it compiles them.
        warnings.simplefilter("ignore")
        import pysbd
    import sentencex
    from sentence_splitter import SentenceSplitter

    return [
        ("pySBD", pysbd.Segmenter(language=tag, clean=False).segment),
        ("sentencex", lambda text: sentencex.segment(tag, text)),
        ("sentence-splitter", SentenceSplitter(language=tag).split),
    ]
