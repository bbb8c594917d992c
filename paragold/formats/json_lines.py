"""JSON Lines: one object a line, read strictly, with typed access to its fields.

No doubled keys, no NaN, no half characters, bounded depth.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeGuard

from paragold import limits
from paragold.formats.text_files import split_lines
from paragold.problems import FileProblem, located, quoted, shortened

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_STRUCTURE = re.compile(rf"{_STRING}|([\[{{])|[\]}}]")
_KEY = re.compile(rf"({_STRING})(\s*:)?|([{{}}])")
_CONSTANT = re.compile(rf"{_STRING}|(-?(?:NaN|Infinity))")
_NUMBER = re.compile(rf"{_STRING}|(-?\d[\d.eE+-]*)")
_SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_BAD_ESCAPE = re.compile(
    r"(?<!\\)(?:\\\\)*(\\u0000|\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F])"
)
_BAD_CHARACTER = re.compile("[\0\ud800-\udfff]")

_PLAIN_WORDS = {
    "Expecting value": "a value is missing or not valid JSON",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing after a key",
    "Expecting property name enclosed in double quotes": 'a key in double quotes or a closing "}" is missing',
    "Unterminated string starting at": "a string is not closed: the line is cut off or a quote is missing",
    "Invalid control character at": "a string holds a control character that must be escaped (such as \\t)",
    "Invalid \\escape": "a backslash is not part of a known escape (a plain backslash is written \\\\)",
    "Invalid \\uXXXX escape": "\\u must be followed by four hexadecimal digits",
    "Extra data": "something follows the object: there must be one object per line",
}


class _UnfitValue(ValueError):
    """A value that Python's reader would take and we do not; the line is searched for it afterwards."""


class _DuplicateKey(_UnfitValue):
    pass


class _Constant(_UnfitValue):
    pass


class _HugeNumber(_UnfitValue):
    pass


def parse_object(text: str) -> dict[str, Any]:
    """The object that a line holds. Raises FileProblem, with the column from 1 where it is known."""
    nul = text.find("\0")
    if nul >= 0:
        raise FileProblem("The line holds a NUL character.", "Remove it; the file may be damaged.", nul + 1)
    if text.count("[") + text.count("{") > limits.JSON_DEPTH:
        _refuse_depth(text)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        plain = _PLAIN_WORDS.get(error.msg, error.msg)
        remedy = "Correct the line, or write the file again with a JSON library."
        if text.strip() in {"{", "["}:
            remedy = "The file seems to be JSON over many lines; write each object on one line."
        raise FileProblem(f"The line is not valid JSON: {plain}.", remedy, error.colno) from error
    except _DuplicateKey as error:
        message = f'The key "{error}" occurs twice in one object.'
        raise FileProblem(message, "Keep one of them.", _column_of_duplicate(text)) from error
    except _Constant as error:
        column = _column(_CONSTANT, text)
        raise FileProblem(
            f"{error} is not a JSON number.", "Write null, or leave the key out.", column
        ) from error
    except _HugeNumber as error:
        raise FileProblem(
            f"A number is too large: whole numbers have at most {limits.INTEGER_DIGITS} digits.",
            "Write it as a string, in double quotes.",
            next((match.start(1) + 1 for match in _NUMBER.finditer(text) if _is_huge(match[1])), None),
        ) from error
    if not isinstance(value, dict):
        raise FileProblem("The line is valid JSON but not an object.", "Write { ... } on each line.", 1)
    if _SUSPECT_ESCAPE.search(text) and _has_bad_character(value):
        raise FileProblem(
            "A string holds a NUL character or half of a surrogate pair.",
            "Remove it, or write the whole character.",
            _column(_BAD_ESCAPE, text),
        )
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKey(key)
            seen.add(key)
    return value


def _no_constant(name: str) -> None:
    raise _Constant(name)


def _integer(digits: str) -> int:
    if _is_huge(digits):
        raise _HugeNumber(digits)
    return int(digits)


