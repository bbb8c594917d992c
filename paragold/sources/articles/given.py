"""What every source gives: articles as the objects of Articles JSONL, each with its place in the file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from paragold import limits
from paragold.problems import FileProblem


@dataclass(frozen=True, slots=True)
class Place:
    """The file inside an archive or folder ("" for the given file) and the line in it (from 1; 0: all)."""

    file: str
    line: int

    def __str__(self) -> str:
        return self.file or f"Line {self.line}"


@dataclass(frozen=True, slots=True)
class GivenArticle:
    """An object with the keys of docs/formats/articles.md, cluster_id among them. It is not checked yet."""

    place: Place
    value: dict[str, Any]


class Source(ABC):
    """Iterated over once; afterwards `problems` and `notes` say what could not be taken."""

    def __init__(self) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []

    @property
    @abstractmethod
    def share(self) -> float:
        """How much of it is read, 0 to 1."""

    @abstractmethod
    def __iter__(self) -> Iterator[GivenArticle]: ...


class LimitedNotes:
    """Notes of one kind, of which only so many are given, and at the end how many more there are.

    Parameters
    ----------
    notes : list of str
        Where they go.
    more : str
        The note on those beyond `limits.NOTES_OF_A_KIND`, with their number as `{}`.
    """

    def __init__(self, notes: list[str], more: str) -> None:
        self.count = 0
        self._notes = notes
        self._more = more

    def add(self, note: str) -> None:
        self.count += 1
        if self.count <= limits.NOTES_OF_A_KIND:
            self._notes.append(note)

    def sum_up(self) -> None:
        if self.count > limits.NOTES_OF_A_KIND:
            self._notes.append(self._more.format(f"{self.count - limits.NOTES_OF_A_KIND:,}"))
