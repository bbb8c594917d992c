"""Texts as lines of tab-separated text: an id and the text, a paragraph or a sentence a line.

With a header, the column `text` is the text, and `id` or the first column that ends in `_id` names it (else
the first column); further columns are passed over. Without a header, lines are id, text. Quotation marks are
ordinary characters, blank lines and a byte order mark are passed over.
"""

from dataclasses import dataclass
from pathlib import Path

from paragold.formats.text_files import decoded_lines
from paragold.problems import FileProblem
from paragold.text.quoting import quoted


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text and its name; `line` counts from 1."""

    key: str
    text: str
    line: int


def read_paragraphs(path: Path, *, encoding: str = "utf-8") -> list[Paragraph]:
    """The texts of a file in order.

    Raises FileProblem with every faulty line: a wrong number of columns, an empty id or text, an id that
    stands twice; and for a file that cannot be read or has no texts.
    """
    problems: list[FileProblem] = []
    paragraphs: list[Paragraph] = []
    lines_of: dict[str, int] = {}
    columns: tuple[int, int, int] | None = None
    for number, line in decoded_lines(path, encoding, problems):
        fields = line.split("\t")
        try:
            if columns is None:
                columns, is_header = _columns(fields)
                if is_header:
                    continue
            paragraph = _paragraph(fields, columns, number)
            earlier = lines_of.setdefault(paragraph.key, number)
            if earlier != number:
                raise FileProblem(
                    f"The id {quoted(paragraph.key)} is also on line {earlier}.", "Give each text its own."
                )
            paragraphs.append(paragraph)
        except FileProblem as refusal:
            problems.append(refusal.at(number))
            if columns is None:
                break
    if not paragraphs and not problems:
        problems.append(FileProblem("There is no text in it.", "Give lines with an id and a text."))
    if problems:
        raise FileProblem.of(problems, file=str(path))
    return paragraphs


def _columns(fields: list[str]) -> tuple[tuple[int, int, int], bool]:
    """Indices of id and text and the number of columns; and whether the line is a header."""
    names = [field.strip().lower() for field in fields]
    if "text" in names and len(names) > 1:
        text = names.index("text")
        named = [index for index, name in enumerate(names) if name == "id"]
        named += [index for index, name in enumerate(names) if name.endswith("_id")]
        return (named[0] if named else int(text == 0), text, len(names)), True
    if len(fields) == 2:
        return (0, 1, 2), False
    raise FileProblem(
        f"The first line has {len(fields)} columns separated by tabs and is no header with the column text.",
        "Give lines of id TAB text, or a header that names the columns id and text.",
    )


def _paragraph(fields: list[str], columns: tuple[int, int, int], line: int) -> Paragraph:
    key_column, text_column, count = columns
    if len(fields) != count:
        raise FileProblem(f"{len(fields)} columns instead of {count}.", "Part the columns by single tabs.")
    key, text = fields[key_column].strip(), fields[text_column].strip()
    if not key:
        raise FileProblem("The id is empty.", "Name each text.")
    if not text:
        raise FileProblem(f"The text of {quoted(key)} is empty.", "Give a text, or leave the line out.")
    return Paragraph(key, text, line)
