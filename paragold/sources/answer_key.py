"""An answer key: which texts correspond, as lines of tab-separated text.

The first two columns hold ids parted by commas, `-` where a text has no counterpart; further columns are
passed over. All ids of a line correspond. A first line without any id that is known is a header.
"""

from collections.abc import Collection
from pathlib import Path

from paragold.formats.text_files import decoded_lines
from paragold.problems import FileProblem
from paragold.text.quoting import quoted

NO_COUNTERPART = "-"


def read_answer_key(
    path: Path, known: Collection[str], *, encoding: str = "utf-8"
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The ids of the first and the second column of each line that has some in both.

    `known` are the ids of the texts; one that is not among them is a fault. Raises FileProblem with every
    faulty line, and for a file that cannot be read or joins no texts.
    """
    problems: list[FileProblem] = []
    rows: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    at_start = True
    for number, line in decoded_lines(path, encoding, problems):
        fields = line.split("\t")
        try:
            if len(fields) < 2:
                raise FileProblem("One column instead of two.", "Part the ids of both sides by a tab.")
            first, second = _ids(fields[0]), _ids(fields[1])
            unknown = [key for key in first + second if key not in known]
            if at_start and unknown and len(unknown) == len(first + second):
                at_start = False
                continue
            at_start = False
            if unknown:
                raise FileProblem(
                    f"There is no text with the id {quoted(unknown[0])}.",
                    "Correct the id, or give the key that belongs to the files.",
                )
            if first and second:
                rows.append((first, second))
        except FileProblem as refusal:
            problems.append(refusal.at(number))
    if not rows and not problems:
        problems.append(FileProblem("It joins no texts.", "Give lines of ids TAB ids."))
    if problems:
        raise FileProblem.of(problems, file=str(path))
    return rows


def _ids(field: str) -> tuple[str, ...]:
    keys = [key.strip() for key in field.split(",")]
    if keys == [NO_COUNTERPART]:
        return ()
    if not all(keys):
        raise FileProblem("An id is empty.", f"Part ids by single commas; write {NO_COUNTERPART} for none.")
    return tuple(keys)
