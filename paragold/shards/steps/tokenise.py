"""The step `tokenise`: articles of any accepted form, checked and with their sentences as tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pyarrow as pa

from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import RawLine
from paragold.problems import FileProblem
from paragold.shards.inputs import lines_before, read_lines
from paragold.shards.plan import Plan
from paragold.shards.steps.step import MapStep, batched
from paragold.sources.article_fields import read_article
from paragold.sources.articles_jsonl import articles_of
from paragold.sources.records import ArticleRecord

T = TypeVar("T")

_LINES_AT_ONCE = 256
_ARTICLE = [
    *((name, pa.string()) for name in ("id", "source", "url", "published", "title")),
    ("tokenised", pa.bool_()),
    ("sentences", pa.list_(pa.string())),
]
ARTICLES = pa.schema([("cluster_id", pa.string()), *_ARTICLE, ("articles", pa.list_(pa.struct(_ARTICLE)))])
"""A row for each line of the inputs: an article, or a cluster with its `articles`."""


class Tokenise(MapStep):
    """Articles with their sentences as tokens; what cannot be read is refused here."""

    id, label = "tokenise", "read articles and tokenise them"
    reads = gives = "articles"

    def tables(self, plan: Plan, number: int) -> Iterator[tuple[Any, dict[str, int]]]:
        return map(_table, batched(parsed_lines(plan, number, _row), _LINES_AT_ONCE))


def parsed_lines(plan: Plan, number: int, parse: Callable[[RawLine], T]) -> Iterator[T]:
    """What `parse` makes of each line of a part up to the first problem.

    Raises FileProblem at the end of the part, with all problems of its lines.
    """
    which, begin, end = plan.reads[number]
    source, problems = plan.inputs[which], list[FileProblem]()
    for line in read_lines(source, begin, end):
        if not line.data.strip(b" \t"):
            continue
        try:
            parsed = parse(line)
        except FileProblem as problem:
            problems.append(problem.at(line.number + lines_before(source, begin), file=source.path))
            continue
        if not problems:
            yield parsed
    if problems:
        raise FileProblem.of(problems)


def articles_in(plan: Plan, number: int) -> Iterator[tuple[str, ArticleRecord]]:
    """The articles of a part, each with the id of its cluster ("" without one). Raises FileProblem."""

    def parse(line: RawLine) -> list[tuple[str, ArticleRecord]]:
        return [
            (str(one.get("cluster_id") or ""), read_article(one, line=line.number, tokenised=False))
            for one in articles_of(parse_object(line.decode("utf-8")))
        ]

    for articles in parsed_lines(plan, number, parse):
        yield from articles


def _row(line: RawLine) -> dict[str, Any]:
    value = parse_object(line.decode("utf-8"))
    articles = [tokenised(one) for one in articles_of(value)]
    cluster = {"cluster_id": value.get("cluster_id")}
    return cluster | ({"articles": articles} if "articles" in value else articles[0])


def tokenised(value: dict[str, Any]) -> dict[str, Any]:
    """An article with its sentences as tokens. Raises FileProblem."""
    record = read_article(value, line=0, tokenised=False)
    fields = {name: getattr(record, name) or None for name in ("source", "url", "published", "title")}
    sentences = [" ".join(sentence.tokens) for sentence in record.sentences]
    return {"id": record.key, **fields, "tokenised": True, "sentences": sentences}


def _table(rows: list[dict[str, Any]]) -> tuple[Any, dict[str, int]]:
    articles = [article for row in rows for article in (row.get("articles") or [row])]
    counts = {
        "lines": len(rows),
        "articles": len(articles),
        "sentences": sum(len(article["sentences"]) for article in articles),
    }
    return pa.Table.from_pylist(rows, schema=ARTICLES), counts
