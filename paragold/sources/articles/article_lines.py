"""The articles of a JSONL file, one by one, whatever clusters it has them in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paragold import limits
from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import RawLine, prepared, raw_lines
from paragold.problems import FileProblem
from paragold.sources.article_fields import read_flag

from .given import GivenArticle, Place


class ArticleLines:
    """An article a line, or a cluster of them; those of a cluster keep its `cluster_id` and `tokenised`."""

    def __init__(self, path: Path, *, encoding: str = "utf-8") -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []
        self.share = 0.0
        self._path = path
        self._encoding = encoding

    def __iter__(self) -> Iterator[GivenArticle]:
        size = max(1, self._path.stat().st_size)
        try:
            with self._path.open("rb") as opened, prepared(opened, self._encoding) as (stream, encoding):
                for line in raw_lines(stream):
                    if len(self.problems) >= limits.PROBLEMS:
                        return
                    if not isinstance(line, RawLine):
                        self.problems.append(line[1].at(line[0]))
                        continue
                    self.share = min(1.0, line.offset / size)
                    try:
                        values = _articles(line.decode(encoding))
                    except FileProblem as refusal:
                        self.problems.append(refusal.at(line.number))
                        continue
                    for value in values:
                        yield GivenArticle(Place("", line.number), value)
        except FileProblem as refusal:
            self.problems.append(refusal.at())


def _articles(text: str) -> list[dict[str, Any]]:
    if not text.strip(" \t"):
        return []
    value = parse_object(text)
    if "articles" not in value:
        return [value]
    articles = value["articles"]
    if not isinstance(articles, list) or not all(isinstance(article, dict) for article in articles):
        raise FileProblem('"articles" must be a list of objects.', 'Write "articles": [{...}, ...].')
    tokenised = read_flag(value, "tokenised", False)
    shared = {"cluster_id": value["cluster_id"]} if "cluster_id" in value else {}
    return [shared | ({"tokenised": True} if tokenised else {}) | article for article in articles]
