"""Articles of uploads, read in a process of its own. That process imports this module: it knows no Django."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paragold.problems import FileProblem
from paragold.sources.article_sources import SourceOptions, open_source
from paragold.sources.articles import Place, RawArticle, Source
from projects.parsing.process import OverBounds, limited_source


class LimitedSource(Source):
    """The articles of a source; one that takes too much is a problem that names the article before it."""

    def __init__(self, path: Path, options: SourceOptions, filename: str) -> None:
        super().__init__()
        self._rows = limited_source(source_rows, path, options, filename)

    def __iter__(self) -> Iterator[RawArticle]:
        place: Place | None = None
        try:
            for row in self._rows:
                if "value" in row:
                    self.share, place = row["share"], Place(row["file"], row["line"])
                    yield place, row["value"]
                else:
                    self.problems += [FileProblem(**problem) for problem in row["problems"]]
                    self.notes += row["notes"]
        except OverBounds as problem:
            after = f" The last article that was read: {place}." if place else ""
            self.problems.append(
                OverBounds(problem.message + after, "Leave out what follows it, or split it.")
            )


def source_rows(path: Path, options: SourceOptions, filename: str) -> Iterator[dict[str, Any]]:
    """The articles of a source with their places, and at the end its problems and notes."""
    source = open_source(path, options, filename)
    for (file, line), value in source:
        yield {"value": value, "file": file, "line": line, "share": source.share}
    yield {"problems": [problem.as_json() for problem in source.problems], "notes": source.notes}
