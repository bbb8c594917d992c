"""Articles as CSV or TSV, a row each, with a header; which column is what is chosen by the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from paragold.formats.columns import Columns, named
from paragold.formats.tables import TableRows
from paragold.problems import FileProblem
from paragold.sources.records import Place, RawArticle, Source

FIELDS = ("cluster_id", "id", "text", "title", "source", "url", "published")
NEEDED = ("cluster_id", "text")
# The fields that a stream needs that is clustered by event.
NEEDED_OF_A_STREAM = ("id", "text", "published")
COLUMNS = Columns(
    {
        "cluster_id": ("cluster_id", "cluster", "event_id", "event", "story_id", "story", "topic", "group"),
        "id": ("id", "article_id", "doc_id", "document_id", "key"),
        "text": ("text", "body", "content", "article", "story_text", "fulltext", "full_text"),
        "title": ("title", "headline"),
        "source": ("source", "outlet", "publisher", "newspaper", "site", "feed"),
        "url": ("url", "link", "address"),
        "published": ("published", "date", "published_at", "publish_date", "timestamp", "time"),
    }
)


def usual_mapping(columns: tuple[str, ...]) -> dict[str, str]:
    """Field -> column, for the fields whose column has one of the usual names."""
    return COLUMNS.mapping(columns)


class ArticleTable(Source):
    """The articles of a table; those of FIELDS that are `needed` must have a column.

    `mapping` gives fields the columns that people choose, "" for none; the others are found by usual names.
    Without `id` an article is called by the number of its row's line. Empty cells are as if not there.
    Raises FileProblem when the mapping names a column that is not there, or lacks what is needed.
    """

    def __init__(
        self,
        path: Path,
        mapping: Mapping[str, str],
        *,
        encoding: str = "utf-8",
        needed: tuple[str, ...] = NEEDED,
    ) -> None:
        super().__init__()
        self._rows = TableRows(path, self.problems, encoding=encoding)
        columns = self._rows.head.columns
        mapping = COLUMNS.mapping(columns, mapping)
        if missing := [field for field in needed if field not in mapping]:
            raise FileProblem(f"No column is chosen for {' and '.join(missing)}.", "Choose one.")
        self._fields = {field: columns.index(column) for field, column in mapping.items()}
        if unused := [column for column in columns if column not in mapping.values()]:
            self.notes.append(f"Columns that are not used: {named(unused)}.")

    @property
    def share(self) -> float:
        return self._rows.share

    def __iter__(self) -> Iterator[RawArticle]:
        for line, row in self._rows:
            value = {field: row[at] for field, at in self._fields.items() if row[at].strip()}
            value.setdefault("text", "")
            value.setdefault("id", f"row {line}")
            yield RawArticle(Place("", line), dict(value))
