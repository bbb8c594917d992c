"""Other sources as Articles JSONL in a file of our own, so that one reader checks them all."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from paragold.problems import FileProblem
from paragold.sources.articles_jsonl import read_clusters
from paragold.sources.records import ClusterRecord

from .given import Place, Source

# The share of the work that finding the articles is.
FINDING = 0.9


class ConvertedReader:
    """Reads a source as `read_clusters` reads a file: clusters by iterating, then problems, counts and notes.

    The articles are written to `copy` (UTF-8, one a line) first; problems and notes are told with the place
    in the source. Nothing is given when the source itself has problems. `share` is how much is done, 0 to 1;
    `progress` is told it for each article while the copy is written, and may raise to stop.
    """

    def __init__(self, source: Source, copy: Path, progress: Callable[[float], None]) -> None:
        self._source = source
        self._progress = progress
        self._copy = copy
        self._files: list[str] = [""]
        # For each line of the copy the index of its file and the line in it.
        self._places = array("q")
        self._lines = 0
        self._reader = read_clusters(copy, told_line=self._told)

    def __iter__(self) -> Iterator[ClusterRecord]:
        with self._copy.open("w", encoding="utf-8", newline="\n") as copy:
            self._write(copy)
        if self._source.problems or not self._places:
            return
        yield from self._reader

    def _write(self, copy: TextIO) -> None:
        for given in self._source:
            if given.place.file != self._files[-1]:
                self._files.append(given.place.file)
            place = (len(self._files) - 1, given.place.line)
            # A line of the source may hold a cluster of several articles.
            self._lines += place != tuple(self._places[-2:])
            self._places.extend(place)
            # Lone surrogates, which no text of ours may hold, stay escaped, and are refused by the reader.
            copy.write(json.dumps(given.value, ensure_ascii=True) + "\n")
            self._progress(self.share)

    @property
    def share(self) -> float:
        """Finding the articles takes most of the time, above all those in pages."""
        return FINDING * self._source.share + (1 - FINDING) * self._reader.share

    @property
    def problems(self) -> list[FileProblem]:
        """Why it was refused, at most as many as the reader tells."""
        if self._source.problems:
            return list(self._source.problems)
        if not self._places:
            return [
                FileProblem("There is no article in it.", "See docs/formats/articles.md for what is read.")
            ]
        return [self.located(problem) for problem in self._reader.problems]

    @property
    def counts(self) -> dict[str, int]:
        counts = dict(self._reader.counts)
        counts["lines"] = self._lines
        return counts

    @property
    def notes(self) -> list[str]:
        return [*self._source.notes, *self._reader.notes]

    def place(self, line: int) -> Place:
        """Where the article on a line of the copy stands in the source."""
        at = 2 * (line - 1)
        return Place(self._files[self._places[at]], self._places[at + 1])

    def _told(self, line: int) -> str:
        place = self.place(line)
        return place.file or f"Line {place.line}"

    def located(self, problem: FileProblem) -> FileProblem:
        """A problem on a line of the copy, told with its place in the source."""
        if not 0 < problem.line <= len(self._places) // 2:
            return problem
        place = self.place(problem.line)
        return replace(problem, file=place.file, line=place.line, column=None)
