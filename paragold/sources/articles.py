"""Articles: what files give of them, checked by pydantic, and their sentences with tokens, in clusters.

JSON Lines have a cluster a line, or an article a line, or both (docs/formats/articles.md).
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from difflib import get_close_matches
from email.utils import parsedate_to_datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated, Any, NamedTuple

from pydantic import AfterValidator, FailFast, Field

from paragold import limits
from paragold.formats.json_lines import Flag, field_of, parse_object, read_as
from paragold.formats.tables import Columns
from paragold.formats.text_files import TextLines
from paragold.languages import TAG
from paragold.languages.sentences import split_paragraphs
from paragold.languages.tokens import token_starts
from paragold.problems import FileProblem, quoted
from paragold.text.segmenters import RULES, Segmenter, segmenter_in

COLUMNS = Columns(
    {
        "cluster_id": ("cluster_id", "cluster", "event_id", "event", "story_id", "story", "topic", "group"),
        "id": ("id", "article_id", "doc_id", "document_id", "key"),
        "text": ("text", "body", "content", "article", "story_text", "fulltext", "full_text"),
        "title": ("title", "headline"),
        "source": ("source", "outlet", "publisher", "newspaper", "site", "feed"),
        "url": ("url", "link", "address"),
        "published": ("published", "date", "published_at", "publish_date", "timestamp", "time"),
    },
    "articles",
)
"""The columns of a table of articles."""
FIELDS = tuple(COLUMNS.usual)
NEEDED = ("cluster_id", "text")
# The fields that a stream needs that is clustered by event.
NEEDED_OF_A_STREAM = ("id", "text", "published")
CONTENT_KEYS = ("text", "paragraphs", "sentences")
"""An article has one of these."""
NO_SENTENCES = FileProblem("No article of the file has a sentence.", "Give the articles their text.")
# The share of the work that reading and clustering the articles of a source is.
PREPARATION = 0.9

_IDS = ("cluster_id", "id")
_KEY = re.compile(r"(?!\s)[^\x00-\x1f\x7f-\x9f\u2028\u2029]+(?<!\s)")
# Dates of other kinds are stored as ISO 8601 with hyphens: "20040831T093000Z", and those of feeds (RFC 2822).
_WITH_HYPHENS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}.*)?")
_FEED_DATE = re.compile(r"(?:[A-Z][a-z]{2}, )?[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4} ")
_UNKNOWN_KEYS_COUNTED = 50
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
}


@dataclass(frozen=True, slots=True)
class SentenceRecord:
    """A sentence with its tokens, which hold no white space.

    `paragraph` is the index, from 0, of the paragraph in the article (0 where that is unknown).
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
    """An article. `published` is an ISO 8601 date or date-time, or empty.

    It is from the `line`, from 1, of the `file` inside an archive or folder ("" for the file itself).
    `empty_sentences` and `empty_paragraphs` are how many without a token were left out of it; `language` is
    the tag that it gives itself, "" without one.
    """

    key: str
    source: str
    url: str
    published: str
    title: str
    sentences: tuple[SentenceRecord, ...]
    line: int
    file: str = ""
    empty_sentences: int = 0
    empty_paragraphs: int = 0
    language: str = ""

    @property
    def content_sha256(self) -> str:
        """The hash by which exact duplicates are known: the sentences' texts, in order."""
        return hashlib.sha256("\n\n".join(sentence.text for sentence in self.sentences).encode()).hexdigest()


Cluster = tuple[str, Sequence[ArticleRecord]]
"""The key of an event and the articles on it; no two have the same key or the same sentences."""


class Place(NamedTuple):
    """The file inside an archive or folder ("" for the file itself) and the line in it (from 1; 0: all)."""

    file: str
    line: int

    def __str__(self) -> str:
        return self.file or f"Line {self.line}"


WHOLE_FILE = Place("", 0)


RawArticle = tuple[Place, dict[str, Any]]
"""Where an article is, and its keys as docs/formats/articles.md has them, cluster_id too, not checked yet."""


