"""What an article is: the fields that files give it, checked, and its sentences with their tokens."""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import Annotated, Any, NamedTuple, Self

from pydantic import AfterValidator, BaseModel, FailFast, Field, TypeAdapter, ValidationError

from paragold import limits
from paragold.formats.columns import Columns
from paragold.problems import FileProblem, quoted
from paragold.text.segmentation import split_paragraphs
from paragold.text.segmenters import RULES, Segmenter
from paragold.text.tokenisation import token_starts, tokenise

COLUMNS = Columns(
    {
        "cluster_id": ("cluster_id", "cluster", "event_id", "event", "story_id", "story", "topic", "group"),
        "id": ("id", "article_id", "doc_id", "document_id", "key"),
        "text": ("text", "body", "content", "article", "story_text", "fulltext", "full_text"),
        "title": ("title", "headline"),
        "source": ("source", "outlet", "publisher", "newspaper", "site", "feed"),
        "url": ("url", "link", "address"),
        "published": ("published", "date", "published_at", "publish_date", "timestamp", "time"),
    }
)
"""The columns of a table of articles."""
FIELDS = tuple(COLUMNS.usual)
NEEDED = ("cluster_id", "text")
# The fields that a stream needs that is clustered by event.
NEEDED_OF_A_STREAM = ("id", "text", "published")

_IDS = ("cluster_id", "id")
_KEY = re.compile(r"(?!\s)[^\x00-\x1f\x7f-\x9f\u2028\u2029]+(?<!\s)")
# Dates of other kinds are stored as ISO 8601 with hyphens: "20040831T093000Z", and those of feeds (RFC 2822).
_BASIC_DATE = re.compile(r"[0-9]{8}(?:T[0-9]{4}|\Z)")
_FEED_DATE = re.compile(r"(?:[A-Z][a-z]{2}, )?[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4} ")
_PUBLISHED = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)


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


class Place(NamedTuple):
    """The file inside an archive or folder ("" for the file itself) and the line in it (from 1; 0: all)."""

    file: str
    line: int

    def __str__(self) -> str:
        return self.file or f"Line {self.line}"


class RawArticle(NamedTuple):
    """An object with the keys of docs/formats/articles.md, cluster_id among them. It is not checked yet."""

    place: Place
    value: dict[str, Any]


class Source(ABC):
    """Raw articles of a file or folder. Iterated over once; then `problems` and `notes` are complete.

    `share` is how much is read, 0 to 1.
    """

    share = 0.0

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
        message = f"holds line ends or control characters, or begins or ends with white space: {quoted(key)}."
        raise FileProblem(message, "Remove them.")
    return key


def _iso_date(text: str) -> str:
    if not text:
        return text
    try:
        if _BASIC_DATE.match(text):
            moment = datetime.fromisoformat(text)
            return moment.date().isoformat() if text.isdecimal() else moment.isoformat()
        if _FEED_DATE.match(text):
            return parsedate_to_datetime(text).isoformat()
        if not _PUBLISHED.fullmatch(text):
            raise ValueError(text)
        (date if len(text) == len("2004-08-31") else datetime).fromisoformat(text)
    except ValueError:
        raise FileProblem(
            f"is not an ISO 8601 date: {quoted(text)}.",
            'Write it as "2004-08-31" or "2004-08-31T09:30:00Z", or leave it out.',
        ) from None
    return text


Key = Annotated[str, Field(min_length=1, max_length=limits.KEY_CHARACTERS), AfterValidator(_check_key)]


class Fields(BaseModel, strict=True):
    """Some keys of an object of a file."""

    @classmethod
    def of(cls, value: dict[str, Any]) -> Self:
        """The fields of an object. Raises FileProblem for the first that is not as it is declared."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise _problem(error) from None


class LineFields(Fields):
    """What a line must have, whether it is a cluster or an article."""

    cluster_id: Key


class ClusterFields(Fields):
    """The keys of a cluster beside its `cluster_id` and `articles`, which are checked one by one."""

    tokenised: bool = False


class ArticleFields(Fields):
    """The keys of an article but for its text, in the order in which they are checked."""

    id: Key
    source: Annotated[str, Field(max_length=limits.SOURCE_CHARACTERS)] | None = None
    url: Annotated[str, Field(max_length=limits.URL_CHARACTERS)] | None = None
    published: (
        Annotated[str, Field(max_length=limits.PUBLISHED_CHARACTERS), AfterValidator(_iso_date)] | None
    ) = None
    title: Annotated[str, Field(max_length=limits.TITLE_CHARACTERS)] | None = None
    tokenised: bool = False


_Strings = Annotated[list[str], FailFast()]
# The text of an article has one of these keys.
_CONTENT: dict[str, TypeAdapter[Any]] = {
    "text": TypeAdapter(str),
    "paragraphs": TypeAdapter(_Strings),
    "sentences": TypeAdapter(_Strings),
}
CONTENT_KEYS = tuple(_CONTENT)
ARTICLE_KEYS = frozenset((*ArticleFields.model_fields, *CONTENT_KEYS))
CLUSTER_KEYS = frozenset((*LineFields.model_fields, *ClusterFields.model_fields, "articles"))
_EXPECTED = {"string_type": "a string", "bool_type": "true or false", "list_type": "a list of strings"}
_REMEDIES = dict.fromkeys(CONTENT_KEYS, "Correct it.") | dict.fromkeys(
    ("id", "cluster_id"), "Write it in double quotes."
)


def _problem(error: ValidationError, *around: str) -> FileProblem:
    """The first problem of an object's fields, or of the field that is `around`."""
    first = error.errors(include_url=False)[0]
    kind, value = first["type"], first["input"]
    place: tuple[str | int, ...] = (*around, *first["loc"])
    name = str(place[0])
    label = f'Element {int(place[1]) + 1} of "{name}"' if place[1:] else f'"{name}"'
    if kind == "missing":
        return FileProblem(f'The key "{name}" is missing.', f'Add "{name}", or choose the key that holds it.')
    if kind == "string_too_short":
        return FileProblem(f"{label} is empty.", "Give a name that is used once.")
    if kind == "string_too_long":
        return _too_long(value, first["ctx"]["max_length"], label)
    if kind == "value_error":
        problem = first["ctx"]["error"]
        return FileProblem(f"{label} {problem.message}", problem.remedy)
    remedy = _REMEDIES.get(name, "Correct it, or leave it out.")
    return FileProblem(f"{label} must be {_EXPECTED[kind]}, not {_kind(value)}.", remedy)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names = {str: "a string", list: "a list", dict: "an object", int: "a number", float: "a number"}
    return names[type(value)]


