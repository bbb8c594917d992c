"""What readers of people's answers share: whose are read, what is not read, what contradicts itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Generic, TypeVar

from paragold.formats.json_lines import parse_object
from paragold.problems import FileProblem, quoted, shortened

# Fields and columns that name who gave an answer, in lower case: the first of them that is there is shown.
ANNOTATOR_FIELDS = (
    *("annotator", "annotator_id", "_annotator_id", "annotated_by", "judge", "rater", "coder", "worker"),
    *("worker_id", "workerid", "user", "user_id", "username", "completed_by", "created_by"),
    *("session", "session_id", "_session_id"),
)
# What to do about problems that another choice of the judge solves.
CHOOSE_ONE = "Choose whose are read: judge (--judge) takes one of these names."
CHOOSE_NOBODY = "Leave judge (--judge) empty."
PEOPLE_SHOWN = CONTRADICTIONS_SHOWN = 5
UNKNOWN_SHOWN = 20
_FIELD = re.compile(rf'(?<!\\)"(?:{"|".join(ANNOTATOR_FIELDS)})"\s*:', re.IGNORECASE)
# Of a person that is an object: what people call it comes first.
_PERSON = ("email", "username", "name", "id")

Record = TypeVar("Record")
Unknown = Counter[str]
"""Parts of a file that are not read, by name such as "field score", with their counts."""


def annotator_names(record: object) -> tuple[str, ...]:
    """The names of the person whose answer a record is, the one to show first; none if it does not say.

    A record is an object, a row by its columns, or a line of JSON.
    """
    if isinstance(record, str):
        record = parse_object(record) if _FIELD.search(record) else None
    if not isinstance(record, Mapping):
        return ()
    fields = {str(name).lower(): value for name, value in record.items()}
    return tuple(name for field in ANNOTATOR_FIELDS for name in _names(fields.get(field)))


def _names(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        values = [value.get(name) for name in _PERSON] + list(value.values())
        return [name for each in values if not isinstance(each, Mapping) for name in _names(each)]
    if value is None or isinstance(value, bool | list) or not str(value).strip():
        return []
    return [str(value).strip()]


@dataclass(slots=True)
class PairsRead(Generic[Record]):
    """The content of files of linked or judged pairs; `format` is an id, `unknown` counts what was not read.

    With problems nothing of it may be used. `contradictions` says in a sentence which pairs have the same
    sentences and different answers, and what else is odd; "" for nothing. `origins` are the models of
    predictions and their scores, in words, by the keys of the pairs.
    """

    pairs: list[Record] = field(default_factory=list)
    format: str = ""
    unknown: Unknown = field(default_factory=Counter)
    contradictions: str = ""
    origins: Mapping[str, str] = field(default_factory=dict)
    problems: list[FileProblem] = field(default_factory=list)


class AnnotatorChoice:
    """Whose answers of a file are read: those of `judge`, one of a person's names, or of the only person.

    `reads` is asked for every answer, and `check` at the end of the file.
    """

    def __init__(self, judge: str = "") -> None:
        self.judge = judge.strip()
        self.who = "people"
        self._people: dict[str, None] = {}
        self._has_read = False

    @property
    def is_open(self) -> bool:
        """Whether there are several people of whom none was chosen: then nothing more is read."""
        return not self.judge and len(self._people) > 1

    def reads(self, names: Sequence[str]) -> bool:
        """Whether the answer of the person with these names is read."""
        if names:
            self._people.setdefault(names[0])
        is_read = self.judge in names if self.judge else not self.is_open
        self._has_read = self._has_read or is_read
        return is_read

    def read_anyway(self) -> None:
        """An answer is read whose format chooses by itself."""
        self._has_read = True

    def chosen(self, records: Iterable[tuple[int, Record]]) -> Iterator[tuple[int, Record]]:
        """The records, each with its line, that are read."""
        return ((line, record) for line, record in records if self.reads(annotator_names(record)))

    def check(self) -> None:
        """Raise FileProblem, naming the people, where none was chosen of several, or one who is not there."""
        names = [shortened(name) for name in list(self._people)[:PEOPLE_SHOWN]]
        if more := len(self._people) - len(names):
            names.append(f"{more:,} more")
        people = " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
        if self.is_open:
            message = f"The file has the answers of {len(self._people):,} {self.who}: {people}."
            raise FileProblem(message, CHOOSE_ONE)
        if self.judge and not self._has_read:
            if not people:
                raise FileProblem("The file does not say whose answers it has.", CHOOSE_NOBODY)
            message = f"The file has no pair by {quoted(self.judge)}; it has pairs by {people}."
            raise FileProblem(message, CHOOSE_ONE)


def count_fields(record: Mapping[str, object], known: Collection[str], unknown: Unknown) -> None:
    """Count the filled fields of a record that are not read; those that name an annotator are."""
    for name, value in record.items():
        if name not in known and value and name.lower() not in ANNOTATOR_FIELDS:
            unknown[f"field {name}"] += 1


def most_frequent(unknown: Mapping[str, int]) -> dict[str, int]:
    """The parts with the highest counts, at most 20 with short names, and the sum of all others."""
    ordered = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))
    shown = {shortened(name): count for name, count in ordered[:UNKNOWN_SHOWN]}
    others = sum(count for _, count in ordered[UNKNOWN_SHOWN:])
    return shown | ({f"{len(ordered) - UNKNOWN_SHOWN:,} others": others} if others else {})


def unknown_in_words(unknown: Mapping[str, int]) -> str:
    """The parts that were not read in words: `field score (12), relation label PART (3)`; "" for none."""
    return ", ".join(f"{name} ({count:,})" for name, count in most_frequent(unknown).items())


class Contradictions:
    """Finds pairs of a file with the same two sentences and different answers, as they come.

    What differs, such as "labels", is `noun`. As text it is a sentence that names the lines; "" for none.
    `pairs` is the number of pairs so far.
    """

    def __init__(self, noun: str) -> None:
        self.pairs = 0
        self._noun = noun
        self._first: dict[bytes, tuple[int, str, int]] = {}
        self._shown: list[str] = []
        self._count = 0

    def add(self, a: str, b: str, answer: Hashable, key: str, line: int, *, swapped: Hashable) -> None:
        """A pair with its answer, and what the answer is if its sentences change places.

        White space in sentences counts only as a separator.
        """
        self.pairs += 1
        a, b = " ".join(a.split()), " ".join(b.split())
        if a > b:
            a, b, answer = b, a, swapped
        digest = sha256(f"{a}\0{b}".encode("utf-8", "surrogatepass")).digest()[:16]
        earlier, earlier_key, earlier_line = self._first.setdefault(digest, (hash(answer), key, line))
        if earlier == hash(answer):
            return
        self._count += 1
        if self._count <= CONTRADICTIONS_SHOWN:
            named = {earlier_key, key} <= {str(earlier_line), str(line)}
            ids = "" if named else f" (ids {shortened(earlier_key)}, {shortened(key)})"
            self._shown.append(f"lines {earlier_line} and {line}{ids}")

    def __str__(self) -> str:
        if not self._count:
            return ""
        more = self._count - CONTRADICTIONS_SHOWN
        also = f"; and {more:,} more" if more > 0 else ""
        return f"The same two sentences have different {self._noun}: {'; '.join(self._shown)}{also}."
