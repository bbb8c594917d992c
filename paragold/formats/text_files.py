"""Text files: encodings, lines and whole texts, read with bounded memory and exact about bytes.

Lines end with LF, CRLF or CR. `str.splitlines` is never used: it also breaks at characters such as U+2028 or
U+0085, which occur inside sentences, and would shift every line after them.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from paragold import limits
from paragold.formats.whole_files import whole_file
from paragold.problems import FileProblem, quoted

BYTE_ORDER_MARK = "\ufeff"

# Codecs that are no encodings of files: the first two decode in quadratic time, the others give half
# characters.
_NOT_OF_FILES = frozenset(("punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"))
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def known_encoding(declared: str) -> str:
    """Python's name of an encoding of text. Raises LookupError for another name."""
    try:
        codec = codecs.lookup(declared)
    except (UnicodeError, ValueError) as error:
        raise LookupError(declared) from error
    if codec.name.replace("_", "-") in _NOT_OF_FILES or not getattr(codec, "_is_text_encoding", True):
        raise LookupError(declared)
    return codec.name


def marked_encoding(head: bytes) -> str:
    """The encoding that the byte order mark at the beginning of a file says, or "" without one."""
    return next((encoding for mark, encoding in BYTE_ORDER_MARKS if head.startswith(mark)), "")


_ARCHIVE = "Unpack it and give the file inside."
_OTHER = "Give a text file."
_FORMATS = (
    (b"PK\x03\x04", "a zip archive (or an Office document)", _ARCHIVE),
    (b"PK\x05\x06", "an empty zip archive", _ARCHIVE),
    (b"\x1f\x8b", "a gzip file", _ARCHIVE),
    (b"BZh", "a bzip2 file", _ARCHIVE),
    (b"\xfd7zXZ\x00", "an xz file", _ARCHIVE),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", _ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _ARCHIVE),
    (b"Rar!\x1a\x07", "a RAR archive", _ARCHIVE),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", _OTHER),
    (b"\xff\xd8\xff", "a JPEG image", _OTHER),
    (b"GIF8", "a GIF image", _OTHER),
    (b"II*\x00", "a TIFF image", _OTHER),
    (b"MM\x00*", "a TIFF image", _OTHER),
    (b"RIFF", "a WebP image, or sound or video", _OTHER),
    (b"ID3", "an MP3 file", _OTHER),
    (b"OggS", "an Ogg file", _OTHER),
    (b"%PDF-", "a PDF document", _OTHER),
    (b"%!PS", "a PostScript document", _OTHER),
    (b"\xd0\xcf\x11\xe0", "an old Office document", _OTHER),
    (b"{\\rtf", "an RTF document", _OTHER),
    (b"PAR1", "a Parquet file", _OTHER),
    (b"SQLite format 3\x00", "an SQLite database", _OTHER),
    (b"\x7fELF", "a program", _OTHER),
    (b"MZ\x90\x00", "a Windows program", _OTHER),
    (b"\xcf\xfa\xed\xfe", "a macOS program", _OTHER),
    (b"\xca\xfe\xba\xbe", "a program", _OTHER),
)


def other_format(head: bytes) -> tuple[str, str] | None:
    """The kind of a file that begins so and the remedy; None for one that may be text."""
    for signature, name, remedy in _FORMATS:
        if head.startswith(signature):
            return name, remedy
    if head[257:262] == b"ustar":
        return "a tar archive", _ARCHIVE
    return None


# The beginning of a table that its columns are chosen by.
HEAD_BYTES = 256 << 10
_BLOCK = 1 << 20
_LOOKED_AT = 1024
_ASCII_SAMPLE = '\n\r\t {}[]":,\\'
_JSON_LINES = "Give a file with one JSON object per line (see docs/formats/articles.md)."
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
            return self.data.decode(encoding).removeprefix(BYTE_ORDER_MARK)
        except UnicodeError as error:
            column: int | None = None
            if isinstance(error, UnicodeDecodeError):
                column = len(self.data[: error.start].decode(encoding, errors="replace")) + 1
            raise _undecodable(encoding, error, self.offset, column) from error


