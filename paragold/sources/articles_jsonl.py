"""Articles JSONL: a cluster of articles a line, or an article a line, or both (docs/formats/articles.md)."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO

from paragold import limits
from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import RawLine, TextLines, prepared, raw_lines
from paragold.problems import FileProblem
from paragold.sources.article_fields import ARTICLE_KEYS, read_article, read_flag, read_key
from paragold.sources.records import ArticleRecord, ClusterRecord, LimitedNotes, Place, RawArticle, Source
from paragold.text.segmenters import RULES, Segmenter

CLUSTER_KEYS = frozenset(("cluster_id", "articles", "tokenised"))

NO_SENTENCES = FileProblem("No article of the file has a sentence.", "Give the articles their text.")
"""The problem of a file that has nothing but empty articles."""

_COUNTED = (
    *("lines", "clusters", "articles", "sentences", "tokens"),
    *("duplicate_articles", "empty_sentences", "empty_paragraphs", "empty_articles", "empty_clusters"),
    "one_article_clusters",
)
_UNKNOWN_KEYS_COUNTED = 50
_FURTHER_KEYS = "(any further key)"


class ArticleReader:
    """Reads the clusters of a file: iterate over it, once; then these are complete:

    problems: why lines were refused, by line, at most `limits.PROBLEMS`. Clusters go on coming while problems
        are collected: the caller drops them if there are any at the end.
    counts: lines (that are not blank), clusters, articles, sentences, tokens, what was left out
        (duplicate_articles, and empty_sentences, _paragraphs, _articles and _clusters) and
        one_article_clusters.
    notes: what is no error but should be known, in sentences.
    share: how much of the file is read, 0 to 1 (of a stream that is not a file: 0 until its end).

    Where every line is a whole cluster, one is held at a time. From the first line that is a single article
    on, lines are only noted with their place in the file, and are read again at its end, cluster by cluster.
    Clusters come in the order in which they first appear. What is wrong with the file is never raised.

    Parameters
    ----------
    source : Path or binary stream
        Articles JSONL; a stream is read from its beginning.
    encoding : str
        Unless a byte order mark says another.
    name_line : callable
        Names a line in the notes.
    segmenter : Segmenter
        Splits paragraphs into sentences.
    """

    def __init__(
        self,
        source: Path | BinaryIO,
        *,
        encoding: str = "utf-8",
        name_line: Callable[[int], str] = "Line {}".format,
        segmenter: Segmenter = RULES,
    ) -> None:
        self.problems: list[FileProblem] = []
        self.share = 0.0
        self._findings = _Findings(name_line)
        self.counts, self.notes = self._findings.counts, self._findings.notes
        self._source = source
        self._encoding = encoding
        self._name_line = name_line
        self._segmenter = segmenter
        self._started = False
        self._first_lines: dict[str, tuple[int, bool]] = {}
        # For each cluster the number, offset and length of its lines, one after the other.
        self._waiting: dict[str, array[int]] = {}

    def first_line(self, key: str) -> int:
        """The first line, from 1, of a cluster that was given."""
        return self._first_lines[key][0]

    def __iter__(self) -> Iterator[ClusterRecord]:
        if self._started:
            raise RuntimeError("An ArticleReader reads its file once; make another one.")
        self._started = True
        source = self._source
        try:
            with (
                source.open("rb") if isinstance(source, Path) else nullcontext(source) as opened,
                prepared(opened, self._encoding, json_lines=True) as (stream, encoding),
            ):
                yield from self._read(stream, encoding)
        except FileProblem as refusal:
            self.problems.append(refusal.at())
        except OSError as error:
            message = f"The file cannot be read: {error.strerror or error}."
            self.problems.append(FileProblem(message, "Check its name and that you may read it."))
        self._finish()

    def _read(self, stream: BinaryIO, encoding: str) -> Iterator[ClusterRecord]:
        line: RawLine | None = None
        for line in self._lines(stream):
            try:
                text = line.decode(encoding)
            except FileProblem as refusal:
                # More of the same would follow on most lines.
                self.problems.append(refusal.at(line.number))
                return
            cluster = self._cluster_or_wait(line, text)
            if cluster:
                yield cluster
            if self._is_enough():
                return
        if not self.counts["lines"] and not self.problems:
            self.problems.append(_nothing_in("holds blank lines only" if line else "is empty"))
        for key, places in self._waiting.items():
            cluster = self._gathered(key, places, stream, encoding)
            if cluster:
                yield cluster
            if self._is_enough():
                return
        if self.counts["empty_clusters"] and not self.counts["clusters"] and not self.problems:
            self.problems.append(NO_SENTENCES)

    def _lines(self, stream: BinaryIO) -> Iterator[RawLine]:
        size = max(1, self._source.stat().st_size) if isinstance(self._source, Path) else 0
        for line in raw_lines(stream):
            if isinstance(line, RawLine):
                self.share = min(1.0, line.offset / size) if size else 0.0
                yield line
            else:
                number, refusal = line
                self.counts["lines"] += 1
                self.problems.append(refusal.at(number))

    def _cluster_or_wait(self, line: RawLine, text: str) -> ClusterRecord | None:
        """The cluster of a line, if it is a whole one and need not wait for others."""
        if not text.strip(" \t"):
            return None
        self.counts["lines"] += 1
        try:
            value = parse_object(text)
            key = read_key(value, "cluster_id")
            whole = "articles" in value
            first, first_whole = self._first_lines.setdefault(key, (line.number, whole))
            if first != line.number and (whole or first_whole):
                name = self._name_line(first)
                raise FileProblem(
                    f'The cluster "{key}" has appeared on {name[:1].lower()}{name[1:]} already.',
                    "Put all its articles on one line, or give one article a line throughout.",
                )
            if self._waiting or not whole:
                places = self._waiting.setdefault(key, array("q"))
                places.extend((line.number, line.offset, len(line.data)))
                return None
            return self._whole_cluster(key, value, line.number)
        except FileProblem as refusal:
            self.problems.append(refusal.at(line.number))
            return None

    def _gathered(
        self, key: str, places: array[int], stream: BinaryIO, encoding: str
    ) -> ClusterRecord | None:
        """The cluster whose lines are at these places."""
        if sum(places[2::3]) > limits.CLUSTER_BYTES:
            message = f'The lines of the cluster "{key}" have more than {limits.CLUSTER_BYTES:,} bytes.'
            self.problems.append(
                FileProblem(message, "Split the cluster, or leave articles out.", line=places[0])
            )
            return None
        values: list[tuple[int, dict[str, Any]]] = []
        for number, offset, length in zip(places[::3], places[1::3], places[2::3], strict=True):
            stream.seek(offset)
            text = RawLine(number, offset, stream.read(length)).decode(encoding)
            values.append((number, parse_object(text)))
        if "articles" in values[0][1]:
            try:
                return self._whole_cluster(key, values[0][1], values[0][0])
            except FileProblem as refusal:
                self.problems.append(refusal.at(values[0][0]))
                return None
        for _, value in values:
            self._findings.note_unused(value, ARTICLE_KEYS | {"cluster_id"}, "articles")
        return self._cluster(key, places[0], ((number, value, False) for number, value in values))

    def _whole_cluster(self, key: str, value: dict[str, Any], line: int) -> ClusterRecord | None:
        self._findings.note_unused(value, CLUSTER_KEYS, "clusters")
        tokenised = read_flag(value, "tokenised", False)
        articles = value["articles"]
        if not isinstance(articles, list):
            raise FileProblem(
                f'"articles" of the cluster "{key}" must be a list.', 'Write "articles": [{...}, ...].'
            )
        for article in articles:
            if isinstance(article, dict):
                self._findings.note_unused(article, ARTICLE_KEYS, "articles")
        return self._cluster(key, line, ((line, article, tokenised) for article in articles))

    def _cluster(
        self, key: str, first: int, articles: Iterable[tuple[int, object, bool]]
    ) -> ClusterRecord | None:
        """The cluster of these (line, article, tokenised), or None if any was refused or none has text.

        `first` is its first line.
        """
        records: dict[str, ArticleRecord] = {}
        by_content: dict[tuple[str, ...], str] = {}
        keys: dict[str, tuple[str, ...]] = {}
        refused = False
        for number, (line, value, tokenised) in enumerate(articles, 1):
            try:
                record = read_article(value, line=line, tokenised=tokenised, segmenter=self._segmenter)
                content = tuple(sentence.text for sentence in record.sentences)
                if keys.setdefault(record.key, content) != content:
                    raise FileProblem(
                        "Another article of the cluster has the same id and another text.",
                        "Give each article an id of its own.",
                    )
            except FileProblem as refusal:
                refused = True
                label = _label(key, value, number)
                self.problems.append(
                    FileProblem(f"{label}: {refusal.message}", refusal.remedy, refusal.column, line=line)
                )
                if self._is_enough():
                    return None
                continue
            if not content:
                self._findings.note_empty(key, record)
                continue
            same = by_content.setdefault(content, record.key)
            if same in records:
                self._findings.note_duplicate(key, record, same)
            else:
                records[record.key] = record
        if refused:
            return None
        if not records:
            self._findings.note_empty_cluster(key, first)
            return None
        cluster = ClusterRecord(key, tuple(records.values()), next(iter(records.values())).line)
        self._findings.count(cluster)
        return cluster

    def _is_enough(self) -> bool:
        return len(self.problems) >= limits.PROBLEMS

    def _finish(self) -> None:
        self.problems.sort(key=lambda problem: problem.line)
        if self._is_enough():
            del self.problems[limits.PROBLEMS :]
            self.notes.append(f"Reading stopped after {limits.PROBLEMS} problems; there may be more.")
        self._findings.sum_up()


class _Findings:
    """Counts and notes of what a file holds and what is left out; `name_line` names a line in them."""

    def __init__(self, name_line: Callable[[int], str]) -> None:
        self.counts = dict.fromkeys(_COUNTED, 0)
        self.notes: list[str] = []
        self._name_line = name_line
        self._unused_keys: Counter[tuple[str, str]] = Counter()
        self._duplicates, self._empty_articles, self._empty_clusters, self._empty_parts = (
            LimitedNotes(self.notes, more)
            for more in (
                "{} more articles repeat others of their clusters and were left out.",
                "{} more articles have no sentences and were left out.",
                "{} more clusters have no article with sentences and were left out.",
                "Empty sentences or paragraphs of {} more articles were left out.",
            )
        )

    def count(self, cluster: ClusterRecord) -> None:
        self.counts["clusters"] += 1
        self.counts["articles"] += len(cluster.articles)
        self.counts["one_article_clusters"] += len(cluster.articles) == 1
        for article in cluster.articles:
            self.counts["sentences"] += len(article.sentences)
            self.counts["tokens"] += sum([len(sentence.tokens) for sentence in article.sentences])
            if article.empty_sentences or article.empty_paragraphs:
                self._note_empty_parts(cluster.key, article)

    def _named(self, cluster: str, record: ArticleRecord) -> str:
        return f'{self._name_line(record.line)}: the article "{record.key}" of the cluster "{cluster}"'

    def _note_empty_parts(self, cluster: str, record: ArticleRecord) -> None:
        self.counts["empty_sentences"] += record.empty_sentences
        self.counts["empty_paragraphs"] += record.empty_paragraphs
        parts = [("sentence", record.empty_sentences), ("paragraph", record.empty_paragraphs)]
        counted = [f"{count:,} empty {name}{'s' * (count > 1)}" for name, count in parts if count]
        self._empty_parts.add(
            f"{self._name_line(record.line)}: left out {' and '.join(counted)} of the article "
            f'"{record.key}" of the cluster "{cluster}".'
        )

    def note_duplicate(self, cluster: str, record: ArticleRecord, same: str) -> None:
        self.counts["duplicate_articles"] += 1
        self._duplicates.add(
            f'{self._named(cluster, record)} has the same sentences as "{same}" and was left out.'
        )

    def note_empty_cluster(self, key: str, line: int) -> None:
        """A cluster without an article that has sentences, on its first line."""
        self.counts["empty_clusters"] += 1
        self._empty_clusters.add(
            f'{self._name_line(line)}: the cluster "{key}" has no article with sentences and was left out.'
        )

    def note_empty(self, cluster: str, record: ArticleRecord) -> None:
        self.counts["empty_articles"] += 1
        self._empty_articles.add(f"{self._named(cluster, record)} has no sentences and was left out.")

    def note_unused(self, value: dict[str, Any], known: frozenset[str], owner: str) -> None:
        for key in value.keys() - known:
            counted = (owner, key) in self._unused_keys or len(self._unused_keys) < _UNKNOWN_KEYS_COUNTED
            self._unused_keys[owner, key if counted else _FURTHER_KEYS] += 1

    def sum_up(self) -> None:
        """The notes that can only be written at the end."""
        for notes in (self._duplicates, self._empty_articles, self._empty_clusters, self._empty_parts):
            notes.sum_up()
        for (owner, key), times in sorted(self._unused_keys.items()):
            known = ARTICLE_KEYS if owner == "articles" else CLUSTER_KEYS
            meant = get_close_matches(key, known, n=1)
            hint = f' Was "{meant[0]}" meant?' if meant else ""
            self.notes.append(f'The key "{key}" of {owner} is not used (found {times:,} times).{hint}')
        alone = self.counts["one_article_clusters"]
        if alone and alone == self.counts["clusters"]:
            self.notes.append("Every cluster of this file has one article only: it gives no pairs.")
        elif alone:
            self.notes.append(f"{alone:,} clusters have one article only: they give no pairs.")


def _label(cluster: str, value: object, number: int) -> str:
    key = value.get("id") if isinstance(value, dict) else None
    shown = f'"{key[: limits.KEY_CHARACTERS]}"' if isinstance(key, str) and key else f"number {number}"
    return f'Article {shown} of the cluster "{cluster}"'


class ArticleLines(Source):
    """An article a line, or a cluster of them; those of a cluster keep its `cluster_id` and `tokenised`.

    With `whole` a cluster is given as its line has it.
    """

    def __init__(self, path: Path, *, encoding: str = "utf-8", whole: bool = False) -> None:
        super().__init__()
        self._path = path
        self._whole = whole
        self._lines = TextLines(path, encoding, self.problems, json_lines=True)

    @property
    def share(self) -> float:
        return self._lines.share

    def __iter__(self) -> Iterator[RawArticle]:
        number = 0
        for number, text in self._lines:
            try:
                value = parse_object(text)
                values = [value] if self._whole else articles_of(value)
            except FileProblem as problem:
                self.problems.append(problem.at(number))
                continue
            for value in values:
                yield RawArticle(Place("", number), value)
        if not number and not self.problems:
            size = self._path.stat().st_size
            self.problems.append(_nothing_in("holds blank lines only" if size else "is empty"))


def _nothing_in(what: str) -> FileProblem:
    return FileProblem(f"The file {what}.", "Give one with a cluster or an article on each line.")


def articles_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The articles of a line, each with the cluster's `cluster_id` and `tokenised`. Raises FileProblem."""
    if "articles" not in value:
        return [value]
    articles = value["articles"]
    if not isinstance(articles, list) or not all(isinstance(article, dict) for article in articles):
        raise FileProblem('"articles" must be a list of objects.', 'Write "articles": [{...}, ...].')
    tokenised = read_flag(value, "tokenised", False)
    shared = {"cluster_id": value["cluster_id"]} if "cluster_id" in value else {}
    return [shared | ({"tokenised": True} if tokenised else {}) | article for article in articles]
