"""What every importer gives: clusters of articles and their sentences."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SentenceRecord:
    """A sentence with its tokens.

    ``text[starts[i]:starts[i] + len(tokens[i])] == tokens[i]`` with starts in code points; tokens hold no
    white space. `paragraph` is the index, from 0, of the paragraph in the article (0 where that is unknown).
    """

    text: str
    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    paragraph: int


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
