"""Lines of a text file that nobody has vouched for: bounded in memory, exact about bytes."""

import codecs
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from paragold.problems import FileProblem
from paragold.sources import limits
from paragold.sources.encodings import known_encoding, marked_encoding
from paragold.sources.magic import other_format
from paragold.text.quoting import quoted

# What a table's columns are chosen by.
HEAD_BYTES = 256 << 10
_BLOCK = 1 << 20
_LOOKED_AT = 1024
_ASCII_SAMPLE = '\n\r\t {}[]":,\\'
_JSON_LINES = "Give a file with one JSON object a line (see docs/formats/articles.md)."
_UNMARKED_UTF_16 = ((b"{\x00", "utf-16-le"), (b"\x00{", "utf-16-be"))


@dataclass(frozen=True, slots=True)
class RawLine:
    """The bytes of a line without its end, its number from 1 and its offset in the file."""

    number: int
    offset: int
    data: bytes

    def decode(self, encoding: str) -> str:
        """The text, without a byte order mark. Raises FileProblem with the column and the byte's offset."""
        try:
            return self.data.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            column = len(self.data[: error.start].decode(encoding, errors="replace")) + 1
            raise _undecodable(encoding, self.data[error.start], self.offset + error.start, column) from error
        except UnicodeError as error:
            raise FileProblem(
                f"The line is not {encoding} text: {error}.", "Declare the encoding it has."
            ) from error


@contextmanager
def prepared(stream: BinaryIO, encoding: str) -> Iterator[tuple[BinaryIO, str]]:
    """A stream that can be sought, from its beginning, in an encoding whose line ends are those of ASCII.

    A stream that cannot be sought, or one in another encoding (UTF-16), is copied to a temporary file. A byte
    order mark of UTF-16 or UTF-32 takes the place of UTF-8, which is declared by default. Raises
    FileProblem for an encoding that is unknown, for a file of a known other format and, with the byte offset,
    for bytes that the encoding does not have.
    """
    encoding, like_ascii = _declared(encoding)
    with ExitStack() as copies:
        if not stream.seekable():
            stream = _copied(stream, copies.enter_context(TemporaryFile()))
        stream.seek(0)
        head = stream.read(_LOOKED_AT)
        stream.seek(0)
        refuse_other_formats(head, encoding)
        if encoding == "utf-8" and (marked := marked_encoding(head)) not in ("", "utf-8"):
            encoding, like_ascii = marked, False
        if not like_ascii:
            stream, encoding = _recoded(stream, encoding, copies.enter_context(TemporaryFile())), "utf-8"
        yield stream, encoding


def text_head(path: Path, encoding: str) -> tuple[str, bool]:
    """The text of a file's first `HEAD_BYTES` bytes, and whether that is the whole file.

    Nothing beyond them is read, in no encoding. Raises FileProblem as `prepared` does.
    """
    encoding, _ = _declared(encoding)
    with path.open("rb") as file:
        data = file.read(HEAD_BYTES + 1)
    whole = len(data) <= HEAD_BYTES
    refuse_other_formats(data[:_LOOKED_AT], encoding)
    if encoding == "utf-8" and (marked := marked_encoding(data)) not in ("", "utf-8"):
        encoding = marked
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data[:HEAD_BYTES], final=whole)
    except UnicodeDecodeError as error:
        raise _undecodable(encoding, error.object[error.start], error.start) from error
    except UnicodeError as error:
        raise FileProblem(
            f"The file is not {encoding} text: {error}.", "Declare the encoding it has."
        ) from error
    return text.removeprefix("\ufeff"), whole


def _declared(encoding: str) -> tuple[str, bool]:
    """Python's name of a declared encoding, and whether its line ends and separators are those of ASCII."""
    try:
        known = known_encoding(encoding)
        like_ascii = _ASCII_SAMPLE.encode(known) == _ASCII_SAMPLE.encode("ascii")
    except (LookupError, UnicodeError, ValueError) as error:
        raise FileProblem(
            f"The encoding {quoted(encoding)} is not known.",
            'Declare one such as "utf-8", "latin-1", "cp1252" or "utf-16".',
        ) from error
    return ("utf-8", True) if known == "utf-8-sig" else (known, like_ascii)


