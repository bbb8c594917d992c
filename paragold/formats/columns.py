"""Which column of a table, or field of an object, holds what: by its usual names, or as people choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from paragold.problems import FileProblem, quoted, shortened

NAMES_BYTES = 1_000
CHOOSE_IT = "Choose it"
"""How the remedy begins where a field has no column."""


@dataclass(frozen=True)
class Columns:
    """The fields of a record, each with the names that its column usually has: lower case, "_" for spaces."""

    usual: Mapping[str, Sequence[str]]

    def mapping(self, columns: Sequence[str], chosen: Mapping[str, str] | None = None) -> dict[str, str]:
        """Field -> column, for the fields that have one.

        `chosen` goes before the usual names; an empty column in it leaves the field out, and a column that it
        names is no other field's. Raises FileProblem for a field or column that is not there.
        """
        chosen = chosen or {}
        for field, column in chosen.items():
            if field not in self.usual:
                raise FileProblem(f"{quoted(field)} is not a field.", f"Choose from {', '.join(self.usual)}.")
            if column and column not in columns:
                raise FileProblem(
                    f"There is no column {quoted(column)}.", f"The columns are: {named(columns)}."
                )
        taken = set(chosen.values())
        by_name = {
            column.strip().lower().replace(" ", "_"): column
            for column in reversed(columns)
            if column not in taken
        }
        usual = {
            field: by_name[name]
            for field, names in self.usual.items()
            for name in [next((name for name in names if name in by_name), None)]
            if name and field not in chosen
        }
        return usual | {field: column for field, column in chosen.items() if column}


def named(columns: Iterable[str]) -> str:
    """The columns in a sentence, shortened."""
    return shortened(", ".join(shortened(column) for column in columns), NAMES_BYTES)


def choice_from_words(words: Iterable[str]) -> dict[str, str]:
    """Field -> column of arguments `FIELD=COLUMN`. Raises FileProblem for one without "="."""
    chosen = {}
    for word in words:
        field, equals, column = word.partition("=")
        if not equals:
            raise FileProblem(f"{quoted(word)} is no choice of a column.", "Write FIELD=COLUMN.")
        chosen[field.strip()] = column.strip()
    return chosen
