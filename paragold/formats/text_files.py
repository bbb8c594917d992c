"""Files of text: encodings, lines and whole texts, unpacked and exact about bytes; files are written whole.

What gzip or Zstandard packed is unpacked in reading, and packed in writing where the name ends with `.gz` or
`.zst`; `-` is standard input or output.

Lines end with LF, CRLF or CR. `str.splitlines` is never used: it also breaks at characters such as U+2028 or
U+0085, which occur inside sentences, and would shift every line after them.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import select
import shutil
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from gzip import GzipFile
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, cast
from uuid import uuid4

from paragold import limits
from paragold.packages import needed
from paragold.problems import FileProblem, located, quoted

DASH = Path("-")
"""Standard input where a file is read, standard output where one is written."""
BYTE_ORDER_MARK = "\ufeff"
# The beginning of a table that its columns are chosen by.
HEAD_BYTES = 256 << 10
_BLOCK = 1 << 18
_LOOKED_AT = 1024
_PACKED = re.compile(r"\.(gz|zst)$", re.IGNORECASE)

# Codecs that are no encodings of files: the first two decode in quadratic time, the others give half
# characters.
_NOT_OF_FILES = frozenset(("punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"))
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GZIP, _ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_OTHER_FORMATS = {
    b"PK\x03\x04": "a zip archive (or an Office document)",
    _GZIP: "a gzip file",
    _ZSTANDARD: "a Zstandard file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ\x00": "an xz file",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\x89PNG\r\n\x1a\n": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"%PDF-": "a PDF document",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"PAR1": "a Parquet file",
}


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
    return next((encoding for mark, encoding in _BYTE_ORDER_MARKS if head.startswith(mark)), "")


def other_format(head: bytes) -> str:
    """The kind of a file that begins so; "" for one that may be text."""
    return next((name for signature, name in _OTHER_FORMATS.items() if head.startswith(signature)), "")


# Reading


@contextmanager
def open_input(path: Path | BinaryIO) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked, of standard input for `-`; it may not be possible to seek in them.

    Raises OSError where it cannot be read, and FileProblem for a damaged packed file or one beyond
    `limits.UNPACKED_BYTES`.
    """
    with _opened(path) as file:
        yield unpacked(file)


@contextmanager
def _opened(path: Path | BinaryIO) -> Iterator[BinaryIO]:
    if not isinstance(path, Path):
        yield path
        return
    if path == DASH:
        yield sys.stdin.buffer
        return
    with path.open("rb") as file:
        yield file


def unpacked(stream: BinaryIO) -> BinaryIO:
    """The stream, from where it is, or what gzip or Zstandard packed into it."""
    head, stream = _with_head(stream)
    if head.startswith(_GZIP):
        return io.BufferedReader(_Unpacked(GzipFile(fileobj=stream), "gzip"), _BLOCK)
    if head.startswith(_ZSTANDARD):
        with needed("many"):
            import pyarrow as pa
        packed = pa.input_stream(pa.PythonFile(_Kept(stream), mode="r"), compression="zstd")
        return io.BufferedReader(_Unpacked(packed, "Zstandard"), _BLOCK)
    return stream


