"""Candidate pairs as files of several formats, and zip archives of files.

Rows are written in parts as they come: memory does not grow with their number. The same pairs in the same
order give the same bytes, however they were divided into parts.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from paragold.formats.publishing import described_content
from paragold.formats.tables import CsvTable, ParquetTable, parquet_schema, record_batch
from paragold.languages import ENGLISH, Language
from paragold.registry import Registry, check_endings


class PairRow(NamedTuple):
    """One pair. Sentence numbers count from 0 in their article; lengths are in tokens, the distance in words.

    `tokens_a` and `tokens_b` are the sentences' tokens, in the case they came in, separated by single spaces.
    """

    id: str
    cluster: str
    article_a: str
    sentence_a: int
    article_b: str
    sentence_b: int
    edit_distance: int
    length_a: int
    length_b: int
    shared_words: int
    text_a: str
    text_b: str
    tokens_a: str
    tokens_b: str


COLUMNS = PairRow._fields
NUMBERS = ("sentence_a", "sentence_b", "edit_distance", "length_a", "length_b", "shared_words")
_TYPES = {name: int if name in NUMBERS else str for name in COLUMNS}
TSV_COLUMNS = (
    *("cluster_id", "article_a", "sentence_a", "article_b", "sentence_b"),
    *("edit_distance", "text_a", "text_b"),
)
PLACEHOLDER_COLUMNS = (*TSV_COLUMNS, "placeholders_a", "placeholders_b")
"""The same with both texts as they are compared with placeholders beside the texts as printed."""

# A line of JSON, as json.dumps(..., ensure_ascii=False) has it, in a third of the time.
_JSON = "{" + ", ".join(f'"{name}": %{"d" if name in NUMBERS else "s"}' for name in COLUMNS) + "}\n"

# Characters that some reader takes for the end of a column or line.
_WHITE = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


class PairWriter(Protocol):
    """Writes batches of rows; `close` ends its files."""

    def add(self, rows: Sequence[PairRow]) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PairFormat:
    """A format in which candidate pairs are written.

    writer: given a folder, the stem of the file's name, whether it is the first part of the file, and the
    language of the text.
    endings: those of the files that it makes, without the dot.
    """

    id: str
    label: str
    writer: Callable[[Path, str, bool, Language], PairWriter]
    endings: tuple[str, ...]


class PairFiles:
    """A context in which rows are added to parts of files `<stem>.<format>` in a folder, for `JoinedArchive`.

    Those that go on where others end (`first` false) have no header; that of Parquet is `<stem>.arrow`.
    """

    def __init__(
        self,
        folder: Path,
        stem: str,
        formats: Iterable[str],
        *,
        first: bool = True,
        language: Language = ENGLISH,
    ) -> None:
        self._writers = [PAIR_FORMATS.get(name).writer(folder, stem, first, language) for name in formats]
        self.rows = 0

    def add(self, rows: Sequence[PairRow]) -> None:
        for writer in self._writers:
            writer.add(rows)
        self.rows += len(rows)

    def __enter__(self) -> PairFiles:
        return self

    def __exit__(self, *error: object) -> None:
        for writer in self._writers:
            writer.close()


def one_line(text: str) -> str:
    """The text without anything that ends a column or line: each run of it is one space."""
    return _WHITE.sub(" ", text)


class _Lines:
    """Text files, each with a line for each row, by their paths, below the header, if there is one."""

    def __init__(self, lines: Mapping[Path, Callable[[PairRow], str]], header: Sequence[str] = ()) -> None:
        self._files = [(path.open("w", encoding="utf-8", newline=""), line) for path, line in lines.items()]
        for file, _ in self._files:
            file.write("\t".join(header) + "\n" if header else "")

    def add(self, rows: Sequence[PairRow]) -> None:
        for file, line in self._files:
            file.writelines(map(line, rows))

    def close(self) -> None:
        for file, _ in self._files:
            file.close()


def _tsv_line(row: PairRow) -> str:
    keys = (row.cluster, row.article_a, str(row.sentence_a), row.article_b, str(row.sentence_b))
    texts = (str(row.edit_distance), one_line(row.tokens_a), one_line(row.tokens_b))
    return "\t".join((*keys, *texts)) + "\n"


def _placeholder_lines(folder: Path, stem: str, first: bool, language: Language) -> PairWriter:
    def line(row: PairRow) -> str:
        replaced = (language.placeholder_text(text.split(" ")) for text in (row.tokens_a, row.tokens_b))
        return "\t".join((_tsv_line(row)[:-1], *map(one_line, replaced))) + "\n"

    return _Lines({folder / f"{stem}.placeholders.tsv": line}, PLACEHOLDER_COLUMNS if first else ())


def _json_line(row: PairRow) -> str:
    return _JSON % tuple([_quoted(cell) if cell.__class__ is str else cell for cell in row])


class _Columns:
    """An Arrow stream, for `join_parquet`: whole numbers as int32, everything else as strings."""

    def __init__(self, folder: Path, stem: str, first: bool, language: Language) -> None:
        self._schema = parquet_schema(_TYPES)
        import pyarrow as pa

        self._file = pa.OSFile(str(folder / f"{stem}.arrow"), "wb")
        self._stream = pa.ipc.new_stream(self._file, self._schema)

    def add(self, rows: Sequence[PairRow]) -> None:
        if rows:
            self._stream.write_batch(record_batch(rows, self._schema))

    def close(self) -> None:
        self._stream.close()
        self._file.close()


def _check_plugin(one: PairFormat) -> None:
    """Raises UnusableError for a format whose files of an export would have the names of others."""
    check_endings(one.endings, {ending for other in PAIR_FORMATS for ending in other.endings})


def _of_lines(
    id: str, label: str, lines: Mapping[str, Callable[[PairRow], str]], header: Sequence[str] = ()
) -> PairFormat:
    """A format of text files, by their endings."""

    def writer(folder: Path, stem: str, first: bool, language: Language) -> PairWriter:
        paths = {folder / f"{stem}.{ending}": line for ending, line in lines.items()}
        return _Lines(paths, header if first else ())

    return PairFormat(id, label, writer, tuple(lines))


PAIR_FORMATS = Registry(
    "pair format",
    PairFormat,
    [
        _of_lines("tsv", "TSV, as extract_pairs writes it", {"tsv": _tsv_line}, TSV_COLUMNS),
        _of_lines("jsonl", "JSON Lines, with tokens", {"jsonl": _json_line}),
        PairFormat("parquet", "Parquet, for datasets and pandas", _Columns, ("parquet",)),
        PairFormat(
            "csv",
            "CSV, safe to open in a spreadsheet",
            lambda folder, stem, first, language: CsvTable(folder / f"{stem}.csv", COLUMNS, header=first),
            ("csv",),
        ),
        _of_lines(
            "parallel",
            "Parallel text, for word aligners",
            {
                "src": lambda row: f"{one_line(row.tokens_a)}\n",
                "tgt": lambda row: f"{one_line(row.tokens_b)}\n",
            },
        ),
        PairFormat(
            "placeholders",
            "TSV with numbers, days and money replaced, beside the words as printed",
            _placeholder_lines,
            ("placeholders.tsv",),
        ),
    ],
    entry_points="paragold.pair_formats",
    check=_check_plugin,
)


# Archives.

BIT = 1 << 20
# Zip archives carry times; a fixed one keeps the bytes equal.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def write_archive(folder: Path, path: Path) -> None:
    """Pack the files of a folder, by name, into a new archive at `path`."""
    with JoinedArchive(path) as archive:
        for source in sorted(folder.iterdir()):
            archive.add(source.name, [source])


class JoinedArchive:
    """A context that packs files into a new archive at `path`, in the order in which they are added.

    `files` has bytes and SHA-256 of each, as manifests have them. `report_progress` is called for every
    megabyte and may raise to stop.
    """

    def __init__(self, path: Path, report_progress: Callable[[], None] = lambda: None) -> None:
        self.files: dict[str, dict[str, Any]] = {}
        self._archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._path = path
        self._report_progress = report_progress

    def add(self, name: str, parts: Sequence[Path]) -> None:
        """A file whose parts follow each other; of a Parquet file there may be Arrow streams instead."""
        whole = self._path.with_suffix(".parquet")
        try:
            if name.endswith(".parquet") and parts[0].suffix == ".arrow":
                join_parquet(parts, whole, self._report_progress)
                parts = [whole]
            size = sum(part.stat().st_size for part in parts)
            digest = hashlib.sha256()
            packing = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
            with self._archive.open(_entry(name, size, packing), "w") as packed:
                for part in parts:
                    with part.open("rb") as data:
                        while bit := data.read(BIT):
                            digest.update(bit)
                            packed.write(bit)
                            self._report_progress()
        finally:
            whole.unlink(missing_ok=True)
        self.files[name] = {"bytes": size, "sha256": digest.hexdigest()}

    def add_text(self, name: str, text: str) -> None:
        """A short file; what is in it may depend on `files`."""
        data = text.encode()
        self._archive.writestr(_entry(name, len(data), zipfile.ZIP_DEFLATED), data)
        self.files[name] = described_content(data)

    def __enter__(self) -> JoinedArchive:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._archive.close()
        if kind is not None:
            self._path.unlink(missing_ok=True)


def _entry(name: str, size: int, compression: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type, entry.external_attr, entry.file_size = compression, 0o644 << 16, size
    return entry


def join_parquet(
    streams: Sequence[Path], path: Path, report_progress: Callable[[], None] = lambda: None
) -> None:
    """The rows of Arrow streams as one Parquet file, in groups that do not depend on where those ended."""
    import pyarrow as pa

    with closing(ParquetTable(path, _TYPES)) as table:
        for stream in streams:
            with pa.OSFile(str(stream)) as file, pa.ipc.open_stream(file) as batches:
                for batch in batches:
                    table.add_batch(batch)
                    report_progress()
    pa.default_memory_pool().release_unused()
