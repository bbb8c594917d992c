"""The results of importers: raw articles with their places, checked records of clusters and articles."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from paragold import limits
from paragold.problems import FileProblem
from paragold.text.tokenisation import token_starts


@dataclass(frozen=True, slots=True)
class SentenceRecord:
    """A sentence with its tokens.

    Tokens hold no white space. `paragraph` is the index, from 0, of the paragraph in the article (0 where
    that is unknown).
    """

    text: str
    tokens: tuple[str, ...]
    paragraph: int

    @property
    def starts(self) -> tuple[int, ...]:
        """``text[starts[i]:starts[i] + len(tokens[i])] == tokens[i]``, in code points."""
        return tuple(token_starts(self.text, self.tokens))


@dataclass(frozen=True, slots=True)
class ArticleRecord:
    """An article. `published` is an ISO 8601 date or date-time, or empty; `line` counts from 1.

    `empty_sentences` and `empty_paragraphs` are how many without a token were left out of it.
    """

    key: str
    source: str
    url: str
    published: str
    title: str
    sentences: tuple[SentenceRecord, ...]
    line: int
    empty_sentences: int = 0
    empty_paragraphs: int = 0

    @property
    def content_sha256(self) -> str:
        """The hash by which exact duplicates are known: the sentences' texts, in order."""
        return hashlib.sha256("\n\n".join(sentence.text for sentence in self.sentences).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ClusterRecord:
    """Articles on one event; no two have the same key or the same sentences. `line` is that of the first."""

    key: str
    articles: tuple[ArticleRecord, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Place:
    """The file inside an archive or folder ("" for the file itself) and the line in it (from 1; 0: all)."""

    file: str
    line: int

    def __str__(self) -> str:
        return self.file or f"Line {self.line}"


@dataclass(frozen=True, slots=True)
class RawArticle:
    """An object with the keys of docs/formats/articles.md, cluster_id among them. It is not checked yet."""

    place: Place
    value: dict[str, Any]


class Source(ABC):
    """Raw articles of a file or folder. Iterated over once; then `problems` and `notes` are complete."""

    def __init__(self) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []

    @property
    @abstractmethod
    def share(self) -> float:
        """The share that is read, 0 to 1."""

    @abstractmethod
    def __iter__(self) -> Iterator[RawArticle]: ...


class LimitedNotes:
    """Notes of one kind: the first `limits.NOTES_OF_A_KIND`, and at the end how many more there are.

    Parameters
    ----------
    notes : list of str
        Where they go.
    more : str
        The note on further ones, with their number as `{}`.
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
