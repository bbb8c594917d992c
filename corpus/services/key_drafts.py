"""Answer keys of two uploaded texts: drafted, corrected by a person, nothing of them kept here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from paragold.matching.files import NO_COUNTERPART, Paragraph, places_of, read_answer_key
from paragold.matching.key_drafts import KeyDraftSpec, draft_key, key_rows
from paragold.parsing.process import limited
from projects.errors import PublicError

from .matching_studies import check_size, naming, pairs_of_texts, read_texts

# Two seconds of work.
MAX_COMPARISONS = 6_000_000
Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A row of the key, as it is written, and the texts of each side; `joined`: both sides have some."""

    ids: Row
    first: list[Paragraph]
    second: list[Paragraph]

    @property
    def joined(self) -> bool:
        return all(map(ids_of, self.ids))


def drafted(
    *,
    files: Sequence[tuple[Path, str]],
    spec: KeyDraftSpec,
    key: tuple[Path, str] | None = None,
    encoding: str = "utf-8",
) -> list[DraftRow]:
    """The rows of a draft in order, or those of a key that is being corrected; every text is in one.

    files, key: each a path and what the file is called. Raises PublicError for files that cannot be used and
    for more than MAX_COMPARISONS pairs of texts.
    """
    first, second = read_texts(files, encoding=encoding)
    if pairs_of_texts([len(first), len(second)]) > MAX_COMPARISONS:
        raise PublicError(
            f"More than {MAX_COMPARISONS:,} pairs of texts. Upload one chapter at a time, or use "
            "`manage.py draft_key` on the server, which has no limit.",
            field="first",
        )
    beads = draft_key([one.text for one in first], [one.text for one in second], spec) if not key else []
    rows = key_rows(beads, first, second)
    if key:
        check_size("key", key)
        places = places_of([path for path, _ in files], (first, second))
        with naming("key", key):
            given = limited(read_answer_key, key[0], frozenset(places), encoding=encoding)
        rows = [(",".join(a), ",".join(b)) for a, b in given]
        rows = completed(rows, [one.key for one in first], [one.key for one in second])
    sides = [{one.key: one for one in texts} for texts in (first, second)]
    return [
        DraftRow(row, *([side[one] for one in ids_of(cell)] for side, cell in zip(sides, row, strict=True)))
        for row in rows
    ]


def ids_of(cell: str) -> list[str]:
    return [one for one in cell.split(",") if one not in ("", NO_COUNTERPART)]


def completed(joined: Sequence[Row], first: Sequence[str], second: Sequence[str]) -> list[Row]:
    """The rows of both sides, by their place in the first file, and one without counterpart for other ids."""
    order = [{key: place for place, key in enumerate(side)} for side in (first, second)]
    rows = sorted(joined, key=lambda row: min(order[0][one] for one in ids_of(row[0])))
    used = {one for row in rows for cell in row for one in ids_of(cell)}
    rows += [(one, NO_COUNTERPART) for one in first if one not in used]
    return rows + [(NO_COUNTERPART, one) for one in second if one not in used]


def corrected(rows: Sequence[Row], removed: Collection[int], added: str) -> list[Row]:
    """The key with rows of these places taken apart and lines of `ids TAB ids` (or spaces) added.

    Raises PublicError for a line that is no such row or names an id that no row of that side has.
    """
    first = [one for row in rows for one in ids_of(row[0])]
    second = [one for row in rows for one in ids_of(row[1])]
    known = set(first), set(second)
    joined = [row for place, row in enumerate(rows) if all(map(ids_of, row)) and place not in removed]
    for number, line in enumerate(added.splitlines(), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 2 or not all(map(ids_of, cells)):
            raise PublicError(
                f"Line {number} is not two lists of ids. Write ids, a space, ids.", field="added"
            )
        for cell, side in zip(cells, known, strict=True):
            if missing := [one for one in ids_of(cell) if one not in side]:
                raise PublicError(
                    f"Line {number}: there is no text {missing[0]} on that side.", field="added"
                )
        joined.append((cells[0], cells[1]))
    return completed(joined, first, second)
