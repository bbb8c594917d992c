"""The declaration of a format of judged pairs, and what all of them share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paragold.formats.answers import AnnotatorChoice, Unknown, annotator_names
from paragold.formats.judgements.gold_jsonl import GoldPair
from paragold.problems import FileProblem, quoted

BINARY, THREE_WAY = "binary", "three_way"
SCHEMES = {
    BINARY: ("paraphrase", "not_paraphrase"),
    THREE_WAY: ("paraphrase", "partial", "unrelated"),
}
_NUMBERS = {"1": "paraphrase", "0": "not_paraphrase"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRules:
    """The rules that turn the labels and scores of a file into labels.

    threshold, partial_threshold: similarities, 0 to 5. From the first on a pair is a paraphrase. With the
        second, which is lower, it is partial from there on, else unrelated; without, it is not a paraphrase.
    judge: whose judgements are read, of a file with those of several people; of pairs.jsonl a pseudonym, ""
        reads the gold labels.
    columns: field of PAIR_COLUMNS -> the column of a table, or the field of JSON Lines, where it is not
        called as usual; "" leaves the field out. Columns of a table without a header are numbers from 1.
    """

    threshold: float | None = None
    partial_threshold: float | None = None
    judge: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two sentences and what was said of them; `label` is None when the pair was skipped.

    `key` is what the file calls the pair, or its line. `whole` is the pair of pairs.jsonl it came as.
    """

    key: str
    a: str
    b: str
    label: str | None
    line: int = 0
    comment: str = ""
    flagged: bool = False
    whole: GoldPair | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFormat:
    """A format of judged pairs.

    begins: whether a file is in it, by its beginning, from the first line with text; it decides where no
        format is named.
    records: the records of a file's text, read by these rules, each with its line, from 1; by default lines
        that are not blank.
    of_annotator: the record as `parse` takes it, where it is of the person whose answers are read, else None.
    parse: the pair of a record; None for one that is left out. What it does not read it counts in the last
        argument. Raises FileProblem.
    write: the text of some pairs in a file that has so many already; None for formats that are only read
        here. `end` follows the last pair, and `extension` ends the file's name.
    beside: the texts of files, by name, that are written beside pairs of a scheme.
    """

    id: str
    label: str
    begins: Callable[[str, LabelRules], bool]
    parse: Callable[[Any, int, LabelRules, Unknown], JudgedPair | None]
    records: Callable[[str, LabelRules, Unknown], Iterator[tuple[int, Any]]] | None = None
    of_annotator: Callable[[Any, AnnotatorChoice, Unknown], Any] = lambda record, choice, unknown: (
        record if choice.reads(annotator_names(record)) else None
    )
    write: Callable[[Sequence[JudgedPair], int], str] | None = None
    end: str = ""
    extension: str = ""
    help: str = ""
    beside: Callable[[str], Mapping[str, str]] = lambda scheme: {}

    def file_name(self, stem: str) -> str:
        return f"{stem}{self.extension}"


def first_line(head: str) -> str:
    return head.split("\n", 1)[0].removesuffix("\r")


def label_of(value: object) -> str:
    """The label that a value is, with spaces or hyphens for "_". Raises FileProblem for any other value."""
    name = str(int(value)) if isinstance(value, bool) else str(value).strip().lower()
    name = _NUMBERS.get(name, name.replace(" ", "_").replace("-", "_"))
    if name not in {*SCHEMES[BINARY], *SCHEMES[THREE_WAY]}:
        remedy = "Write 1 or 0, or one of: paraphrase, not_paraphrase, partial, unrelated."
        if is_number(name):
            remedy += " A similarity needs a threshold."
        raise FileProblem(f"The label is {quoted(value)}.", remedy)
    return name


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def field_of_type(values: Mapping[str, Any], name: str, expected: type, default: Any) -> Any:
    """A field of a record. Raises FileProblem when it is not text, a list, or true or false."""
    value = values.get(name, default)
    if not isinstance(value, expected):
        kinds: dict[type, str] = {str: "text in double quotes", list: "a list"}
        words = kinds.get(expected, "true or false")
        raise FileProblem(f"{name} is not {words}.", "Correct the field.")
    return value


def both_texts(values: Mapping[str, Any]) -> tuple[str, str]:
    """The sentences of a record: its fields `a` and `b`, or the two lines of its `text`.

    Raises FileProblem for a record without them.
    """
    if "a" in values or "b" in values:
        a, b = (field_of_type(values, name, str, "") for name in "ab")
        return a, b
    lines = field_of_type(values, "text", str, "").split("\n")
    if len(lines) != 2:
        raise FileProblem(
            f"The text has {len(lines)} lines.", "Give the sentences as a and b, or as two lines of text."
        )
    return lines[0], lines[1]
