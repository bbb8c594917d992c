"""Clusters of articles: a cluster a line, or an article a line, or both (docs/formats/articles.md)."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO

from paragold import limits
from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import RawLine, prepared, raw_lines
from paragold.problems import FileProblem
from paragold.text.segmenters import RULES, Segmenter

from .articles import (
    ARTICLE_KEYS,
    CLUSTER_KEYS,
    ArticleRecord,
    ClusterFields,
    ClusterRecord,
    Keys,
    LimitedNotes,
    LineFields,
    Place,
    Source,
    read_article,
)

NO_SENTENCES = FileProblem("No article of the file has a sentence.", "Give the articles their text.")
"""The problem of a file that has nothing but empty articles."""
# The share of the work that extracting and clustering the articles of a source is.
PREPARATION = 0.9

_COUNTED = (
    *("lines", "clusters", "articles", "sentences", "tokens"),
    *("duplicate_articles", "empty_sentences", "empty_paragraphs", "empty_articles", "empty_clusters"),
    "one_article_clusters",
)
# What is left out, with the note on further ones.
_LEFT_OUT = {
    "duplicate_articles": "{} more articles repeat others of their clusters and were left out.",
    "empty_articles": "{} more articles have no sentences and were left out.",
    "empty_clusters": "{} more clusters have no article with sentences and were left out.",
    "empty parts": "Empty sentences or paragraphs of {} more articles were left out.",
}
_KEYS_OF_A_LINE = ARTICLE_KEYS | frozenset(LineFields.model_fields)
_UNKNOWN_KEYS_COUNTED = 50
_FURTHER_KEYS = "(any further key)"


class ArticleReader:
    """Reads the clusters of articles: iterate over it, once; then these are complete:

    problems: why lines were refused, by line, at most `limits.PROBLEMS`. Clusters go on coming while problems
        are collected: the caller drops them if there are any at the end.
    counts: lines (that are not blank), clusters, articles, sentences, tokens, what was left out
        (duplicate_articles, and empty_sentences, _paragraphs, _articles and _clusters) and
        one_article_clusters.
    notes: what is no error but should be known, in sentences.
    share: how much is read, 0 to 1 (of a stream that is not a file: 0 until its end).

    Where every line is a whole cluster, one is held at a time. From the first line that is a single article
    on, lines are only noted with their place in the file, and are read again at its end, cluster by cluster.
    Clusters come in the order in which they first appear. What is wrong with the file is never raised.

    Parameters
    ----------
    source : Path, binary stream or Source
        Articles JSONL; a stream is read from its beginning. The articles of a Source are written to `copy`
        (UTF-8, one a line) first, and none is given when it has problems; places are those in the source.
    encoding : str
        Unless a byte order mark says another.
    segmenter : Segmenter
        Splits paragraphs into sentences.
    copy : Path, optional
        Where the articles of a Source are written.
    progress : callable, optional
        Given the share for each article while the copy is written; it may raise to stop.
    """

    def __init__(
        self,
        source: Path | BinaryIO | Source,
        *,
        encoding: str = "utf-8",
        segmenter: Segmenter = RULES,
        copy: Path = Path(),
        progress: Callable[[float], None] = lambda share: None,
    ) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []
        self.counts = dict.fromkeys(_COUNTED, 0)
        self.share = 0.0
        self._source = source
        self._encoding = encoding
        self._segmenter = segmenter
        self._copy = copy
        self._progress = progress
        self._started = False
        # The articles of a Source have our keys.
        self._keys = Keys()
        self._first_lines: dict[str, tuple[int, bool]] = {}
        # For each cluster the number, offset and length of its lines, one after the other.
        self._waiting: dict[str, array[int]] = {}
        # For each line of the copy the index of its file and the line in it.
        self._files: list[str] = [""]
        self._places = array("q")
        self._unused_keys: Counter[tuple[str, str]] = Counter()
        self._left_out = {kind: LimitedNotes(self.notes, more) for kind, more in _LEFT_OUT.items()}

    def __iter__(self) -> Iterator[ClusterRecord]:
        if self._started:
            raise RuntimeError("An ArticleReader reads its file once; make another one.")
        self._started = True
        source = self._source
        if isinstance(source, Source):
            lines = self._copy_articles(source)
            if not self.problems:
                yield from self._read_file(self._copy)
            self.counts["lines"] = lines
        else:
            yield from self._read_file(source)

    def _copy_articles(self, source: Source) -> int:
        """The number of lines of the source that have articles."""
        lines = 0
        with self._copy.open("w", encoding="utf-8", newline="\n") as copy:
            for raw in source:
                if raw.place.file != self._files[-1]:
                    self._files.append(raw.place.file)
                place = (len(self._files) - 1, raw.place.line)
                # A line of the source may hold a cluster of several articles.
                lines += place != tuple(self._places[-2:])
                self._places.extend(place)
                # Lone surrogates, which no text may hold, stay escaped, and are refused when they are read.
                copy.write(json.dumps(raw.value, ensure_ascii=True) + "\n")
                self.share = PREPARATION * source.share
                self._progress(self.share)
        self.share = PREPARATION * source.share
        self.notes += source.notes
        self.problems += source.problems
        if not self._places and not self.problems:
            remedy = "See docs/formats/articles.md for the format."
            self.problems.append(FileProblem("The file has no article.", remedy))
        return lines

    def place(self, line: int) -> Place:
        """The place in the source of a line that was read."""
        if not 0 < line <= len(self._places) // 2:
            return Place("", line)
        return Place(self._files[self._places[2 * line - 2]], self._places[2 * line - 1])

    def _read_file(self, source: Path | BinaryIO) -> Iterator[ClusterRecord]:
        try:
            with (
                source.open("rb") if isinstance(source, Path) else nullcontext(source) as opened,
                prepared(opened, self._encoding, json_lines=True) as (stream, encoding),
            ):
                size = max(1, source.stat().st_size) if isinstance(source, Path) else 0
                yield from self._read(stream, encoding, size)
        except FileProblem as refusal:
            self.problems.append(refusal.at())
        except OSError as error:
            message = f"The file cannot be read: {error.strerror or error}."
            self.problems.append(FileProblem(message, "Check its name and that you may read it."))
        self._finish()

    def _read(self, stream: BinaryIO, encoding: str, size: int) -> Iterator[ClusterRecord]:
        before, rest = self.share, 1 - PREPARATION if self._places else 1.0
        line: RawLine | tuple[int, FileProblem] | None = None
        for line in raw_lines(stream):
            if isinstance(line, tuple):
                self.counts["lines"] += 1
                self.problems.append(line[1].at(line[0]))
                continue
            self.share = before + rest * min(1.0, line.offset / size) if size else before
            try:
                text = line.decode(encoding)
            except FileProblem as refusal:
                # More of the same would follow on most lines.
                self.problems.append(refusal.at(line.number))
                return
            if not text.strip(" \t"):
                continue
            self.counts["lines"] += 1
            try:
                value = self._object(text)
                key = self._key(value, line.number)
                if self._waiting or "articles" not in value:
                    places = self._waiting.setdefault(key, array("q"))
                    places.extend((line.number, line.offset, len(line.data)))
                elif cluster := self._cluster(key, [(line.number, value)]):
                    yield cluster
            except FileProblem as refusal:
                self.problems.append(refusal.at(line.number))
            if self._is_enough():
                return
        if not self.counts["lines"] and not self.problems:
            self.problems.append(nothing_in("holds blank lines only" if line else "is empty"))
        for key, places in self._waiting.items():
            try:
                if cluster := self._cluster(key, self._gathered(key, places, stream, encoding)):
                    yield cluster
            except FileProblem as refusal:
                self.problems.append(refusal.at(places[0]))
            if self._is_enough():
                return
        if self._left_out["empty_clusters"].count and not self.counts["clusters"] and not self.problems:
            self.problems.append(NO_SENTENCES)

    def _key(self, value: dict[str, Any], line: int) -> str:
        """The cluster of a line, if that may go on."""
        key = LineFields.of(value).cluster_id
        whole = "articles" in value
        first, first_whole = self._first_lines.setdefault(key, (line, whole))
        if first != line and (whole or first_whole):
            place = self.place(first)
            raise FileProblem(
                f'The cluster "{key}" has appeared on {place.file or f"line {place.line}"} already.',
                "Put all its articles on one line, or give one article a line throughout.",
            )
        return key

    def _gathered(
        self, key: str, places: array[int], stream: BinaryIO, encoding: str
    ) -> list[tuple[int, dict[str, Any]]]:
        """The lines of a cluster, with their numbers."""
        if sum(places[2::3]) > limits.CLUSTER_BYTES:
            message = f'The lines of the cluster "{key}" have more than {limits.CLUSTER_BYTES:,} bytes.'
            raise FileProblem(message, "Split the cluster, or leave articles out.")
        lines: list[tuple[int, dict[str, Any]]] = []
        for number, offset, length in zip(places[::3], places[1::3], places[2::3], strict=True):
            stream.seek(offset)
            lines.append(
                (number, self._object(RawLine(number, offset, stream.read(length)).decode(encoding)))
            )
        return lines

    def _object(self, text: str) -> dict[str, Any]:
        value = parse_object(text)
        return value if isinstance(self._source, Source) else self._keys.of_line(value)

    def _cluster(self, key: str, lines: Sequence[tuple[int, dict[str, Any]]]) -> ClusterRecord | None:
        """The cluster of these lines, or None if an article was refused or none has text."""
        first, cluster = lines[0]
        articles: Sequence[tuple[int, object]] = lines
        known, tokenised = _KEYS_OF_A_LINE, False
        if "articles" in cluster:
            self._note_unused(cluster, CLUSTER_KEYS, "clusters")
            tokenised = ClusterFields.of(cluster).tokenised
            if not isinstance(cluster["articles"], list):
                message = f'"articles" of the cluster "{key}" must be a list.'
                raise FileProblem(message, 'Write "articles": [{...}, ...].')
            known, articles = ARTICLE_KEYS, [(first, article) for article in cluster["articles"]]
        for _, value in articles:
            if isinstance(value, dict):
                self._note_unused(value, known, "articles")
        records: dict[str, ArticleRecord] = {}
        by_content: dict[tuple[str, ...], str] = {}
        contents: dict[str, tuple[str, ...]] = {}
        problems = len(self.problems)
        for number, (line, value) in enumerate(articles, 1):
            try:
                record = read_article(value, line=line, tokenised=tokenised, segmenter=self._segmenter)
                content = tuple(sentence.text for sentence in record.sentences)
                if contents.setdefault(record.key, content) != content:
                    raise FileProblem(
                        "Another article of the cluster has the same id and another text.",
                        "Give each article an id of its own.",
                    )
            except FileProblem as refusal:
                message = f"{_label(key, value, number)}: {refusal.message}"
                self.problems.append(FileProblem(message, refusal.remedy, refusal.column, line=line))
                if self._is_enough():
                    return None
                continue
            same = by_content.setdefault(content, record.key)
            if not content:
                self._leave_out("empty_articles", key, record, "has no sentences")
            elif same in records:
                self._leave_out("duplicate_articles", key, record, f'has the same sentences as "{same}"')
            else:
                records[record.key] = record
        if len(self.problems) > problems:
            return None
        if not records:
            why = f'the cluster "{key}" has no article with sentences and was left out.'
            self._left_out["empty_clusters"].add(f"{self.place(first)}: {why}")
            return None
        found = ClusterRecord(key, tuple(records.values()), next(iter(records.values())).line)
        self._count(found)
        return found

    def _is_enough(self) -> bool:
        return len(self.problems) >= limits.PROBLEMS

    def _leave_out(self, kind: str, cluster: str, record: ArticleRecord, why: str) -> None:
        article = f'the article "{record.key}" of the cluster "{cluster}"'
        self._left_out[kind].add(f"{self.place(record.line)}: {article} {why} and was left out.")

    def _count(self, cluster: ClusterRecord) -> None:
        counts = self.counts
        counts["clusters"] += 1
        counts["articles"] += len(cluster.articles)
        counts["one_article_clusters"] += len(cluster.articles) == 1
        for article in cluster.articles:
            counts["sentences"] += len(article.sentences)
            counts["tokens"] += sum([len(sentence.tokens) for sentence in article.sentences])
            counts["empty_sentences"] += article.empty_sentences
            counts["empty_paragraphs"] += article.empty_paragraphs
            parts = (("sentence", article.empty_sentences), ("paragraph", article.empty_paragraphs))
            if empty := [f"{count:,} empty {name}{'s' * (count > 1)}" for name, count in parts if count]:
                self._left_out["empty parts"].add(
                    f"{self.place(article.line)}: left out {' and '.join(empty)} of the article "
                    f'"{article.key}" of the cluster "{cluster.key}".'
                )

    def _note_unused(self, value: dict[str, Any], known: frozenset[str], owner: str) -> None:
        for key in value.keys() - known:
            counted = (owner, key) in self._unused_keys or len(self._unused_keys) < _UNKNOWN_KEYS_COUNTED
            self._unused_keys[owner, key if counted else _FURTHER_KEYS] += 1

    def _finish(self) -> None:
        """Sort the problems, and write the counts and notes that can only be written at the end."""
        self.notes += self._keys.notes
        self.problems.sort(key=lambda problem: problem.line)
        if self._is_enough():
            del self.problems[limits.PROBLEMS :]
            self.notes.append(f"Reading stopped after {limits.PROBLEMS} problems; there may be more.")
        if self._places:
            places = [(problem, self.place(problem.line)) for problem in self.problems]
            self.problems[:] = [
                replace(problem, file=place.file, line=place.line, column=None) for problem, place in places
            ]
        for kind, notes in self._left_out.items():
            if kind in self.counts:
                self.counts[kind] = notes.count
            notes.sum_up()
        for (owner, key), times in sorted(self._unused_keys.items()):
            meant = get_close_matches(key, ARTICLE_KEYS if owner == "articles" else CLUSTER_KEYS, n=1)
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


def nothing_in(what: str) -> FileProblem:
    return FileProblem(f"The file {what}.", "Give one with a cluster or an article on each line.")