def _real(digits: str) -> float:
    if _is_huge(digits):
        raise _HugeNumber(digits)
    return float(digits)


def _is_huge(digits: str | None) -> bool:
    if not digits:
        return False
    if digits.lstrip("-").isdigit():
        return len(digits.lstrip("-")) > limits.INTEGER_DIGITS
    try:
        return math.isinf(float(digits))
    except ValueError:
        return False


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_no_constant, parse_int=_integer, parse_float=_real
)


def _refuse_depth(text: str) -> None:
    depth = 0
    for match in _STRUCTURE.finditer(text):
        if match[1]:
            depth += 1
            if depth > limits.JSON_DEPTH:
                raise FileProblem(
                    f"Lists and objects are nested more than {limits.JSON_DEPTH} deep.",
                    "Leave out what is not needed.",
                    match.start() + 1,
                )
        elif match[0] in "]}":
            depth -= 1


def _has_bad_character(value: object) -> bool:
    if isinstance(value, str):
        return bool(_BAD_CHARACTER.search(value))
    if isinstance(value, dict):
        return any(_has_bad_character(part) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(map(_has_bad_character, value))


def _column(pattern: re.Pattern[str], text: str) -> int | None:
    return next((match.start(1) + 1 for match in pattern.finditer(text) if match[1]), None)


def _column_of_duplicate(text: str) -> int | None:
    keys: list[set[str]] = []
    for match in _KEY.finditer(text):
        if match[3] == "{":
            keys.append(set())
        elif match[3] and keys:
            keys.pop()
        elif match[2] and keys:
            key = json.loads(match[1])
            if key in keys[-1]:
                return match.start() + 1
            keys[-1].add(key)
    return None


def objects(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object of every line with its number, from 1; blank lines are passed over.

    Raises FileProblem, with the line, for one that is no JSON object.
    """
    for line, content in enumerate(split_lines(text), start=1):
        if content.strip():
            with located(line):
                value = parse_object(content)
            yield line, value


_ARRAY = "Give one JSON array of objects, complete to its closing bracket."
_BEFORE_AN_ELEMENT = " \t\n\r[,"


def array_objects(text: str) -> Iterator[tuple[int, object]]:
    """The elements of the array that a file is, each with the line it begins on.

    Raises FileProblem, with the line, for what is no array and for half characters.
    """
    try:
        records = json.loads(text)
        damaged = _SUSPECT_ESCAPE.search(text) is not None and _has_bad_character(records)
    except (json.JSONDecodeError, RecursionError) as error:
        raise FileProblem(f"is not JSON ({error}).", _ARRAY, line=getattr(error, "lineno", 1)) from error
    if not isinstance(records, list):
        raise FileProblem("is not a JSON array.", _ARRAY, line=1)
    if damaged:
        bad = _BAD_ESCAPE.search(text)
        message = "A string holds a NUL character or half of a surrogate pair."
        line = text.count("\n", 0, bad.start(1)) + 1 if bad else 0
        raise FileProblem(message, "Remove it, or write the whole character.", line=line)
    decoder = json.JSONDecoder()
    line, position = 1, 0
    for record in records:
        start = position
        while text[start] in _BEFORE_AN_ELEMENT:
            start += 1
        line += text.count("\n", position, start)
        yield line, record
        _, position = decoder.raw_decode(text, start)
        line += text.count("\n", start, position)


def more_elements(values: Iterable[object], before: int) -> str:
    """Some elements of an array that has so many already, one a line; "\\n]\\n" ends the file."""
    lines = ",\n".join(json.dumps(value, ensure_ascii=False) for value in values)
    return f",\n{lines}" if before and lines else lines if before else f"[\n{lines}"


@dataclass
class Record:
    """One JSON object on its way in: every getter raises FileProblem when the field is not of its type.

    `path` says where the object is, `finish` refuses fields that were not read.
    """

    values: Mapping[str, object]
    path: str
    _taken: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, value: object, path: str) -> Self:
        """Raises FileProblem when the value is not an object."""
        if not isinstance(value, dict):
            raise FileProblem(f"{path} is not a JSON object.", "Write { ... }.")
        return cls(value, path)

    def error(self, message: str, remedy: str) -> FileProblem:
        """An error that names this object."""
        return FileProblem(f"{self.path}: {message}", remedy)

    def _get(self, name: str) -> object:
        if name not in self.values:
            raise self.error(f"{name} is missing.", "Give the field, as the format's description shows it.")
        self._taken.add(name)
        return self.values[name]

    def _refuse(self, name: str, expected: str) -> FileProblem:
        return self.error(
            f"{name} is not {expected}.", "Correct the field, as the format's description shows it."
        )

    def is_null(self, name: str) -> bool:
        return self._get(name) is None

    def text(self, name: str, *, filled: bool = False) -> str:
        value = self._get(name)
        if not isinstance(value, str) or (filled and not value):
            raise self._refuse(name, "a string that is not empty" if filled else "a string")
        return value

    def flag(self, name: str) -> bool:
        value = self._get(name)
        if not isinstance(value, bool):
            raise self._refuse(name, "true or false")
        return value

    def index(self, name: str) -> int:
        value = self._get(name)
        if not _is_index(value):
            raise self._refuse(name, "a whole number, 0 or above")
        return value

    def texts(self, name: str, *, filled: bool = False) -> tuple[str, ...]:
        value = self._get(name)
        if not isinstance(value, list) or not all(
            isinstance(item, str) and (item or not filled) for item in value
        ):
            raise self._refuse(name, "a list of strings" + (", none of them empty" if filled else ""))
        return tuple(value)

    def indices(self, name: str) -> tuple[int, ...]:
        value = self._get(name)
        if not isinstance(value, list) or not all(_is_index(item) for item in value):
            raise self._refuse(name, "a list of whole numbers, 0 or above")
        return tuple(value)

    def links(self, name: str) -> list[tuple[int, int]]:
        value = self._get(name)
        if not isinstance(value, list) or not all(
            isinstance(item, list) and len(item) == 2 and all(map(_is_index, item)) for item in value
        ):
            raise self._refuse(name, "a list of links: [i, j], whole numbers from 0")
        return [(i, j) for i, j in value]

    def groups(self, name: str) -> list[list[str]]:
        value = self._get(name)
        if not _is_groups(value):
            raise self._refuse(name, "a list of lists of ids")
        return value

    def record(self, name: str) -> Record:
        return Record.of(self._get(name), f"{self.path}, {name}")

    def records(self, name: str) -> list[Record]:
        value = self._get(name)
        if not isinstance(value, list):
            raise self._refuse(name, "a list of objects")
        return [
            Record.of(item, f"{self.path}, {name} {number}") for number, item in enumerate(value, start=1)
        ]

    def finish(self) -> None:
        """Raise FileProblem when the object has a field that was not read: it would be lost."""
        if unknown := sorted(self.values.keys() - self._taken):
            raise self.error(
                f"{shortened(', '.join(unknown))} is not a field of this format.", "Remove or rename it."
            )


def _is_index(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_groups(value: object) -> TypeGuard[list[list[str]]]:
    """Whether it is a list of lists, none of them empty, of strings, none of them empty."""
    return isinstance(value, list) and all(
        isinstance(group, list) and group and all(isinstance(key, str) and key for key in group)
        for group in value
    )


class UniqueIds:
    """The ids of a file up to here, with the line of each."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}

    def add(self, key: str, line: int) -> None:
        """Take an id. Raises FileProblem when it is empty, or, naming both lines, was there before."""
        if not key:
            raise FileProblem("id is empty.", "Give every pair its own id.")
        if key in self._lines:
            raise FileProblem(
                f"id {quoted(key)} was used on line {self._lines[key]}.", "Give every pair its own id."
            )
        self._lines[key] = line
