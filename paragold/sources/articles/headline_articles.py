"""Headlines in clusters as articles: the title is the first sentence, the snippet's sentences follow."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from paragold import limits
from paragold.extraction.records import words_only
from paragold.formats.text_files import decoded_lines, marked_encoding
from paragold.problems import FileProblem
from paragold.sources.article_fields import CONTENT_KEYS
from paragold.sources.headlines import Headline, headline_rows
from paragold.text.segmentation import sentences_of_paragraph, split_paragraphs
from paragold.text.tokenisation import tokenise

from .given import GivenArticle, Place
from .table import usual_mapping

_NEEDED = frozenset(("ID", "TITLE", "STORY"))


class HeadlineArticles:
    """The headlines of UCI CSV or of title + snippet JSONL (`paragold.sources.headlines`), each an article.

    Its sentences are the title, whole, and those of the snippet. Headlines that differ from an earlier one of
    their cluster in punctuation, case or the snippet only are taken, and counted in the notes.
    """

    def __init__(self, path: Path, *, encoding: str = "utf-8") -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []
        self.share = 0.0
        self._path = path
        self._encoding = encoding

    def __iter__(self) -> Iterator[GivenArticle]:
        near_equal = 0
        # Hashes of what was seen: a cluster with its title's words, and with title and snippet as printed.
        by_words: set[int] = set()
        as_printed: set[int] = set()
        empty: list[int] = []
        for cluster, headline in headline_rows(self._lines(), self.problems, empty):
            words = hash((cluster, words_only([token.lower() for token in tokenise(headline.title)[0]])))
            printed = hash((cluster, headline.title, headline.snippet))
            near_equal += words in by_words and printed not in as_printed
            by_words.add(words)
            as_printed.add(printed)
            yield GivenArticle(Place("", headline.line), _article(cluster, headline))
        self.notes += [
            f"Line {line}: the cluster has no headlines and was left out."
            for line in empty[: limits.NOTES_OF_A_KIND]
        ]
        if len(empty) > limits.NOTES_OF_A_KIND:
            more = len(empty) - limits.NOTES_OF_A_KIND
            self.notes.append(f"{more:,} more clusters have no headlines and were left out.")
        if near_equal:
            self.notes.append(
                f"{near_equal:,} headlines have the words of an earlier one of their cluster, in order; "
                "no extraction pairs the two."
            )

    def _lines(self) -> Iterator[tuple[int, str]]:
        size, read = max(1, self._path.stat().st_size), 0
        for number, text in decoded_lines(self._path, self._encoding, self.problems):
            if len(self.problems) >= limits.PROBLEMS:
                return
            read += len(text)
            self.share = min(1.0, read / size)
            yield number, text


def holds_headlines(path: Path, *, table: bool) -> bool:
    """Whether the first line of a file is that of a file of headlines, and not that of articles."""
    with path.open("rb") as file:
        # Enough to tell, whatever the encoding: the names of columns and keys are ASCII.
        begin = file.readline(limits.CLUSTER_BYTES)
        if encoding := marked_encoding(begin).removeprefix("utf-8"):
            begin += file.read(limits.CLUSTER_BYTES - len(begin))
            begin = begin.decode(encoding, "ignore").partition("\n")[0].encode("latin-1", "replace")
        start = begin.decode("latin-1").removeprefix("\xef\xbb\xbf").strip()
    # Lines may end with CR alone.
    line = start.partition("\r")[0]
    if table:
        try:
            columns = next(csv.reader([line]), [])
        except csv.Error:
            return False
        has_text = "text" in usual_mapping(tuple(columns))
        return {name.strip().upper() for name in columns} >= _NEEDED and not has_text
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(row, dict):
        return False
    if isinstance(row.get("headlines"), list):
        return True
    articles = row.get("articles")
    first = articles[0] if isinstance(articles, list) and articles else None
    if not isinstance(first, dict) or any(key in first for key in CONTENT_KEYS):
        return False
    return "title" in first and ("event" in row or "snippet" in first or "lead" in first)


def _article(cluster: str, headline: Headline) -> dict[str, object]:
    snippet = headline.snippet
    sentences = [headline.title]
    for paragraph in split_paragraphs(snippet):
        sentences += [snippet[start:end] for start, end in sentences_of_paragraph(snippet, *paragraph)]
    told = {
        "title": headline.title,
        "source": headline.source,
        "url": headline.url,
        "published": headline.published,
    }
    return {
        "cluster_id": cluster,
        "id": headline.key,
        **{name: text for name, text in told.items() if text},
        "sentences": sentences,
    }