def raw_lines(stream: BinaryIO) -> Iterator[RawLine | tuple[int, FileProblem]]:
    """The lines from where the stream stands, which is the file's beginning.

    Lines end with LF, CRLF or CR, nothing else. One beyond the limit comes as its number and a FileProblem;
    no more than the limit and a block is held at a time.
    """
    number = offset = 0
    pending = b""
    dropped = 0
    while block := stream.read(_BLOCK):
        # bytes.splitlines knows exactly the three line ends wanted; a CR at the end may be half of a CRLF.
        lines = (pending + block).splitlines(keepends=True)
        pending = b"" if lines[-1].endswith(b"\n") else lines.pop()
        for line in lines:
            number += 1
            if dropped or len(line) > limits.CLUSTER_BYTES:
                yield number, _overlong()
            else:
                yield RawLine(number, offset, line.rstrip(b"\r\n"))
            offset += dropped + len(line)
            dropped = 0
        if len(pending) > limits.CLUSTER_BYTES and not pending.endswith(b"\r"):
            dropped += len(pending)
            pending = b""
    if dropped:
        yield number + 1, _overlong()
    elif pending:
        yield RawLine(number + 1, offset, pending.rstrip(b"\r"))


def _overlong() -> FileProblem:
    return FileProblem(
        f"The line is longer than {limits.CLUSTER_BYTES:,} bytes.",
        "Split the cluster, or leave articles out: no cluster may be larger.",
    )


def _undecodable(encoding: str, byte: int, offset: int, column: int | None = None) -> FileProblem:
    return FileProblem(
        f"The file is not {encoding} text: it has the byte 0x{byte:02X} at offset {offset:,}.",
        "Save it as UTF-8, or choose the encoding that it has (for example latin-1, cp1252 or utf-16).",
        column,
    )


def refuse_other_formats(head: bytes, encoding: str) -> None:
    """Raise FileProblem, saying what it is, for the first bytes of a file that is no text or none of
    articles."""
    if found := other_format(head):
        raise FileProblem(f"This is {found[0]}, not a text file.", found[1])
    if encoding == "utf-8" and not marked_encoding(head).removeprefix("utf-8"):
        for begin, name in _UNMARKED_UTF_16:
            if head.startswith(begin):
                raise FileProblem(
                    "The file is UTF-16 text.", f"Choose the encoding {name}, or save it as UTF-8."
                )
        start = head.removeprefix(codecs.BOM_UTF8).lstrip()
        if start.startswith(b"<"):
            raise FileProblem("The file is an HTML or XML page, not JSON lines.", _JSON_LINES)
        if start.startswith(b"["):
            raise FileProblem(
                "The file is one JSON list, not JSON lines.",
                "Put each element of the list on a line of its own, without the brackets and commas around.",
            )


def _copied(stream: BinaryIO, copy: BinaryIO) -> BinaryIO:
    while block := stream.read(_BLOCK):
        copy.write(block)
    return copy


def _recoded(stream: BinaryIO, encoding: str, copy: BinaryIO) -> BinaryIO:
    decoder = codecs.getincrementaldecoder(encoding)()
    offset = 0
    while True:
        block = stream.read(_BLOCK)
        held = len(decoder.getstate()[0])
        try:
            copy.write(decoder.decode(block, final=not block).encode("utf-8"))
        except UnicodeDecodeError as error:
            raise _undecodable(encoding, error.object[error.start], offset - held + error.start) from error
        except UnicodeError as error:
            raise FileProblem(
                f"The file is not {encoding} text: {error}.", "Declare the encoding it has."
            ) from error
        offset += len(block)
        if not block:
            copy.seek(0)
            return copy
