"""What every source gives: articles as the objects of Articles JSONL, each with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from paragold.problems import FileProblem


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the file inside an archive or folder ("" for the given file) and the line in it
    (from 1; 0 for the whole of it)."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class GivenArticle:
    """An object with the keys of docs/formats/articles.md, cluster_id among them. It is not checked yet."""

    place: Place
    value: dict[str, Any]


class Source(Protocol):
    """Iterated over once; afterwards `problems` and `notes` say what could not be taken.

    `share` is how much of it is read, 0 to 1.
    """

    problems: list[FileProblem]
    notes: list[str]
    share: float

    def __iter__(self) -> Iterator[GivenArticle]: ...