def _with_head(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """The next bytes of a stream, and the stream, in which they are still to be read."""
    buffered: Any = (
        stream if hasattr(stream, "peek") else io.BufferedReader(cast(io.RawIOBase, stream), _BLOCK)
    )
    return buffered.peek(_LOOKED_AT)[:_LOOKED_AT], buffered


class _Unpacked(io.RawIOBase):
    """What was packed. Raises FileProblem beyond `limits.UNPACKED_BYTES` and where it is damaged."""

    def __init__(self, packed: Any, kind: str) -> None:
        self._packed, self._kind, self._size = packed, kind, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader gives a memoryview
        try:
            block = self._packed.read(len(buffer))
        except (OSError, EOFError, zlib.error) as error:
            message = f"The {self._kind} file is damaged or cut off."
            raise FileProblem(message, "Pack or load it again.") from error
        self._size += len(block)
        if self._size > limits.UNPACKED_BYTES:
            message = f"The {self._kind} file holds more than {limits.UNPACKED_BYTES >> 20:,} MB."
            raise FileProblem(message, "Unpack it and split what is inside.")
        buffer[: len(block)] = block
        return len(block)


@contextmanager
def readable_again(path: Path) -> Iterator[Path]:
    """For what reads a file more than once: `path`, or a temporary file of what a pipe, `-` or a packed file
    held.

    Problems found in it name the path. Raises as `open_input` does.
    """
    with ExitStack() as opened:
        temporary = path
        if path == DASH or path.exists():
            file = opened.enter_context(_opened(path))
            stream = unpacked(file)
            if stream is not file or path == DASH or not file.seekable():
                folder = opened.enter_context(TemporaryDirectory())
                temporary = Path(folder, _PACKED.sub("", path.name).strip("-") or "input")
                with located(file=str(path)), temporary.open("wb") as copy:
                    shutil.copyfileobj(stream, copy)
        try:
            yield temporary
        except FileProblem as problem:
            named = [
                replace(each, file=each.file.replace(str(temporary), str(path))) for each in problem.problems
            ]
            raise FileProblem.of(named) from problem.__cause__


def _encoding_of(head: bytes, declared: str) -> str:
    """Python's name of the encoding of a file that begins so.

    A byte order mark of UTF-16 or UTF-32 takes the place of UTF-8. Raises FileProblem for an unknown encoding
    and for the beginning of a file that is no text.
    """
    try:
        encoding = known_encoding(declared).removesuffix("-sig")
    except LookupError as error:
        raise FileProblem(
            f"The encoding {quoted(declared)} is not known.",
            'Declare one such as "utf-8", "latin-1", "cp1252" or "utf-16".',
        ) from error
    if other := other_format(head):
        raise FileProblem(f"This is {other}, not a text file.", "Give a text file; unpack archives first.")
    return (encoding == "utf-8" and marked_encoding(head)) or encoding


def _undecodable(encoding: str, error: UnicodeError, before: int = 0) -> FileProblem:
    """The problem of bytes that are not in the encoding; `before` bytes of the file precede them."""
    if not isinstance(error, UnicodeDecodeError):
        return FileProblem(f"The file is not {encoding} text: {error}.", "Declare the encoding it has.")
    return FileProblem(
        f"The file is not {encoding} text: it has the byte 0x{error.object[error.start]:02X} at offset "
        f"{before + error.start:,}.",
        "Save it as UTF-8, or choose the encoding that it has (for example latin-1, cp1252 or utf-16).",
    )


def _decoded_blocks(stream: BinaryIO, encoding: str) -> Iterator[str]:
    """The text of a stream up to what is not in the encoding. Raises FileProblem with the byte's offset."""
    decoder = codecs.getincrementaldecoder(encoding)()
    offset = 0
    while True:
        block = stream.read(_BLOCK)
        held = len(decoder.getstate()[0])
        try:
            yield decoder.decode(block, final=not block)
        except UnicodeError as error:
            if isinstance(error, UnicodeDecodeError):
                yield error.object[: error.start].decode(encoding, "ignore")
            raise _undecodable(encoding, error, offset - held) from error
        offset += len(block)
        if not block:
            return


class TextLines:
    """The lines of a file that are not blank, as (number from 1, text); what cannot be read is in `problems`.

    The file may be an open stream.

    Reading ends when there are `limits.PROBLEMS` of them, and at the first byte that is not in the encoding.
    No more than a block and the longest line that is allowed is in memory. `share` is what is read, 0 to 1.
    """

    def __init__(self, path: Path | BinaryIO, encoding: str, problems: list[FileProblem]) -> None:
        self.problems = problems
        self.share = 0.0
        self._path = path
        self._encoding = encoding

    def __iter__(self) -> Iterator[tuple[int, str]]:
        number = 0
        try:
            with _opened(self._path) as file:
                head, stream = _with_head(unpacked(file))
                encoding = _encoding_of(head, self._encoding)
                is_file = isinstance(self._path, Path) and self._path.is_file()
                size = os.fstat(file.fileno()).st_size if is_file else 0
                number = 1
                for lines in _lines_of_blocks(_decoded_blocks(stream, encoding)):
                    self.share = min(1.0, file.tell() / size) if size else 0.0
                    for line in lines:
                        if len(self.problems) >= limits.PROBLEMS:
                            return
                        text = line.removeprefix(BYTE_ORDER_MARK)
                        if fault := _fault_of(text):
                            self.problems.append(fault.at(number))
                        elif text.strip():
                            yield number, text
                        number += 1
        except FileProblem as refusal:
            self.problems.append(refusal.at(number))
        except OSError as error:
            self.problems.append(FileProblem(f"It cannot be read ({error.strerror}).", "Check the path."))


def _lines_of_blocks(blocks: Iterable[str]) -> Iterator[list[str]]:
    """The lines of a text that comes in blocks, which end with LF, CRLF or CR; what is too long is cut."""
    pending = ""
    for block in blocks:
        is_long = len(pending) > limits.CLUSTER_BYTES and not pending.endswith("\r")
        if is_long and "\n" not in block and "\r" not in block:
            continue
        text = pending + block
        half = text.endswith("\r")  # of CRLF, perhaps
        lines = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        pending = lines.pop() + "\r" * half
        yield lines
    if pending:
        yield [pending.removesuffix("\r")]


def _fault_of(line: str) -> FileProblem | None:
    if "\0" in line:
        return replace(_NUL, column=line.index("\0") + 1)
    most = limits.CLUSTER_BYTES
    if len(line) > most // 4 and len(line.encode("utf-8", "surrogatepass")) > most:
        return FileProblem(
            f"The line is longer than {most:,} bytes.",
            "Split the cluster, or leave articles out: no cluster may be larger.",
        )
    return None


def text_head(path: Path, encoding: str) -> tuple[str, bool]:
    """The text of a file's first `HEAD_BYTES` bytes, and whether that is the whole file.

    Nothing beyond them is read. Raises FileProblem as `text_blocks` does.
    """
    with open_input(path) as file:
        data = file.read(HEAD_BYTES + 1)
    whole = len(data) <= HEAD_BYTES
    encoding = _encoding_of(data[:_LOOKED_AT], encoding)
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data[:HEAD_BYTES], final=whole)
    except UnicodeError as error:
        raise _undecodable(encoding, error) from error
    return text.removeprefix(BYTE_ORDER_MARK), whole


