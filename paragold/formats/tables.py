"""Tables: the only place that reads and writes CSV; tab-separated lines, and Parquet with typed columns.

The same rows give the same bytes.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from paragold import limits
from paragold.formats.answers import ANNOTATOR_FIELDS
from paragold.formats.text_files import HEAD_BYTES, TextLines, text_blocks, text_head, whole_file
from paragold.packages import needed
from paragold.problems import FileProblem, located, quoted, shortened

COLUMNS = 500
ROWS_SHOWN = 5
NAMES_BYTES = 1_000
CHOOSE_IT = "Choose it"
"""How the remedy begins where a field has no column."""
# The module's own limit (128 KiB) is that of the whole process; nothing else here reads CSV that has one.
csv.field_size_limit(limits.CLUSTER_BYTES)
# A spreadsheet takes UTF-8 for what it is when the file begins with a byte order mark.
CSV_START = "\ufeff"
ROWS_A_GROUP = 20_000
# Beginnings that make a spreadsheet take a cell for a formula (OWASP, "CSV injection").
_SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_CONTROLS = ("\t", "\r", "\n")
# Characters that some reader takes for the end of a column or of a line, or that UTF-8 cannot hold.
UNWRITABLE = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?", re.ASCII)
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]+")
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
SEPARATOR_LINE = re.compile(r"\A\ufeff?sep=[,;\t]\r?\n", re.IGNORECASE)
"""The line before a table by which Excel is told the separator."""
_TEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": "$<$", ">": "$>$", "≤": r"$\leq$", "≥": r"$\geq$",
}  # fmt: skip


# Columns


# Columns that tell what a file is, and where such files are imported.
_DOORS = {
    "judged pairs": (
        "Judge, Import judgements",
        (
            "sentence1 sentence2",
            "question1 question2",
            "sentence_a sentence_b",
            "premise hypothesis",
            "a b label",
        ),
    ),
    "word links": ("Link, Import links", ("source target sure",)),
    "articles": (
        "Corpus, Import articles",
        ("articles", "cluster_id text", "cluster_id sentences", "title text"),
    ),
}


@dataclass(frozen=True)
class Columns:
    """The fields of a record, each with the names that its column usually has: lower case, "_" for spaces.

    `kind` is what the records are, one of "judged pairs", "word links" and "articles".
    """

    usual: Mapping[str, Sequence[str]]
    kind: str = ""

    def wrong_door(self, columns: Iterable[str]) -> str:
        """Where a file with these columns is imported, if it looks like one of another kind; else ""."""
        names = {column.strip().lower().replace(" ", "_") for column in columns}
        for kind, (door, signs) in _DOORS.items():
            if kind != self.kind and any(names.issuperset(sign.split()) for sign in signs):
                return f"This looks like {kind}: {door}."
        return ""

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


# Writing


def latex_text(text: str) -> str:
    """The text with what TeX reads as a command in plain text escaped."""
    return re.sub(r"[\\~^<>≤≥&%$#_{}]", lambda match: _TEX.get(match[0], f"\\{match[0]}"), text)


def latex_table(columns: str, *blocks: Iterable[Sequence[Any]]) -> str:
    """A LaTeX `tabular` that needs no package, a rule before each block of lines and at the end.

    Cells are written as LaTeX has them; see `latex_text`. None is an empty cell.
    """
    lines = [rf"\begin{{tabular}}{{{columns}}}"]
    for block in blocks:
        lines += [
            r"\hline",
            *(" & ".join("" if cell is None else str(cell) for cell in line) + r" \\" for line in block),
        ]
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def csv_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A whole CSV file for spreadsheets; see `csv_lines`."""
    return CSV_START + csv_lines([head, *rows])


