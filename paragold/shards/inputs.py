"""The files that a run in shards reads: JSON Lines, plain or compressed, and Parquet, local or by fsspec."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from glob import glob, has_magic
from hashlib import file_digest
from pathlib import Path
from typing import Any, BinaryIO, cast

from paragold.formats.text_files import RawLine, marked_encoding, prepared, raw_lines
from paragold.problems import FileProblem, located
from paragold.shards.packages import package

KINDS = {".jsonl": "jsonl", ".jsonl.gz": "gzip", ".jsonl.zst": "zstd", ".parquet": "parquet"}
_BLOCK = 1 << 20
_HEAD_BYTES = 1024
_UTF8_MARK = b"\xef\xbb\xbf"
_ROWS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Input:
    """A file to read.

    path: absolute, or an address that fsspec knows such as `s3://bucket/news.jsonl.gz`.
    kind: one of the values of `KINDS`.
    size: in bytes. sha256: of its bytes, as they are stored.
    """

    path: str
    kind: str
    size: int
    sha256: str

    @property
    def divisible(self) -> bool:
        """Whether reading can begin in the middle."""
        return self.kind == "jsonl"


def list_inputs(patterns: Sequence[str]) -> list[Input]:
    """The files of paths, patterns and addresses: in the order given, those of a pattern sorted by name.

    Every file is read once for its hash. Raises FileProblem for a pattern without files, a file given twice,
    and one that cannot be read or is of an unknown kind.
    """
    paths: list[str] = []
    for pattern in patterns:
        matching = _matching(pattern)
        if not matching:
            raise FileProblem("No file has this name.", "Check the pattern and the folder.", file=pattern)
        paths += matching
    twice = [path for path, count in Counter(paths).items() if count > 1]
    if twice:
        raise FileProblem("The file is given twice.", "Name each file once.", file=twice[0])
    return [_described(path) for path in paths]


def _matching(pattern: str) -> list[str]:
    if "://" not in pattern:
        names = (
            glob(pattern, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute patterns
            if has_magic(pattern)
            else [pattern]
        )
        return sorted(str(Path(name).resolve()) for name in names)
    files = package("fsspec").open_files(pattern, "rb")
    return sorted(str(file.fs.unstrip_protocol(file.path)) for file in files)


def _described(path: str) -> Input:
    kind = next((kind for ending, kind in KINDS.items() if path.endswith(ending)), None)
    if kind is None:
        raise FileProblem("Its kind is not known.", f"Its name has to end in {', '.join(KINDS)}.", file=path)
    with readable(path), open_stored(path) as stream:
        digest = file_digest(cast(Any, stream), "sha256").hexdigest()
        described = Input(path, kind, stream.seek(0, io.SEEK_END), digest)
    if kind != "parquet":
        with readable(path), _uncompressed(described) as text:
            head = text.read(_HEAD_BYTES)
        if marked_encoding(head) not in ("", "utf-8"):
            raise FileProblem("The file is not UTF-8.", "Write it as UTF-8.", file=path)
        with located(file=path), prepared(io.BytesIO(head), "utf-8", json_lines=True):
            pass
    return described


@contextmanager
def readable(path: str) -> Iterator[None]:
    """Say which file it is that cannot be read or is damaged."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileProblem(
            f"The file cannot be read: {reason}.", "Check its name and that it is whole.", file=path
        ) from error


def open_stored(path: str) -> BinaryIO:
    """A local file, or one at an address of fsspec. Raises OSError, and FileProblem without its package."""
    if "://" in path:
        try:
            return cast(BinaryIO, package("fsspec").open(path, "rb").open())
        except ImportError as error:
            raise FileProblem(
                f"A package for this address is not installed: {error}.",
                "For s3:// install it with pip install s3fs.",
                file=path,
            ) from error
    return Path(path).open("rb")


@contextmanager
def _uncompressed(source: Input) -> Iterator[BinaryIO]:
    with open_stored(source.path) as stored:
        if source.kind == "gzip":
            with gzip.GzipFile(fileobj=stored) as text:
                yield cast(BinaryIO, text)
        elif source.kind == "zstd":
            import pyarrow as pa

            with pa.CompressedInputStream(pa.PythonFile(stored, mode="r"), "zstd") as text:
                yield text
        else:
            yield stored


def cuts(source: Input, every: int) -> list[tuple[int, int]]:
    """Where to begin and end reading so that parts of about `every` bytes hold whole lines.

    A file that cannot be divided is one part.
    """
    if not source.divisible or source.size <= every:
        return [(0, source.size)]
    begins = [0]
    with readable(source.path), closing(open_stored(source.path)) as stream:
        while begins[-1] + every < source.size:
            stream.seek(begins[-1] + every)
            # To the end of the line, however long.
            while (block := stream.readline(_BLOCK)) and not block.endswith(b"\n"):
                pass
            if stream.tell() >= source.size:
                break
            begins.append(stream.tell())
    return list(zip(begins, [*begins[1:], source.size], strict=True))


def read_lines(source: Input, begin: int, end: int) -> Iterator[RawLine]:
    """The lines of a part of a file, numbered from 1 in the part; a row of Parquet is a line of JSON.

    Raises FileProblem, with the line in the file, for a line that is too long and a damaged file.
    """
    with readable(source.path):
        if source.kind == "parquet":
            yield from _rows(source)
            return
        with _uncompressed(source) as stream:
            for line in raw_lines(cast(BinaryIO, _Part(stream, begin, end)) if source.divisible else stream):
                if not isinstance(line, RawLine):
                    number, problem = line
                    raise problem.at(number + lines_before(source, begin), file=source.path)
                marked = line.number == 1 and not begin and line.data.startswith(_UTF8_MARK)
                yield RawLine(1, 0, line.data.removeprefix(_UTF8_MARK)) if marked else line


def lines_before(source: Input, begin: int) -> int:
    """How many lines of the file come before a place where a part begins."""
    return sum(1 for _ in read_lines(source, 0, begin)) if begin else 0


def _rows(source: Input) -> Iterator[RawLine]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with closing(open_stored(source.path)) as stream:
            batches = pq.ParquetFile(stream).iter_batches(_ROWS_AT_ONCE)
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                text = json.dumps(_present(row), ensure_ascii=False, default=_plain)
                yield RawLine(number, 0, text.encode("utf-8", "surrogatepass"))
    except pa.ArrowInvalid as error:
        raise FileProblem(
            f"It is not a Parquet file: {error}.", "Write it again.", file=source.path
        ) from error


def _present(value: Any) -> Any:
    """The value without the keys that have no value: a column has one for every row."""
    if isinstance(value, dict):
        return {key: _present(one) for key, one in value.items() if one is not None}
    return [_present(one) for one in value] if isinstance(value, list) else value


def _plain(value: Any) -> str:
    """A date or time as ISO 8601."""
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


class _Part:
    """A stream that begins and ends within another one."""

    def __init__(self, stream: BinaryIO, begin: int, end: int) -> None:
        stream.seek(begin)
        self._stream, self._left = stream, end - begin

    def read(self, size: int) -> bytes:
        block = self._stream.read(min(size, self._left))
        self._left -= len(block)
        return block
