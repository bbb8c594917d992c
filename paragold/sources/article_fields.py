"""From the JSON object of an article to its record: every field checked, sentences split and tokenised."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from paragold import limits
from paragold.problems import FileProblem, quoted
from paragold.sources.records import ArticleRecord, SentenceRecord
from paragold.text.segmentation import split_paragraphs
from paragold.text.segmenters import RULES, Segmenter
from paragold.text.tokenisation import tokenise

CONTENT_KEYS = ("text", "paragraphs", "sentences")
ARTICLE_KEYS = frozenset(("id", "source", "url", "published", "title", "tokenised", *CONTENT_KEYS))

_KEY = re.compile(r"(?!\s)[^\x00-\x1f\x7f-\x9f\u2028\u2029]+(?<!\s)")
# Dates of other kinds are stored as ISO 8601 with hyphens: "20040831T093000Z", and those of feeds (RFC 2822).
_BASIC_DATE = re.compile(r"[0-9]{8}(?:T[0-9]{4}|\Z)")
_FEED_DATE = re.compile(r"(?:[A-Z][a-z]{2}, )?[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4} ")
_PUBLISHED = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)


def read_key(value: dict[str, Any], name: str) -> str:
    """The identifier `name` of an object. Raises FileProblem when it is missing or cannot be one."""
    if name not in value:
        raise FileProblem(f'The key "{name}" is missing.', f'Add "{name}": a name that is used once.')
    key = value[name]
    if not isinstance(key, str):
        raise FileProblem(f'"{name}" must be a string, not {_kind(key)}.', "Write it in double quotes.")
    if not key:
        raise FileProblem(f'"{name}" is empty.', "Give a name that is used once.")
    _check_length(key, limits.KEY_CHARACTERS, f'"{name}"')
    if not _KEY.fullmatch(key):
        raise FileProblem(
            f'"{name}" holds line ends or control characters, or begins or ends with white space: '
            f"{quoted(key)}.",
            "Remove them.",
        )
    return key


def read_flag(value: dict[str, Any], name: str, default: bool) -> bool:
    """The boolean `name` of an object, or the default. Raises FileProblem when it is something else."""
    flag = value.get(name, default)
    if not isinstance(flag, bool):
        raise FileProblem(
            f'"{name}" must be true or false, not {_kind(flag)}.', "Correct it, or leave it out."
        )
    return flag


def read_article(value: object, *, line: int, tokenised: bool, segmenter: Segmenter = RULES) -> ArticleRecord:
    """The record of an article; `tokenised` is what holds unless the article says otherwise.

    Empty sentences and paragraphs are left out and counted; it may have no sentences. Raises FileProblem for
    the first thing that is wrong with it.
    """
    if not isinstance(value, dict):
        raise FileProblem(
            f"The article must be an object, not {_kind(value)}.", 'Write {"id": ..., "text": ...}.'
        )
    key = read_key(value, "id")
    empty = Counter[str]()
    return ArticleRecord(
        key=key,
        source=_optional_string(value, "source", limits.SOURCE_CHARACTERS),
        url=_optional_string(value, "url", limits.URL_CHARACTERS),
        published=_published(value),
        title=_optional_string(value, "title", limits.TITLE_CHARACTERS),
        sentences=tuple(_sentences(value, read_flag(value, "tokenised", tokenised), empty, segmenter)),
        line=line,
        empty_sentences=empty["sentences"],
        empty_paragraphs=empty["paragraphs"],
    )


def _optional_string(value: dict[str, Any], name: str, limit: int) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise FileProblem(f'"{name}" must be a string, not {_kind(text)}.', "Correct it, or leave it out.")
    _check_length(text, limit, f'"{name}"')
    return text


def _published(value: dict[str, Any]) -> str:
    text = _optional_string(value, "published", limits.PUBLISHED_CHARACTERS)
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
            f'"published" is not an ISO 8601 date: {quoted(text)}.',
            'Write it as "2004-08-31" or "2004-08-31T09:30:00Z", or leave it out.',
        ) from None
    return text


def _sentences(
    value: dict[str, Any], tokenised: bool, empty: Counter[str], segmenter: Segmenter
) -> Iterator[SentenceRecord]:
    """The sentences that have tokens; `empty` counts the sentences and paragraphs that have none."""
    content = [name for name in CONTENT_KEYS if name in value]
    if len(content) != 1:
        shown = " and ".join(f'"{name}"' for name in content) or "none of them"
        raise FileProblem(
            f'The article must have one of "text", "paragraphs" and "sentences"; it has {shown}.', "Give one."
        )
    name = content[0]
    if tokenised and name != "sentences":
        raise FileProblem(
            f'"tokenised" is true, but the article has "{name}".',
            'Give "sentences" with their tokens separated by spaces, or leave "tokenised" out.',
        )
    if name == "text":
        text = _string(value[name], '"text"')
        for index, (start, end) in enumerate(split_paragraphs(text)):
            records = _of_paragraph(text[start:end], index, segmenter)
            yield from (record for record in records if record.tokens)
    elif name == "paragraphs":
        for index, paragraph in enumerate(_strings(value, name)):
            filled = [record for record in _of_paragraph(paragraph, index, segmenter) if record.tokens]
            empty["paragraphs"] += not filled
            yield from filled
    else:
        for number, sentence in enumerate(_strings(value, name), 1):
            tokens = sentence.split() if tokenised else tokenise(sentence)[0]
            record = _sentence(sentence, 0, tokens, f"Sentence {number}")
            if record.tokens:
                yield record
            else:
                empty["sentences"] += 1


def _of_paragraph(text: str, index: int, segmenter: Segmenter) -> Iterator[SentenceRecord]:
    for start, end in segmenter.spans(text):
        sentence = text[start:end]
        yield _sentence(sentence, index, tokenise(sentence)[0], "A sentence")


def _sentence(text: str, paragraph: int, tokens: list[str], label: str) -> SentenceRecord:
    if len(text) > limits.TOKEN_CHARACTERS:
        shown = f'{label} ("{text[:40]}...")'
        if len(tokens) > limits.SENTENCE_TOKENS:
            raise FileProblem(
                f"{shown} has {len(tokens):,} tokens; the limit is {limits.SENTENCE_TOKENS:,}.",
                "Split it into sentences, or leave the article out.",
            )
        _check_length(text, limits.SENTENCE_CHARACTERS, shown)
        _check_length(max(tokens, key=len, default=""), limits.TOKEN_CHARACTERS, f"A word of {shown}")
    return SentenceRecord(text, tuple(tokens), paragraph)


def _strings(value: dict[str, Any], name: str) -> Iterator[str]:
    items = value[name]
    if not isinstance(items, list):
        raise FileProblem(f'"{name}" must be a list of strings, not {_kind(items)}.', "Correct it.")
    for number, item in enumerate(items, 1):
        yield _string(item, f'Element {number} of "{name}"')


def _string(text: object, label: str) -> str:
    if not isinstance(text, str):
        raise FileProblem(f"{label} must be a string, not {_kind(text)}.", "Correct it.")
    return text


def _check_length(text: str, limit: int, label: str) -> None:
    if len(text) > limit:
        raise FileProblem(
            f"{label} has {len(text):,} characters; the limit is {limit:,}.", "Shorten it, or leave it out."
        )


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    names = {str: "a string", list: "a list", dict: "an object", int: "a number", float: "a number"}
    return names[type(value)]
