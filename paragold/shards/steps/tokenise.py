"""The step `tokenise`: articles of any accepted form, checked and with their sentences as tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa

from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import RawLine
from paragold.problems import FileProblem
from paragold.shards.inputs import lines_before, read_lines
from paragold.shards.plan import Plan, reads_of
from paragold.shards.steps.step import Asked, MapStep
from paragold.sources.article_fields import read_article
from paragold.sources.articles_jsonl import articles_of
from paragold.spec import Spec

_LINES_AT_ONCE = 256
_ARTICLE = [
    *((name, pa.string()) for name in ("id", "source", "url", "published", "title")),
    ("tokenised", pa.bool_()),
    ("sentences", pa.list_(pa.string())),
]
ARTICLES = pa.schema([("cluster_id", pa.string()), *_ARTICLE, ("articles", pa.list_(pa.struct(_ARTICLE)))])
"""A row for each line of the inputs: an article, or a cluster with its `articles`."""


class TokeniseSpec(Spec):
    """Tokenising has no parameters."""


class Tokenise(MapStep):
    """Articles with their sentences as tokens; what cannot be read is refused here."""

    id, label = "tokenise", "read articles and tokenise them"
    reads = gives = "articles"
    parameters = TokeniseSpec
    stages = {"map": "tokenise articles"}

    def plan(self, asked: Asked) -> Plan:
        return replace(super().plan(asked), reads=reads_of(asked.inputs))

    def tables(self, plan: Plan, number: int) -> Iterator[tuple[Any, dict[str, int]]]:
        which, begin, end = plan.reads[number]
        source, problems = plan.inputs[which], list[FileProblem]()
        rows: list[dict[str, Any]] = []
        written = False
        for line in read_lines(source, begin, end):
            if not line.data.strip(b" \t"):
                continue
            try:
                rows.append(_row(line))
            except FileProblem as problem:
                problems.append(problem.at(line.number + lines_before(source, begin), file=source.path))
            if len(rows) == _LINES_AT_ONCE and not problems:
                yield _table(rows)
                rows, written = [], True
        if problems:
            raise FileProblem.of(problems)
        if rows or not written:
            yield _table(rows)


def _row(line: RawLine) -> dict[str, Any]:
    value = parse_object(line.decode("utf-8"))
    articles = [_article(one) for one in articles_of(value)]
    cluster = {"cluster_id": value.get("cluster_id")}
    return cluster | ({"articles": articles} if "articles" in value else articles[0])


def _article(value: dict[str, Any]) -> dict[str, Any]:
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
