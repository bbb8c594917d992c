"""Typed access to the fields of a JSON object that somebody else wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self, TypeGuard

from paragold.problems import FileProblem
from paragold.text.quoting import shortened


@dataclass
class Record:
    """One JSON object on its way in: every getter raises FileProblem when the field is not of its type.

    `path` says where the object stands, `finish` refuses fields that nobody asked for.
    """

    values: Mapping[str, object]
    path: str
    file: str
    line: int
    _taken: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, value: object, path: str, *, file: str, line: int) -> Self:
        """Raises FileProblem when the value is not an object."""
        if not isinstance(value, dict):
            raise FileProblem(f"{path} is not a JSON object.", "Write { ... }.", line=line, file=file)
        return cls(value, path, file, line)

    def error(self, message: str, remedy: str) -> FileProblem:
        """An error that names file, line and this object."""
        return FileProblem(f"{self.path}: {message}", remedy, line=self.line, file=self.file)

    def _get(self, name: str) -> object:
        if name not in self.values:
            raise self.error(f"{name} is missing.", "Give the field, as the format's description shows it.")
        self._taken.add(name)
        return self.values[name]

    def _refuse(self, name: str, wanted: str) -> FileProblem:
        return self.error(
            f"{name} is not {wanted}.", "Correct the field, as the format's description shows it."
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

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._refuse(name, "a list of strings")
        return tuple(value)

    def indices(self, name: str) -> tuple[int, ...]:
        value = self._get(name)
        if not isinstance(value, list) or not all(_is_index(item) for item in value):
            raise self._refuse(name, "a list of whole numbers, 0 or above")
        return tuple(value)

    def groups(self, name: str) -> list[list[str]]:
        value = self._get(name)
        if not _is_groups(value):
            raise self._refuse(name, "a list of lists of ids")
        return value

    def record(self, name: str) -> "Record":
        return Record.of(self._get(name), f"{self.path}, {name}", file=self.file, line=self.line)

    def records(self, name: str) -> "list[Record]":
        value = self._get(name)
        if not isinstance(value, list):
            raise self._refuse(name, "a list of objects")
        return [
            Record.of(item, f"{self.path}, {name} {number}", file=self.file, line=self.line)
            for number, item in enumerate(value, start=1)
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