@contextmanager
def prepared(stream: BinaryIO, encoding: str, *, json_lines: bool = False) -> Iterator[tuple[BinaryIO, str]]:
    """A stream that can be sought, from its beginning, in an encoding whose line ends are those of ASCII.

    A stream that cannot be sought, or one in another encoding (UTF-16), is copied to a temporary file. A byte
    order mark of UTF-16 or UTF-32 takes the place of UTF-8, which is declared by default. Raises
    FileProblem for an encoding that is unknown, for a file of a known other format and, with the byte offset,
    for bytes that the encoding does not have; of what should be `json_lines`, for HTML and JSON lists too.
    """
    with ExitStack() as copies:
        if not stream.seekable():
            stream = _copied(stream, copies.enter_context(TemporaryFile()))
        stream.seek(0)
        encoding, like_ascii = _encoding_of(stream.read(_LOOKED_AT), encoding, json_lines=json_lines)
        stream.seek(0)
        if not like_ascii:
            stream, encoding = _recoded(stream, encoding, copies.enter_context(TemporaryFile())), "utf-8"
        yield stream, encoding


def text_head(path: Path, encoding: str) -> tuple[str, bool]:
    """The text of a file's first `HEAD_BYTES` bytes, and whether that is the whole file.

    Nothing beyond them is read. Raises FileProblem as `prepared` does.
    """
    with path.open("rb") as file:
        data = file.read(HEAD_BYTES + 1)
    whole = len(data) <= HEAD_BYTES
    encoding, _ = _encoding_of(data[:_LOOKED_AT], encoding)
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data[:HEAD_BYTES], final=whole)
    except UnicodeError as error:
        raise _undecodable(encoding, error) from error
    return text.removeprefix(BYTE_ORDER_MARK), whole


def _encoding_of(head: bytes, declared: str, *, json_lines: bool = False) -> tuple[str, bool]:
    """Python's name of the encoding of a file that begins so, and whether its line ends are those of ASCII.

    A byte order mark of UTF-16 or UTF-32 takes the place of UTF-8. Raises FileProblem for an unknown encoding
    and for the beginning of a file that is no text or no JSON Lines.
    """
    try:
        known = known_encoding(declared)
        like_ascii = _ASCII_SAMPLE.encode(known) == _ASCII_SAMPLE.encode("ascii")
    except (LookupError, UnicodeError, ValueError) as error:
        raise FileProblem(
            f"The encoding {quoted(declared)} is not known.",
            'Declare one such as "utf-8", "latin-1", "cp1252" or "utf-16".',
        ) from error
    encoding = "utf-8" if known == "utf-8-sig" else known
    _refuse_other_formats(head, encoding, json_lines)
    if encoding == "utf-8":
        marked = marked_encoding(head) or encoding
        return marked, marked == encoding
    return encoding, like_ascii


def raw_lines(stream: BinaryIO) -> Iterator[RawLine | tuple[int, FileProblem]]:
    """The lines of a stream that is at the beginning of the file.

    Lines end with LF, CRLF or CR, nothing else. One beyond the limit comes as its number and a FileProblem;
    no more than the limit and a block is held at a time.
    """
    number = offset = 0
    pending = b""
    dropped = 0
    while block := stream.read(_BLOCK):
        # bytes.splitlines knows exactly these three line ends; a CR at the end may be half of a CRLF.
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


class TextLines:
    """The lines of a file that are not blank, as (number from 1, text); what cannot be read is in `problems`.

    Reading ends when there are `limits.PROBLEMS` of them. `share` is how much is read, 0 to 1; `json_lines`
    is as for `prepared`.
    """

    def __init__(
        self, path: Path, encoding: str, problems: list[FileProblem], *, json_lines: bool = False
    ) -> None:
        self.problems = problems
        self.share = 0.0
        self._path = path
        self._encoding = encoding
        self._json_lines = json_lines

    def __iter__(self) -> Iterator[tuple[int, str]]:
        try:
            with (
                self._path.open("rb") as opened,
                prepared(opened, self._encoding, json_lines=self._json_lines) as (stream, encoding),
            ):
                size = max(1, self._path.stat().st_size)
                for line in raw_lines(stream):
                    if len(self.problems) >= limits.PROBLEMS:
                        return
                    if isinstance(line, tuple):
                        self.problems.append(line[1].at(line[0]))
                        continue
                    self.share = min(1.0, (line.offset + len(line.data)) / size)
                    try:
                        text = line.decode(encoding)
                        if "\0" in text:
                            raise FileProblem("A NUL character.", "Remove it.", text.index("\0") + 1)
                    except FileProblem as refusal:
                        self.problems.append(refusal.at(line.number))
                        continue
                    if text.strip():
                        yield line.number, text
        except FileProblem as refusal:
            self.problems.append(refusal)
        except OSError as error:
            self.problems.append(FileProblem(f"It cannot be read ({error.strerror}).", "Check the path."))