class Undecodable(FileProblem):
    """A page whose bytes are not in its encoding: among others it is left out."""


class Source(ABC):
    """Raw articles of a file or folder. Iterated over once; then `problems` and `notes` are complete.

    `share` is how much is read, 0 to 1; `is_checked` says that the values are of `parse_object`.
    """

    share = 0.0
    is_checked = False

    def __init__(self) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []

    @abstractmethod
    def __iter__(self) -> Iterator[RawArticle]: ...


class LimitedNotes:
    """Notes of one kind, added to `notes`: the first `limits.NOTES_OF_A_KIND`, and how many more there are.

    `more` is the note on further ones, with their number as `{}`.
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


def _check_key(key: str) -> str:
    if not _KEY.fullmatch(key):
        message = f"it holds line ends or control characters, or white space around it: {quoted(key)}."
        raise FileProblem(message, "Remove them.")
    return key


def _iso_date(text: str) -> str:
    try:
        if _FEED_DATE.match(text):
            return parsedate_to_datetime(text).isoformat()
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise FileProblem(
            f"it is not an ISO 8601 date: {quoted(text)}.",
            'Write it as "2004-08-31" or "2004-08-31T09:30:00Z", or leave it out.',
        ) from None
    if moment is None or _WITH_HYPHENS.fullmatch(text):
        return text
    return moment.isoformat() if len(text) > len("2004-08-31") else moment.date().isoformat()


Key = Annotated[str, Field(min_length=1, max_length=limits.KEY_CHARACTERS), AfterValidator(_check_key)]
Published = Annotated[str, Field(max_length=limits.PUBLISHED_CHARACTERS), AfterValidator(_iso_date)]
Strings = Annotated[list[str], FailFast()]


@dataclass(frozen=True)
class Article:
    """An article; it has one of text, paragraphs and sentences."""

    id: Key
    source: Annotated[str, Field(max_length=limits.SOURCE_CHARACTERS)] | None = None
    url: Annotated[str, Field(max_length=limits.URL_CHARACTERS)] | None = None
    published: Published | None = None
    title: Annotated[str, Field(max_length=limits.TITLE_CHARACTERS)] | None = None
    tokenised: Flag = False
    language: Any = None
    text: str = ""
    paragraphs: Strings = field(default_factory=list)
    sentences: Strings = field(default_factory=list)


_ARTICLE_KEYS = frozenset(each.name for each in fields(Article))
_CLUSTER_KEYS = frozenset(("cluster_id", "articles", "tokenised"))


@contextmanager
def _plain_problems(value: dict[str, Any]) -> Iterator[None]:
    """Problems of reading the object say what to do about its keys, and not that they are of "the line"."""
    try:
        yield
    except FileProblem as problem:
        message = problem.message.removeprefix("the line: ").removeprefix("the line, ")
        remedy = problem.remedy
        if message.endswith("is missing."):
            remedy = COLUMNS.wrong_door(value) or "Add it, or choose the key that holds it."
        raise FileProblem(message, remedy) from None


def _too_long(text: str, limit: int, label: str) -> FileProblem:
    message = f"{label} has {len(text):,} characters; the limit is {limit:,}."
    return FileProblem(message, "Shorten it, or leave it out.")


def read_article(
    value: object, *, place: Place = WHOLE_FILE, tokenised: bool = False, segmenter: Segmenter = RULES
) -> ArticleRecord:
    """The record of an article; `tokenised` and the segmenter's language hold unless it says otherwise.

    Empty sentences and paragraphs are left out and counted; it may have no sentences. Raises FileProblem for
    the first thing that is wrong with it.
    """
    if not isinstance(value, dict):
        raise FileProblem("The article must be an object.", 'Write {"id": ..., "text": ...}.')
    content = [name for name in CONTENT_KEYS if name in value]
    with _plain_problems(value):
        article = read_as(Article, value)
    if len(content) != 1:
        shown = " and ".join(f'"{name}"' for name in content) or "none of them"
        raise FileProblem(
            f'The article must have one of "text", "paragraphs" and "sentences"; it has {shown}.', "Give one."
        )
    [name] = content
    # Any other `language`, such as a name, is not looked at.
    own = article.language if isinstance(article.language, str) and TAG.fullmatch(article.language) else ""
    if own:
        segmenter = segmenter_in(segmenter.id, own)
    if "tokenised" in value:
        tokenised = article.tokenised
    if tokenised and name != "sentences":
        raise FileProblem(
            f'"tokenised" is true, but the article has "{name}".',
            'Give "sentences" with their tokens separated by spaces, or leave "tokenised" out.',
        )
    if name == "sentences":
        given = article.sentences
        sentences = [_sentence(text, 0, tokenised, segmenter, number) for number, text in enumerate(given, 1)]
    else:
        text = article.text
        given = [text[a:b] for a, b in split_paragraphs(text)] if name == "text" else article.paragraphs
        sentences = [
            _sentence(paragraph[start:end], index, tokenised, segmenter)
            for index, paragraph in enumerate(given)
            for start, end in segmenter.spans(paragraph)
        ]
    filled = tuple(sentence for sentence in sentences if sentence.tokens)
    empty = len(given) - len({sentence.paragraph for sentence in filled}) if name == "paragraphs" else 0
    return ArticleRecord(
        article.id,
        article.source or "",
        article.url or "",
        article.published or "",
        article.title or "",
        filled,
        place.line,
        place.file,
        empty_sentences=len(given) - len(filled) if name == "sentences" else 0,
        empty_paragraphs=empty,
        language=own,
    )


def _sentence(
    text: str, paragraph: int, tokenised: bool, segmenter: Segmenter, number: int = 0
) -> SentenceRecord:
    tokens = text.split() if tokenised else segmenter.tokens(text)[0]
    if len(text) > limits.TOKEN_CHARACTERS:
        shown = f'{f"Sentence {number}" if number else "A sentence"} ("{text[:40]}...")'
        if len(tokens) > limits.SENTENCE_TOKENS:
            raise FileProblem(
                f"{shown} has {len(tokens):,} tokens; the limit is {limits.SENTENCE_TOKENS:,}.",
                "Split it into sentences, or leave the article out.",
            )
        if len(text) > limits.SENTENCE_CHARACTERS:
            raise _too_long(text, limits.SENTENCE_CHARACTERS, shown)
        if len(longest := max(tokens, key=len, default="")) > limits.TOKEN_CHARACTERS:
            raise _too_long(longest, limits.TOKEN_CHARACTERS, f"A word of {shown}")
    return SentenceRecord(text, tuple(tokens), paragraph)


class Keys:
    """The keys of JSON Lines of others, as ours: those that people choose, then the usual names of COLUMNS.

    `chosen` is field -> key, "" for none. A field that is there keeps its own key; the `id` of a line with
    `articles` is its cluster; optional fields are taken from strings only; whole numbers as ids become texts.
    `read_as` says afterwards which keys were read. Raises FileProblem for a field that is none.
    """

    def __init__(self, chosen: Mapping[str, str] | None = None) -> None:
        self._chosen = chosen or {}
        COLUMNS.mapping([*self._chosen.values()], self._chosen)
        self.read_as: dict[str, str] = {}

    def of_line(self, value: dict[str, Any]) -> dict[str, Any]:
        """The object of a line, a cluster or an article, with our keys; it is changed."""
        if "articles" not in value:
            return self._renamed(value, FIELDS)
        if isinstance(value["articles"], list):
            for article in value["articles"]:
                if isinstance(article, dict):
                    self._renamed(article, FIELDS[1:])
        return self._renamed(value, ("cluster_id",), "id")

    def _renamed(self, value: dict[str, Any], names: tuple[str, ...], first: str = "") -> dict[str, Any]:
        read: dict[str, str] = {}
        for name in names:
            own = CONTENT_KEYS if name == "text" else (name,)
            if name in self._chosen:
                usual, needed, taken = [self._chosen[name]], True, set[str]()
            elif there := next((key for key in own if key in value), ""):
                self.read_as.setdefault(name, there)
                continue
            else:
                usual, needed = [first, *COLUMNS.usual[name]], name in (*_IDS, "text")
                taken = {*self._chosen.values()}
            given = (key for key in usual if key in value and key not in taken)
            if key := next((key for key in given if needed or isinstance(value[key], str)), ""):
                read[name] = key
        renamed = {key if key in CONTENT_KEYS else name: value[key] for name, key in read.items()}
        for key in (*(name for name in names if name in self._chosen), *read.values()):
            value.pop(key, None)
        value |= renamed
        self.read_as |= read
        for name in _IDS:
            if type(value.get(name)) is int:
                value[name] = str(value[name])
        return value

    @property
    def problems(self) -> list[FileProblem]:
        """The keys that were chosen and that no line has."""
        missing = [key for field, key in self._chosen.items() if key and field not in self.read_as]
        remedy = "Choose another, or leave the choice out."
        return [FileProblem(f"No line has the key {quoted(key)}.", remedy) for key in missing]

    @property
    def notes(self) -> list[str]:
        """The keys that were read by their usual names."""
        usual = {
            field: key
            for field, key in self.read_as.items()
            if key not in (field, *CONTENT_KEYS) and field not in self._chosen
        }
        return [f'The key "{key}" was read as {field}.' for field, key in usual.items()]


class ArticleLines(Source):
    """JSON Lines: an article a line, or a cluster of them, as the line has it but with our keys (`Keys`).

    `mapping` is field -> key. With `apart` the articles of a cluster are given one by one, each with its
    `cluster_id` and `tokenised`. Raises FileProblem for a field that is none.
    """

    is_checked = True

    def __init__(
        self,
        path: Path,
        mapping: Mapping[str, str] | None = None,
        *,
        encoding: str = "utf-8",
        apart: bool = False,
    ) -> None:
        super().__init__()
        self._keys = Keys(mapping)
        self._apart = apart
        self._lines = TextLines(path, encoding, self.problems)

    def __iter__(self) -> Iterator[RawArticle]:
        number = 0
        for number, text in self._lines:
            self.share = self._lines.share
            try:
                value = self._keys.of_line(parse_object(text))
                values = _articles_of(value) if self._apart and "articles" in value else [value]
            except FileProblem as problem:
                self.problems.append(problem.at(number))
                continue
            for value in values:
                yield Place("", number), value
        if not number and not self.problems:
            remedy = "Give one with a cluster or an article on each line."
            self.problems.append(FileProblem("The file is empty, or holds blank lines only.", remedy))
        if not self.problems:
            self.problems += self._keys.problems
        self.notes += self._keys.notes


def _articles_of(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The articles of a line, each with the cluster's `cluster_id` and `tokenised`. Raises FileProblem."""
    articles, _ = _content_of(value)
    if not all(isinstance(article, dict) for article in articles):
        raise FileProblem('"articles" must be a list of objects.', 'Write "articles": [{...}, ...].')
    shared = {name: value[name] for name in ("cluster_id", "tokenised") if name in value}
    return [shared | article for article in articles]


