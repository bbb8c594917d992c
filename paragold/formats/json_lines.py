"""JSON Lines: one object a line, read strictly, with typed access to its fields.

No doubled keys, no NaN, no half characters, bounded depth.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config

from paragold import limits
from paragold.problems import FileProblem, located, shortened

_MAYBE_BAD = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_BAD_CHARACTER = re.compile("[\0\ud800-\udfff]")
_ARRAY = "Give one JSON array of objects, complete to its closing bracket."
_TOO_LARGE = FileProblem(
    f"A number is too large: whole numbers have at most {limits.INTEGER_DIGITS} digits.",
    "Write it as a string, in double quotes.",
)
_TOO_DEEP = FileProblem(
    f"Lists and objects are nested more than {limits.JSON_DEPTH} deep.", "Leave out what is not needed."
)
_SPACE = re.compile(r"[ \t\n\r]*")


def parse_object(text: str) -> dict[str, Any]:
    """The object that a line holds. Raises FileProblem, with the column from 1 of broken JSON."""
    if "\0" in text:
        message = "The line holds a NUL character."
        raise FileProblem(message, "Remove it; the file may be damaged.", text.index("\0") + 1)
    try:
        value = _DECODER.decode(text)
        if _MAYBE_BAD.search(text) or text.count("[") + text.count("{") > limits.JSON_DEPTH:
            _check(value)
    except json.JSONDecodeError as error:
        remedy = "Correct the line, or write the file again with a JSON library."
        if text.strip() in {"{", "["}:
            remedy = (
                "The file seems to be a JSON list or object over many lines; write each object on one line."
            )
        elif text.lstrip().startswith("<"):
            remedy = "The file seems to be an HTML or XML page; give JSON, one object per line."
        elif error.msg == "Extra data":
            remedy = "Write one object per line."
        raise FileProblem(f"The line is not valid JSON: {error.msg}.", remedy, error.colno) from error
    except RecursionError as error:
        raise _TOO_DEEP from error
    if not isinstance(value, dict):
        kind = "a JSON list" if isinstance(value, list) else "valid JSON"
        raise FileProblem(f"The line is {kind} but not an object.", "Write { ... } on each line.", 1)
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise FileProblem(f'The key "{shortened(twice)}" occurs twice in one object.', "Keep one of them.")
    return value


def _no_constant(name: str) -> NoReturn:
    raise FileProblem(f"{name} is not a JSON number.", "Write null, or leave the key out.")


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > limits.INTEGER_DIGITS:
        raise _TOO_LARGE
    return int(digits)


def _real(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise _TOO_LARGE
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_no_constant, parse_int=_integer, parse_float=_real
)


def _check(value: object, allowed: int = limits.JSON_DEPTH) -> None:
    """Raises FileProblem for half characters, and for what is nested too deep."""
    if isinstance(value, str) and _BAD_CHARACTER.search(value):
        raise FileProblem(
            "A string holds a NUL character or half of a surrogate pair.",
            "Remove it, or write the whole character.",
        )
    if isinstance(value, dict | list):
        if not allowed:
            raise _TOO_DEEP
        for part in chain(value, value.values()) if isinstance(value, dict) else value:
            _check(part, allowed - 1)


def objects(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object of every numbered line; blank lines are passed over.

    Raises FileProblem, with the line, for one that is no JSON object.
    """
    for line, content in lines:
        if content.strip():
            with located(line):
                value = parse_object(content)
            yield line, value


def array_objects(text: str) -> Iterator[tuple[int, Any]]:
    """The elements of the array that a file is, each with the line it begins on.

    Raises FileProblem, with the line, for what is no array and for half characters.
    """
    decoder, line, counted = json.JSONDecoder(), 1, 0
    may_be_bad = _MAYBE_BAD.search(text) is not None
    at = _after_space(text, 0)
    if not text.startswith("[", at):
        raise FileProblem("is not a JSON array.", _ARRAY, line=1)
    at = _after_space(text, at + 1)
    separator = "]" if text.startswith("]", at) else ","
    if separator == "]":
        at = _after_space(text, at + 1)
    while separator == ",":
        line += text.count("\n", counted, at)
        counted = at
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:  # ValueError: also a number of more than 4,300 digits
            problem = FileProblem(f"is not JSON ({error}).", _ARRAY, line=getattr(error, "lineno", line))
            raise problem from error
        if may_be_bad:
            with located(line):
                _check(value)
        yield line, value
        at = _after_space(text, at)
        separator = text[at : at + 1]
        at = _after_space(text, at + 1)
    if separator != "]" or at < len(text):
        line += text.count("\n", counted, at)
        raise FileProblem("is not JSON: a comma or the end of the array is expected.", _ARRAY, line=line)


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


# Values of fields, for dataclasses that `read_as` reads.
Filled = Annotated[str, Field(min_length=1)]
Name = Annotated[str, Field(coerce_numbers_to_str=True)]
"""Text or a number; 17 is "17"."""
Id = Annotated[Name, Field(min_length=1)]
WholeNumber = Annotated[int, Field(strict=True)]
Index = Annotated[int, Field(ge=0, strict=True)]
Flag = Annotated[bool, Field(strict=True)]
no_other_fields = with_config(ConfigDict(extra="forbid"))
"""Decorates a dataclass: a field that it does not declare is refused, since it would be lost."""
_reader: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)
_FAULTS = {
    "missing": "is missing",
    "unexpected_keyword_argument": "is not a field of this format",
    "dataclass_type": "should be an object",
    "dict_type": "should be an object",
    "tuple_type": "should be a list",
}
CORRECT = "Correct it, as the format's description shows it."
T = TypeVar("T")


def read_as(kind: type[T], value: object, *, within: Sequence[str] = ()) -> T:
    """The value of a line as a type says: a dataclass, for one, whose fields say what it must hold.

    Raises FileProblem, with the place in the line, for the first field that is missing or not as declared;
    `within` are the names of what the value is in.
    """
    try:
        read: T = _reader(kind).validate_python(value)
        return read
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    place = ["the line"]
    for step in (*within, *fault["loc"]):
        # Elements count from 1 for people: judgements 2.
        if isinstance(step, int):
            place[-1] += f" {step + 1}"
        else:
            place.append(shortened(step))
    if fault["type"] == "value_error":
        refused = fault["ctx"]["error"]
        raise FileProblem(f"{', '.join(place)}: {refused.message}", refused.remedy)
    *around, name = place
    said = _FAULTS.get(fault["type"]) or fault["msg"].partition(" ")[2]  # "Input should be a valid string"
    raise FileProblem(f"{', '.join(around)}: {name} {said}.", CORRECT)


_NEEDED = object()


def field_of(
    record: Mapping[str, Any], name: str, kind: Any, default: Any = _NEEDED, *, place: str = ""
) -> Any:
    """A field of an object, of any type that `read_as` takes; `place` is what the object is in its line.

    Raises FileProblem for one that is not as the type says, and where there is none and no default.
    """
    if name in record:
        return read_as(kind, record[name], within=[place, name] if place else [name])
    if default is _NEEDED:
        raise FileProblem(f"{', '.join(filter(None, ('the line', place)))}: {name} is missing.", CORRECT)
    return default