def _too_long(text: str, limit: int, label: str) -> FileProblem:
    message = f"{label} has {len(text):,} characters; the limit is {limit:,}."
    return FileProblem(message, "Shorten it, or leave it out.")


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

    def _renamed(self, value: dict[str, Any], fields: Sequence[str], first: str = "") -> dict[str, Any]:
        keys = {field: key for field in fields if (key := self._key(field, value, first)) is not None}
        if keys:
            read = {field: value[key] for field, key in keys.items() if key in value}
            for field, key in keys.items():
                value.pop(field, None)
                value.pop(key, None)
            for field, given in read.items():
                value[keys[field] if keys[field] in CONTENT_KEYS else field] = given
            self.read_as |= {field: keys[field] for field in read}
        for field in _IDS:
            if type(value.get(field)) is int:
                value[field] = str(value[field])
        return value

    def _key(self, field: str, value: dict[str, Any], first: str) -> str | None:
        """The key of a field in an object, "" for none; None where it stays as it is."""
        if field in self._chosen:
            return self._chosen[field]
        own = CONTENT_KEYS if field == "text" else (field,)
        if there := next((key for key in own if key in value), None):
            self.read_as.setdefault(field, there)
            return None
        taken, needed = self._chosen.values(), field in (*_IDS, "text")
        for key in (first, *COLUMNS.usual[field]):
            if key in value and key not in taken and (needed or isinstance(value[key], str)):
                return key
        return None

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


def read_article(value: object, *, line: int, tokenised: bool, segmenter: Segmenter = RULES) -> ArticleRecord:
    """The record of an article; `tokenised` is what holds unless the article says otherwise.

    Empty sentences and paragraphs are left out and counted; it may have no sentences. Raises FileProblem for
    the first thing that is wrong with it.
    """
    if not isinstance(value, dict):
        message = f"The article must be an object, not {_kind(value)}."
        raise FileProblem(message, 'Write {"id": ..., "text": ...}.')
    article = ArticleFields.of(value)
    content = [name for name in CONTENT_KEYS if name in value]
    if len(content) != 1:
        shown = " and ".join(f'"{name}"' for name in content) or "none of them"
        raise FileProblem(
            f'The article must have one of "text", "paragraphs" and "sentences"; it has {shown}.', "Give one."
        )
    [name] = content
    if "tokenised" in value:
        tokenised = article.tokenised
    if tokenised and name != "sentences":
        raise FileProblem(
            f'"tokenised" is true, but the article has "{name}".',
            'Give "sentences" with their tokens separated by spaces, or leave "tokenised" out.',
        )
    try:
        given = _CONTENT[name].validate_python(value[name], strict=True)
    except ValidationError as error:
        raise _problem(error, name) from None
    if name == "sentences":
        sentences = [_sentence(text, 0, tokenised, number) for number, text in enumerate(given, 1)]
    else:
        paragraphs = [given[a:b] for a, b in split_paragraphs(given)] if name == "text" else given
        sentences = [
            _sentence(paragraph[start:end], index, tokenised)
            for index, paragraph in enumerate(paragraphs)
            for start, end in segmenter.spans(paragraph)
        ]
    filled = tuple(sentence for sentence in sentences if sentence.tokens)
    empty = len(given) - len({sentence.paragraph for sentence in filled}) if name == "paragraphs" else 0
    return ArticleRecord(
        key=article.id,
        source=article.source or "",
        url=article.url or "",
        published=article.published or "",
        title=article.title or "",
        sentences=filled,
        line=line,
        empty_sentences=len(given) - len(filled) if name == "sentences" else 0,
        empty_paragraphs=empty,
    )


def _sentence(text: str, paragraph: int, tokenised: bool, number: int = 0) -> SentenceRecord:
    tokens = text.split() if tokenised else tokenise(text)[0]
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
