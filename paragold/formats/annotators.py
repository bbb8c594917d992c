"""Files with the answers of several people: who gave an answer, and whose answers are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from paragold.formats.json_lines import parse_object
from paragold.problems import FileProblem, quoted, shortened

# Fields and columns that name who gave an answer, in lower case: the first of them that is there is shown.
ANNOTATOR_FIELDS = (
    *("annotator", "annotator_id", "_annotator_id", "annotated_by", "judge", "rater", "coder", "worker"),
    *("worker_id", "workerid", "user", "user_id", "username", "completed_by", "created_by"),
    *("session", "session_id", "_session_id"),
)
NAMES_SHOWN = 5
# What to do about problems that another choice of the judge solves.
CHOOSE_ONE = "Choose whose are read: judge (--judge) takes one of these names."
CHOOSE_NOBODY = "Leave judge (--judge) empty."
_FIELD = re.compile(rf'(?<!\\)"(?:{"|".join(ANNOTATOR_FIELDS)})"\s*:', re.IGNORECASE)
# Of a person that is an object: what people call it comes first.
_PERSON = ("email", "username", "name", "id")

Record = TypeVar("Record")


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
        if self.is_open:
            raise FileProblem(
                f"The file has the answers of {len(self._people):,} {self.who}: {self._in_words()}.",
                CHOOSE_ONE,
            )
        if not self.judge or self._has_read:
            return
        if not self._people:
            raise FileProblem("The file does not say whose answers it has.", CHOOSE_NOBODY)
        raise FileProblem(
            f"The file has no pair by {quoted(self.judge)}; it has pairs by {self._in_words()}.",
            CHOOSE_ONE,
        )

    def _in_words(self) -> str:
        names = [shortened(name) for name in list(self._people)[:NAMES_SHOWN]]
        if more := len(self._people) - len(names):
            names.append(f"{more:,} more")
        return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
