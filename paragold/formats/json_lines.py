"""JSON Lines: one object a line, read strictly, with typed access to its fields.

No doubled keys, no NaN, no half characters, bounded depth.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from pydantic_core import ErrorDetails

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
    """A value that Python's reader would take and we do not; `column` finds it in the line afterwards."""

    def __init__(self, message: str, remedy: str, column: Callable[[str], int | None]) -> None:
        super().__init__(message)
        self.message, self.remedy, self.column = message, remedy, column


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
    except _UnfitValue as error:
        raise FileProblem(error.message, error.remedy, error.column(text)) from error
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
                message = f'The key "{key}" occurs twice in one object.'
                raise _UnfitValue(message, "Keep one of them.", _column_of_duplicate)
            seen.add(key)
    return value


def _no_constant(name: str) -> None:
    remedy = "Write null, or leave the key out."
    raise _UnfitValue(f"{name} is not a JSON number.", remedy, lambda text: _column(_CONSTANT, text))


def _integer(digits: str) -> int:
    _check_size(digits)
    return int(digits)


def _real(digits: str) -> float:
    _check_size(digits)
    return float(digits)


def _check_size(digits: str) -> None:
    if _is_huge(digits):
        raise _UnfitValue(
            f"A number is too large: whole numbers have at most {limits.INTEGER_DIGITS} digits.",
            "Write it as a string, in double quotes.",
            lambda text: next((hit.start(1) + 1 for hit in _NUMBER.finditer(text) if _is_huge(hit[1])), None),
        )


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
    except (ValueError, RecursionError) as error:  # ValueError: also a number of more than 4,300 digits
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


# Values of fields, for dataclasses that `read_as` reads.
Filled = Annotated[str, Field(min_length=1)]
Index = Annotated[int, Field(ge=0, strict=True)]
Flag = Annotated[bool, Field(strict=True)]
no_other_fields = with_config(ConfigDict(extra="forbid"))
"""Decorates a dataclass: a field that it does not declare is refused, since it would be lost."""

_LINK = "two whole numbers, [i, j]"
_EXPECTED = {
    "string_type": "a string",
    "string_too_short": "a string that is not empty",
    "bool_type": "true or false",
    "int_type": "a whole number, 0 or above",
    "greater_than_equal": "a whole number, 0 or above",
    "list_type": "a list",
    "tuple_type": "a list",
    "too_long": _LINK,
    "too_short": "a list with an element",
    "dataclass_type": "a JSON object",
}
T = TypeVar("T")


def read_as(kind: type[T], value: object) -> T:
    """The value of a line as an object of a dataclass, whose fields say what it must hold.

    Raises FileProblem, with the place in the line, for the first field that is missing or not as declared.
    """
    try:
        read: T = _reader(kind).validate_python(value)
        return read
    except ValidationError as error:
        raise _field_problem(error.errors(include_url=False)[0]) from error


_reader: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def _field_problem(error: ErrorDetails) -> FileProblem:
    # Elements count from 1 for people: judgements 2.
    place: list[str] = []
    for step in error["loc"]:
        if isinstance(step, int) and place:
            place[-1] += f" {step + 1}"
        else:
            place.append(str(step))
    if error["type"] == "value_error":
        refused = error["ctx"]["error"]
        return FileProblem(f"{', '.join(['the line', *place])}: {refused.message}", refused.remedy)
    *around, name = place
    message, remedy = f"{name} is missing.", "Give the field, as the format's description shows it."
    if error["type"] == "unexpected_keyword_argument":
        message, remedy = f"{shortened(name)} is not a field of this format.", "Remove or rename it."
    elif error["type"] != "missing" or isinstance(error["loc"][-1], int):
        expected = _EXPECTED.get(error["type"], _LINK)
        message = f"{name} is not {expected}."
        remedy = "Correct the field, as the format's description shows it."
    return FileProblem(f"{', '.join(['the line', *around])}: {message}", remedy)


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