def _overlong() -> FileProblem:
    return FileProblem(
        f"The line is longer than {limits.CLUSTER_BYTES:,} bytes.",
        "Split the cluster, or leave articles out: no cluster may be larger.",
    )


def _undecodable(
    encoding: str, error: UnicodeError, before: int = 0, column: int | None = None
) -> FileProblem:
    """The problem of bytes that are not in the encoding; `before` bytes of the file precede them."""
    if not isinstance(error, UnicodeDecodeError):
        return FileProblem(f"The file is not {encoding} text: {error}.", "Declare the encoding it has.")
    byte, offset = error.object[error.start], before + error.start
    return FileProblem(
        f"The file is not {encoding} text: it has the byte 0x{byte:02X} at offset {offset:,}.",
        "Save it as UTF-8, or choose the encoding that it has (for example latin-1, cp1252 or utf-16).",
        column,
    )


def _refuse_other_formats(head: bytes, encoding: str, json_lines: bool) -> None:
    """Raise FileProblem, saying what it is, for the beginning of a file that is no text or no JSON Lines."""
    if other := other_format(head):
        raise FileProblem(f"This is {other[0]}, not a text file.", other[1])
    if encoding == "utf-8" and not marked_encoding(head).removeprefix("utf-8"):
        for begin, name in _UNMARKED_UTF_16:
            if head.startswith(begin):
                raise FileProblem(
                    "The file is UTF-16 text.", f"Choose the encoding {name}, or save it as UTF-8."
                )
    if json_lines:
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
        except UnicodeError as error:
            raise _undecodable(encoding, error, offset - held) from error
        offset += len(block)
        if not block:
            copy.seek(0)
            return copy


def read_text(path: Path, *, name: str = "", encoding: str = "utf-8") -> str:
    """The text of a file, without a byte order mark; errors call the file `name`, or by its path.

    A byte order mark of UTF-16 or UTF-32 takes the place of UTF-8.

    Raises
    ------
    FileProblem
        The file cannot be read, is no text, holds a NUL, or is not in its encoding (with the line), or the
        encoding is not known.
    """
    try:
        return decoded(path.read_bytes(), encoding)
    except OSError as error:
        problem = FileProblem(f"It cannot be read ({error.strerror}).", "Check the path and the permissions.")
        raise problem.at(file=name or str(path)) from error
    except FileProblem as problem:
        raise problem.at(file=name or str(path)) from problem.__cause__


def decoded(data: bytes, encoding: str = "utf-8") -> str:
    """The text of a file's bytes; see `read_text`."""
    encoding, _ = _encoding_of(data[:_LOOKED_AT], encoding)
    try:
        text = data.decode(encoding).removeprefix(BYTE_ORDER_MARK)
    except UnicodeError as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise _undecodable(encoding, error).at(line) from error
    if (nul := text.find("\0")) >= 0:
        raise FileProblem(
            "There is a NUL character: the file is not plain text, or has another encoding, such as UTF-16.",
            "Give a text file, and choose the encoding that it has.",
            line=text.count("\n", 0, nul) + 1,
        )
    return text


def split_lines(text: str) -> list[str]:
    """The lines of `text`, separated at line feeds; one carriage return before each is dropped.

    A line feed at the very end closes the last line and opens no further one.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 with the line feeds it has, on every platform the same bytes.

    Raises FileProblem when the text holds half of a surrogate pair, which UTF-8 cannot carry.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FileProblem(
            f"U+{ord(text[error.start]):04X} is half of a surrogate pair and cannot be written as UTF-8.",
            "Correct the sentence that holds it.",
            line=text.count("\n", 0, error.start) + 1,
            file=str(path),
        ) from error
    with whole_file(path) as file:
        file.write(data)