def _content_of(value: dict[str, Any]) -> tuple[list[Any], bool]:
    """The articles of a line that is a cluster, to be checked later, and its `tokenised`."""
    with _plain_problems(value):
        articles: list[Any] = field_of(value, "articles", list[Any])
        return articles, field_of(value, "tokenised", Flag, False)


class ArticleReader:
    """Reads the clusters of articles: iterate over it, once; then these are complete:

    problems: why articles were refused, by line, at most `limits.PROBLEMS`. Clusters go on coming while
        problems are collected: the caller drops them if there are any at the end.
    counts: lines (that have articles), clusters, articles, sentences, tokens, what was left out
        (duplicate_articles, and empty_sentences, _paragraphs, _articles and _clusters) and
        one_article_clusters.
    notes: what is no error but should be known, in sentences.
    share: how much is read, 0 to 1.

    Where every line is a whole cluster, one is held at a time. From the first single article on, all are
    written to a temporary file, and are read again at the end, cluster by cluster. Clusters come in the order
    in which they first appear. What is wrong with the file is never raised.

    `source` is a path of JSON Lines, in `encoding` unless a byte order mark says another, or a Source.
    `segmenter` splits paragraphs into sentences; `folder` is for the temporary file; `progress` is given the
    share for each article while no cluster is given, and may raise to stop.
    """

    def __init__(
        self,
        source: Path | Source,
        *,
        encoding: str = "utf-8",
        segmenter: Segmenter = RULES,
        folder: Path | None = None,
        progress: Callable[[float], None] = lambda share: None,
    ) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []
        self.counts = dict.fromkeys(_COUNTED, 0)
        self.share = 0.0
        self._source = source if isinstance(source, Source) else ArticleLines(source, encoding=encoding)
        self._segmenter = segmenter
        self._folder = folder
        self._progress = progress
        self._started = False
        self._first_places: dict[str, tuple[Place, bool]] = {}
        # For each cluster where its articles are in the temporary file, a line each with its place.
        self._waiting: dict[str, array[int]] = {}
        self._unused_keys: Counter[tuple[str, str]] = Counter()
        self._left_out = {kind: LimitedNotes(self.notes, more) for kind, more in _LEFT_OUT.items()}

    def __iter__(self) -> Iterator[Cluster]:
        if self._started:
            raise RuntimeError("An ArticleReader reads its file once; make another one.")
        self._started = True
        with TemporaryFile(dir=self._folder) as file:
            yield from self._whole(file)
            self.notes[:0] = self._source.notes
            self.problems += self._source.problems
            yield from self._gathered(file)
        self._finish()

    def first_place(self, cluster: str) -> Place:
        """Where a cluster that was given first appeared, even where that article was left out."""
        return self._first_places[cluster][0]

    def _whole(self, file: IO[bytes]) -> Iterator[Cluster]:
        """The clusters that are whole; from the first single article on all are written to the file."""
        before = None
        for place, given in self._source:
            self.share = PREPARATION * self._source.share
            self._progress(self.share)
            self.counts["lines"] += place != before
            before = place
            try:
                key = self._key(place, given)
                # Lone surrogates, which no text may hold, stay escaped, and are refused when it is read.
                if self._waiting or "articles" not in given:
                    self._waiting.setdefault(key, array("q")).append(file.tell())
                    file.write(json.dumps({"place": place, "article": given}).encode() + b"\n")
                    continue
                value = given if self._source.is_checked else parse_object(json.dumps(given))
                if cluster := self._cluster(key, [(place, value)]):
                    yield cluster
            except FileProblem as refusal:
                self.problems.append(refusal.at(place.line, file=place.file))
            if self._is_enough():
                return
        if before is None and not self._source.problems:
            remedy = "See docs/formats/articles.md for the format."
            self.problems.append(FileProblem("The file has no article.", remedy))

    def _gathered(self, file: IO[bytes]) -> Iterator[Cluster]:
        """The clusters of the temporary file."""
        rest = 1 - self.share
        for done, (key, offsets) in enumerate(self._waiting.items()):
            if self._is_enough():
                return
            self.share = 1 - rest * (1 - done / len(self._waiting))
            first, _ = self._first_places[key]
            try:
                lines: list[RawArticle] = []
                size = 0
                for offset in offsets:
                    file.seek(offset)
                    line = file.readline()
                    size += len(line)
                    if size > limits.CLUSTER_BYTES:
                        message = f'The cluster "{key}" has more than {limits.CLUSTER_BYTES:,} bytes.'
                        raise FileProblem(message, "Split the cluster, or leave articles out.")
                    value = parse_object(line.decode())
                    lines.append((Place(*value["place"]), value["article"]))
                if cluster := self._cluster(key, lines):
                    yield cluster
            except FileProblem as refusal:
                self.problems.append(replace(refusal, column=None).at(first.line, file=first.file))

    def _key(self, place: Place, value: dict[str, Any]) -> str:
        """The cluster of a line, if that may go on."""
        with _plain_problems(value):
            key: str = field_of(value, "cluster_id", Key)
        whole = "articles" in value
        first, first_whole = self._first_places.setdefault(key, (place, whole))
        if first != place and (whole or first_whole):
            raise FileProblem(
                f'The cluster "{key}" has appeared on {first.file or f"line {first.line}"} already.',
                "Put all its articles on one line, or give one article a line throughout.",
            )
        return key

    def _cluster(self, key: str, lines: Sequence[RawArticle]) -> Cluster | None:
        """The cluster of these lines, or None if an article was refused or none has text."""
        first, line = lines[0]
        articles: Sequence[tuple[Place, object]] = lines
        known, tokenised = _ARTICLE_KEYS | {"cluster_id"}, False
        if "articles" in line:
            self._note_unused(line, _CLUSTER_KEYS, "clusters")
            listed, tokenised = _content_of(line)
            known, articles = _ARTICLE_KEYS, [(first, article) for article in listed]
        records: dict[str, ArticleRecord] = {}
        by_content: dict[tuple[str, ...], str] = {}
        contents: dict[str, tuple[str, ...]] = {}
        problems = len(self.problems)
        for number, (place, value) in enumerate(articles, 1):
            if isinstance(value, dict):
                self._note_unused(value, known, "articles")
            try:
                record = read_article(value, place=place, tokenised=tokenised, segmenter=self._segmenter)
                content = tuple(sentence.text for sentence in record.sentences)
                if contents.setdefault(record.key, content) != content:
                    raise FileProblem(
                        "Another article of the cluster has the same id and another text.",
                        "Give each article an id of its own.",
                    )
            except FileProblem as refusal:
                message = f"{_label(key, value, number)}: {refusal.message}"
                self.problems.append(FileProblem(message, refusal.remedy, line=place.line, file=place.file))
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
            self._left_out["empty_clusters"].add(f"{first}: {why}")
            return None
        self._count(records.values())
        return key, tuple(records.values())

    def _is_enough(self) -> bool:
        return len(self.problems) >= limits.PROBLEMS

    def _leave_out(self, kind: str, cluster: str, record: ArticleRecord, why: str) -> None:
        article = f'the article "{record.key}" of the cluster "{cluster}"'
        self._left_out[kind].add(f"{Place(record.file, record.line)}: {article} {why} and was left out.")

    def _count(self, articles: Collection[ArticleRecord]) -> None:
        counts = self.counts
        counts["clusters"] += 1
        counts["articles"] += len(articles)
        counts["one_article_clusters"] += len(articles) == 1
        for article in articles:
            counts["sentences"] += len(article.sentences)
            counts["tokens"] += sum([len(sentence.tokens) for sentence in article.sentences])
            counts["empty_sentences"] += article.empty_sentences
            counts["empty_paragraphs"] += article.empty_paragraphs

    def _note_unused(self, value: dict[str, Any], known: frozenset[str], owner: str) -> None:
        for key in value.keys() - known:
            counted = (owner, key) in self._unused_keys or len(self._unused_keys) < _UNKNOWN_KEYS_COUNTED
            self._unused_keys[owner, key if counted else "(any further key)"] += 1

    def _finish(self) -> None:
        """Sort the problems, and write the counts and notes that can only be written at the end."""
        self.share = 1.0
        if self._left_out["empty_clusters"].count and not self.counts["clusters"] and not self.problems:
            self.problems.append(NO_SENTENCES)
        self.problems.sort(key=lambda problem: problem.line)
        if self._is_enough():
            del self.problems[limits.PROBLEMS :]
            self.notes.append(f"Reading stopped after {limits.PROBLEMS} problems; there may be more.")
        for kind, notes in self._left_out.items():
            self.counts[kind] = notes.count
            notes.sum_up()
        for part in ("sentences", "paragraphs"):
            if count := self.counts[f"empty_{part}"]:
                self.notes.append(f"Empty {part} were left out: {count:,}.")
        for (owner, key), times in sorted(self._unused_keys.items()):
            meant = get_close_matches(key, _ARTICLE_KEYS if owner == "articles" else _CLUSTER_KEYS, n=1)
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