def text_blocks(path: Path | BinaryIO, encoding: str = "utf-8") -> Iterator[str]:
    """The text of a file, without a byte order mark, in blocks of whole lines that end with a line feed.

    A byte order mark of UTF-16 or UTF-32 takes the place of UTF-8.

    Raises
    ------
    FileProblem
        The file cannot be read, is no text, holds a NUL, or is not in its encoding (with the line), or the
        encoding is not known.
    """
    line, mark, pending = 1, BYTE_ORDER_MARK, list[str]()
    try:
        with open_input(path) as opened:
            head, stream = _with_head(opened)
            encoding = _encoding_of(head, encoding)
            for block in _decoded_blocks(stream, encoding):
                if (nul := block.find("\0")) >= 0:
                    raise _NUL.at(line + block.count("\n", 0, nul))
                line += block.count("\n")
                whole, feed, rest = block.removeprefix(mark).rpartition("\n")
                mark = mark and ("" if block else mark)
                if feed:
                    yield "".join([*pending, whole, feed])
                    pending.clear()
                pending.append(rest)
            if text := "".join(pending):
                yield text
    except GeneratorExit:
        raise  # one that is left open ends with the program, when the classes named below may be gone
    except FileProblem as problem:
        undecodable = isinstance(problem.__cause__, UnicodeError)
        raise problem.at(line if undecodable else 0) from problem.__cause__
    except OSError as error:
        message = f"It cannot be read ({error.strerror})."
        raise FileProblem(message, "Check the path and the permissions.") from error


def read_text(path: Path, *, name: str = "", encoding: str = "utf-8") -> str:
    """The text of a file; errors call the file `name`, or by its path. Raises as `text_blocks` does."""
    with located(file=name or str(path)):
        return "".join(text_blocks(path, encoding))


def decoded(data: bytes, encoding: str = "utf-8") -> str:
    """The text of a file's bytes, which are not unpacked; raises as `text_blocks` does."""
    _encoding_of(data[:_LOOKED_AT], encoding)
    return "".join(text_blocks(io.BytesIO(data), encoding))