def exact_lines(rows: Iterable[Sequence[Any]], *, separator: str = ",") -> str:
    """Lines of CSV, or TSV, for programs that read them back: every text as it is. Not for spreadsheets."""
    lines = io.StringIO(newline="")
    plain = csv.writer(lines, delimiter=separator, lineterminator="\n")
    # A carriage return within a text would end the line for its reader; `csv` does not quote it here.
    quoting = csv.writer(lines, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows = list(rows)
    special = re.compile('[\t\n\r"]' if separator == "\t" else "\r")
    quoted_rows = [any(isinstance(cell, str) and special.search(cell) for cell in row) for row in rows]
    # Names of columns in quotation marks say that those of tab-separated cells are not part of the texts.
    quote_all = separator == "\t" and any(quoted_rows)
    for row, is_quoted in zip(rows, quoted_rows, strict=True):
        (quoting if is_quoted or quote_all else plain).writerow(row)
    return lines.getvalue()


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Lines of CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it.

    Numbers stay numbers, negative ones too; None is an empty cell.
    """
    lines = io.StringIO(newline="")
    csv.writer(lines, lineterminator="\r\n").writerows(
        [harmless(value) if isinstance(value, str) else value for value in row] for row in rows
    )
    return lines.getvalue()


def harmless(text: str) -> str:
    """The text, or with an apostrophe before it where a spreadsheet would take it for a formula.

    Spreadsheets pass white space over, and take a number with a sign for the number that it is.
    """
    if not text.lstrip().startswith(_SIGNS) and not text.startswith(_CONTROLS):
        return text
    return text if _NUMBER.fullmatch(text) else f"'{text}"


def parquet_schema(columns: Mapping[str, type]) -> Any:
    """The schema of columns of `str`, `int` (32 bits) and `bool`, none of which may be empty."""
    with needed("many"):
        import pyarrow as pa
    kinds = {str: pa.string(), int: pa.int32(), bool: pa.bool_()}
    return pa.schema([pa.field(name, kinds[kind], nullable=False) for name, kind in columns.items()])


def record_batch(rows: Sequence[Sequence[Any]], schema: Any) -> Any:
    """Rows, of which there is at least one, as Arrow columns."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([list(cells) for cells in zip(*rows, strict=True)], schema=schema)


class ParquetTable:
    """A Parquet file to which rows are added, written in groups; `columns` as for `parquet_schema`."""

    def __init__(self, path: Path, columns: Mapping[str, type]) -> None:
        self._schema = parquet_schema(columns)
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting = self._schema.empty_table()

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self.add_batch(record_batch(rows, self._schema))

    def add_batch(self, batch: Any) -> None:
        import pyarrow as pa

        self._waiting = pa.concat_tables([self._waiting, pa.Table.from_batches([batch], self._schema)])
        while self._waiting.num_rows >= ROWS_A_GROUP:
            self._writer.write_table(self._waiting.slice(0, ROWS_A_GROUP).combine_chunks())
            self._waiting = self._waiting.slice(ROWS_A_GROUP)

    def close(self) -> None:
        if self._waiting.num_rows:
            self._writer.write_table(self._waiting.combine_chunks())
        self._writer.close()


class CsvTable:
    """A CSV file for spreadsheets, to which rows are added; without `header`, a later part of one."""

    def __init__(self, path: Path, columns: Iterable[str], *, header: bool = True) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        if header:
            self._file.write(CSV_START + csv_lines([tuple(columns)]))

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        self._file.write(csv_lines(rows))

    def close(self) -> None:
        self._file.close()


def reversible(text: str) -> str:
    """The text with one more apostrophe if it looks like a formula that is protected by one."""
    return f"'{text}" if _is_protected(text) else text


def _is_protected(cell: str) -> bool:
    bare = cell.lstrip("'")
    return cell.startswith("'") and harmless(bare) != bare


def write_tsv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Tab-separated lines with a header, complete or not at all. Raises OSError."""
    with whole_file(path) as file:
        file.writelines(line.encode() for line in tsv_lines(columns, rows))


def tsv_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of such a file, header first."""
    yield "\t".join(columns) + "\n"
    for row in rows:
        yield "\t".join(UNWRITABLE.sub(" ", field) for field in row) + "\n"


# Reading


TableHead = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""The names of a table's columns and its first rows."""


def read_head(path: Path, *, encoding: str = "utf-8") -> TableHead:
    """The header and the first rows of a file, by which a mapping of columns is chosen.

    Raises FileProblem when there is no header that can be used.
    """
    return _head(path, encoding)[1:]


def _head(path: Path, encoding: str) -> tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The separator ("," or a tab or ";"), the names of the columns and the first rows."""
    text, whole = text_head(path, encoding)
    if not whole:
        # The last line may be cut off.
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
        if not text:
            raise FileProblem(
                f"The first line is longer than {HEAD_BYTES >> 10} KB.",
                "Give a CSV or TSV with a line of column names.",
            )
    separator = _separator(text)
    rows: list[list[str]] = []
    try:
        for _, row in _rows(partial(_lines_of, text), separator, cut=not whole):
            rows.append(row)
            if len(rows) > ROWS_SHOWN:
                break
    except FileProblem:
        # One in a later row is named when the table is read.
        if not rows:
            raise
    return separator, _column_names(rows[0]), tuple(map(tuple, rows[1:]))


class TableRows:
    """The rows of a CSV or TSV below its header, as (the line that a row begins on, its cells).

    Blank lines are passed over. Rows with more or fewer cells than the header go to `problems`. Reading
    ends at a row that is no CSV, and when there are `limits.PROBLEMS` problems. `share` is how much is read,
    0 to 1. Raises FileProblem as `read_head` does.
    """

    def __init__(self, path: Path, problems: list[FileProblem], *, encoding: str = "utf-8") -> None:
        self._separator, self.columns, _ = _head(path, encoding)
        self.problems = problems
        self.share = 0.0
        self._path = path
        self._encoding = encoding

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        width = len(self.columns)
        size = max(1, self._path.stat().st_size)
        with self._path.open("rb") as file:

            def read() -> Iterable[str]:
                file.seek(0)
                blocks = text_blocks(file, self._encoding)
                return chain.from_iterable(io.StringIO(block, newline="") for block in blocks)

            try:
                rows = _rows(read, self._separator)
                next(rows)
                for line, row in rows:
                    self.share = min(1.0, file.tell() / size)
                    if len(self.problems) >= limits.PROBLEMS:
                        return
                    if len(row) == width:
                        yield line, row
                    else:
                        self.problems.append(_wrong_width(row, width, line, self._separator))
            except FileProblem as problem:
                self.problems.append(problem)


def _separator(text: str) -> str:
    """That of the table that a text begins with. Raises FileProblem for a text that is none."""
    if not text.strip():
        raise FileProblem("The file is empty.", "Give a header and a row for each article.")
    header = re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    separator = max("\t,;", key=header.count)
    if separator not in header:
        raise FileProblem(
            "The first line has no tab, comma or semicolon: it is not a table header.",
            "Give a CSV or TSV with a line of column names.",
        )
    return separator


def _column_names(header: Sequence[str]) -> tuple[str, ...]:
    """The names of columns; one without a name, such as the index of pandas, is called by its place."""
    columns = tuple(name if name.strip() else f"column {at}" for at, name in enumerate(header, start=1))
    if len(columns) > COLUMNS:
        raise FileProblem(f"The table has more than {COLUMNS} columns.", "Remove those that are not needed.")
    if twice := [name for name, count in Counter(columns).items() if count > 1]:
        raise FileProblem(f"Two columns are called {quoted(twice[0])}.", "Give each a name of its own.")
    return columns


def _wrong_width(row: Sequence[str], width: int, line: int, separator: str) -> FileProblem:
    remedy = "Put cells that hold the separator or a line end in quotation marks, or add the missing ones."
    if separator == "\t":
        remedy = "Remove tabs and line ends from the cells, add the missing ones, or save the file as CSV."
    return FileProblem(f"The row has {len(row)} cells; the header has {width}.", remedy, line=line)


def _rows(
    read: Callable[[], Iterable[str]], separator: str, *, cut: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """(the line that a row begins on, its cells); blank lines are passed over.

    `read` gives the text from its beginning; `cut` says that its end is missing. Where the cells of a
    tab-separated file are not quoted as in CSV, a row is a line.
    """
    is_quoted = separator != "\t" or _is_quoted(read, cut)
    for number, row in (_csv_rows if is_quoted else _plain_rows)(read(), separator):
        if number == 1:
            row[0] = row[0].removeprefix("\ufeff")
            if [cell.lower() for cell in row] == ["sep=", ""]:
                continue  # by which Excel is told the separator
        yield number, row


def _lines_of(text: str) -> Iterator[str]:
    """The lines of a text with their ends; it takes four times the memory in a StringIO."""
    return (match[0] for match in _LINE.finditer(text))


def _plain_rows(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(lines, start=1):
        if len(line) > limits.CLUSTER_BYTES:
            message = f"The line is longer than {limits.CLUSTER_BYTES:,} characters."
            raise FileProblem(message, "Split the text.", line=number)
        if text := line.rstrip("\r\n"):
            yield number, text.split(separator)


def _csv_rows(lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    of_row: list[str] = []

    def remembered() -> Iterator[str]:
        for line in lines:
            of_row.append(line)
            yield line

    reader = csv.reader(remembered(), delimiter=separator, strict=True)
    begins = 1
    try:
        for row in reader:
            of_row.clear()
            if row:
                yield begins, row
            begins = reader.line_num + 1
    except csv.Error as error:
        raise FileProblem(
            f"The row cannot be read: {error}.",
            "Close the quotation mark that begins the cell, and double those within it.",
            line=begins + _lines_before_fault(of_row, separator),
        ) from error


def _lines_before_fault(lines: Sequence[str], separator: str) -> int:
    """How many of a row's lines end before the first cell that is not closed, or goes on after its end."""
    text = "".join(lines)
    end = re.escape(separator) + "\r\n"
    cell = re.compile(rf'(?:"(?:[^"]|"")*+"|[^"{end}][^{end}]*+|)(?:[{end}]|\Z)')
    at = 0
    while (match := cell.match(text, at)) and match.end() > at:
        at = match.end()
    return len(re.findall(r"\r\n|\r|\n", text[:at]))


@dataclass(slots=True)
class QuotationMarks:
    """How the quotation marks of tab-separated cells look, each by the first line that has it, 0 for none.

    doubled: of a cell in quotation marks in which all others are doubled, as CSV has them.
    ordinary: of a cell with a mark that no writer of CSV would write so. Excel quotes cells with commas.
    """

    doubled: int = 0
    ordinary: int = 0

    def look_at(self, cells: Sequence[str], line: int) -> None:
        for cell in cells:
            if '"' not in cell:
                continue
            if _QUOTED.fullmatch(cell) and '""' in cell[1:-1]:
                self.doubled = self.doubled or line
            elif not _QUOTED.fullmatch(cell) or "," not in cell:
                self.ordinary = self.ordinary or line

    def check(self) -> None:
        """Raise FileProblem for cells of CSV in a format in which quotation marks are ordinary characters."""
        if self.doubled and not self.ordinary:
            raise FileProblem(
                "A cell is in quotation marks and those within it are doubled, as CSV has them; here all "
                "would be part of the text.",
                "Save the file without quoting (pandas: quoting=3).",
                line=self.doubled,
            )


def _is_quoted(read: Callable[[], Iterable[str]], cut: bool) -> bool:
    """Whether the cells of a tab-separated file are quoted as in CSV.

    They are where a column's name is in quotation marks, where all cells with marks are quoted and some of
    those marks doubled, and where only so all rows have the same width. Otherwise quotation marks are
    ordinary characters. Raises FileProblem for a file of which neither is certain.
    """
    marks, width, is_even, has_marks = QuotationMarks(), 0, True, False
    try:
        for number, cells in _plain_rows(read(), "\t"):
            if not width:
                width = len(cells)
                if any(_QUOTED.fullmatch(cell.removeprefix("\ufeff")) for cell in cells):
                    return True
            is_even = is_even and len(cells) == width
            has_marks = has_marks or any('"' in cell for cell in cells)
            marks.look_at(cells, number)
    except FileProblem:
        return False  # Whoever reads the rows names the problem.
    if not is_even:
        return has_marks and _is_even_table_of_csv(read(), width, cut)
    if marks.doubled and marks.ordinary:
        raise FileProblem(
            "A cell is in quotation marks and those within it are doubled, as CSV has them; "
            f"those on line {marks.ordinary} are ordinary characters.",
            "Save the file as CSV, or as tab-separated text without quoting.",
            line=marks.doubled,
        )
    return bool(marks.doubled)


def _is_even_table_of_csv(lines: Iterable[str], width: int, cut: bool) -> bool:
    """Whether all rows have this width, read as CSV with tabs. No cell may look like several rows."""
    try:
        for _, row in _csv_rows(lines, "\t"):
            if len(row) != width or any("\t" in cell and re.search(r"[\r\n]", cell) for cell in row):
                return False
    except FileProblem as problem:
        return cut and "end of data" in problem.message
    return True


def named_rows(
    text: str,
    columns: Columns,
    unknown: Counter[str],
    *,
    chosen: Mapping[str, str],
    required: Sequence[str],
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV or TSV as (line, cells by field), its columns as they are `chosen` or usually called.

    Where all that are chosen are numbers, the file has no header, and they count from 1. Filled cells of
    other columns are counted in `unknown`, but for those that name an annotator. An apostrophe that keeps a
    spreadsheet from taking a text for a formula is removed. Raises FileProblem for a row of another width and
    for a field of `required` without a column; in "label|score" either will do.
    """
    with located(1):
        separator = _separator(text)
    rows = _rows(partial(_lines_of, text), separator)
    first = next(rows)
    given = [column for column in chosen.values() if column]
    has_header = not given or not all(map(str.isdecimal, given))
    with located(1):
        header = _column_names(first[1] if has_header else [str(at + 1) for at in range(len(first[1]))])
        mapping = columns.mapping(header, chosen)
        for fields in (names.split("|") for names in required):
            if not mapping.keys() & set(fields):
                choose = f"{CHOOSE_IT} ({fields[0]}=COLUMN). The columns are: {named(header)}."
                remedy = f"{choose} {columns.wrong_door(header)}".rstrip()
                raise FileProblem(f"The column {' or '.join(fields)} is missing.", remedy)
    field_of = {column: field for field, column in mapping.items()}
    names = [column.strip().lower() for column in header]
    for line, cells in rows if has_header else chain([first], rows):
        if len(cells) != len(header):
            raise _wrong_width(cells, len(header), line, separator)
        row: dict[str, str] = {}
        for column, name, cell in zip(header, names, cells, strict=True):
            if column in field_of:
                row[field_of[column]] = cell[1:] if cell.startswith("'") and _is_protected(cell) else cell
            elif name in ANNOTATOR_FIELDS:
                row[name] = cell
            elif cell:
                unknown[f"column {name}"] += 1
        yield line, row


Row = TypeVar("Row")
Fields = list[str]
Parse = Callable[[Fields, int], Row]


def read_tsv(
    path: Path,
    layout: Callable[[Fields], tuple[Parse[Row], bool]],
    nothing: FileProblem,
    *,
    encoding: str = "utf-8",
) -> Iterator[Row]:
    """The rows of a file of tab-separated lines in which quotation marks are ordinary characters.

    They are read as they are asked for; after the first faulty line the others are only looked for.

    Parameters
    ----------
    path : Path
        The file. Blank lines are passed over.
    layout : callable
        Given the fields of the first line: what makes a row of fields and line number, and whether the first
        line is a header. Both may raise FileProblem.
    nothing : FileProblem
        What is wrong with a file that has no rows.
    encoding : str
        That of the file.

    Raises
    ------
    FileProblem
        At the end, with every faulty line.
    """
    problems: list[FileProblem] = []
    marks = QuotationMarks()
    parse: Parse[Row] | None = None
    is_empty = True
    for number, text in TextLines(path, encoding, problems):
        fields = text.split("\t")
        marks.look_at(fields, number)
        try:
            if parse is None:
                parse, is_header = layout(fields)
                if is_header:
                    continue
            row = parse(fields, number)
        except FileProblem as problem:
            problems.append(problem.at(number))
            if parse is None:
                break
            continue
        is_empty = False
        if not problems:
            yield row
    if is_empty and not problems:
        problems.append(nothing)
    if problems:
        raise FileProblem.of(problems, file=str(path))
    with located(file=str(path)):
        marks.check()


def check_width(fields: Sequence[str], width: int) -> None:
    """Raise FileProblem for a line that has more or fewer columns."""
    if len(fields) != width:
        raise FileProblem(
            f"{len(fields)} columns instead of {width}.", "Separate the columns by single tabs."
        )