def numbered(blocks: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines of blocks of whole lines, as `split_lines` has them, numbered from 1 and read one by one."""
    return enumerate(chain.from_iterable(map(split_lines, blocks)), start=1)


def numbered_lines(path: Path, *, name: str = "", encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """The lines of a file, as `numbered` has them; errors as of `read_text`."""
    with located(file=name or str(path)):
        yield from numbered(text_blocks(path, encoding))


def text_of(lines: Iterable[tuple[int, str]]) -> str:
    """The text of numbered lines, separated by line feeds."""
    return "\n".join(line for _, line in lines)


_NUL = FileProblem(
    "There is a NUL character: the file is not plain text, or has another encoding, such as UTF-16.",
    "Give a text file, and choose the encoding that it has.",
)


def split_lines(text: str) -> list[str]:
    """The lines of `text`, separated at line feeds; one carriage return before each is dropped.

    A line feed at the very end closes the last line and opens no further one.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


# Writing


class ClosedPipe(BrokenPipeError):
    """Whoever read the output has stopped reading."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write that gets its name when it is complete and on the disk; never where the block fails.

    It replaces a file that is there and keeps its permissions; a symbolic link stays and leads to the new
    file. Several processes may write the same file at a time. `-` is standard output; that, devices and pipes
    are written as the block writes. What goes to `.gz` or `.zst` is packed, the same into the same bytes.
    Raises OSError where it cannot be written, and ClosedPipe where nobody reads a pipe any longer.
    """
    try:
        with (
            _stream(path) if is_stream(path) else _replacement(Path(os.path.realpath(path))) as file,
            _packed(file, path.suffix.lower()) as packed,
        ):
            yield packed
    except OSError as error:
        # Not that of the partial file.
        if error.filename is not None:
            error.filename = str(path)
        raise


@contextmanager
def _packed(file: BinaryIO, ending: str) -> Iterator[BinaryIO]:
    if ending == ".gz":
        with GzipFile("", "wb", 6, file, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif ending == ".zst":
        with needed("many"):
            import pyarrow as pa
        with pa.CompressedOutputStream(pa.PythonFile(_Kept(file), mode="w"), "zstd") as packed:
            yield packed
    else:
        yield file


class _Kept(io.RawIOBase):
    """A file that stays open when what reads or writes it closes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def write(self, data: bytes) -> int:  # type: ignore[override]  # pyarrow gives bytes
        return self._file.write(data)


@contextmanager
def regular_file(path: Path) -> Iterator[Path]:
    """For what writes to a path: `path`, or for a stream a temporary file that is copied to it afterwards."""
    if not is_stream(path):
        yield Path(os.path.realpath(path))
        return
    with TemporaryDirectory() as folder:
        temporary = Path(folder) / "output"
        yield temporary
        with temporary.open("rb") as source, whole_file(path) as file:
            shutil.copyfileobj(source, file)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 with the line feeds it has, on every platform the same bytes.

    Raises FileProblem when the text holds half of a surrogate pair, which UTF-8 cannot carry.
    """
    write_texts(path, [text])


def write_texts(path: Path, texts: Iterable[str]) -> None:
    """Write the texts one after the other, each when it is there; see `write_text`."""
    lines = 1
    with whole_file(path) as file:
        for text in texts:
            try:
                file.write(text.encode("utf-8"))
            except UnicodeEncodeError as error:
                raise FileProblem(
                    f"U+{ord(text[error.start]):04X} is half of a surrogate pair and cannot be written as "
                    "UTF-8.",
                    "Correct the sentence that holds it.",
                    line=lines + text.count("\n", 0, error.start),
                    file=str(path),
                ) from error
            lines += text.count("\n")


def is_stream(path: Path) -> bool:
    """Whether the path is no regular file: `-`, a device, a pipe, or an open descriptor of this process.

    Raises IsADirectoryError.
    """
    if _descriptor(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return not stat.S_ISREG(mode)


def is_standard_output(path: Path) -> bool:
    """Whether what is written to the path is written to standard output, whatever it is called."""
    return _descriptor(path) == 1


def is_closed(descriptor: int) -> bool:
    """Whether a descriptor is a pipe that nobody reads any longer."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _descriptor(path: Path) -> int | None:
    """The open descriptor that the path names: `-`, /dev/stdout or a link to it, /dev/fd/3."""
    if path == DASH:
        return 1
    with suppress(OSError):
        if os.path.samestat(path.stat(), os.fstat(1)):
            return 1
    named = re.fullmatch(r"/dev/fd/([0-9]+)", str(path))
    return int(named[1]) if named else None


@contextmanager
def _stream(path: Path) -> Iterator[BinaryIO]:
    descriptor = _descriptor(path)
    file: BinaryIO
    if descriptor == 1 and hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        file = sys.stdout.buffer
    else:
        # Not opened again: that would begin at its start.
        file = path.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb")
    try:
        yield file
        file.flush()
    except BrokenPipeError as error:
        raise ClosedPipe(*error.args) from error
    finally:
        if file is not getattr(sys.stdout, "buffer", None):
            # After a failed write, closing tries to write once more.
            with suppress(OSError):
                file.close()


@contextmanager
def _replacement(path: Path) -> Iterator[BinaryIO]:
    partial = path.with_name(f".{path.name}.{uuid4().hex}.partial")
    file = partial.open("xb")
    try:
        with suppress(FileNotFoundError):
            before = path.stat()
            with suppress(PermissionError):
                os.chown(partial, before.st_uid, before.st_gid)
            partial.chmod(stat.S_IMODE(before.st_mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()
        partial.replace(path)
    finally:
        with suppress(OSError):
            file.close()
        partial.unlink(missing_ok=True)
