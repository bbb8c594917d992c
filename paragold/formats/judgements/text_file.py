"""Text files as every reader and writer here takes them: UTF-8 unless another encoding is declared or marked,
lines ended by a line feed.

`str.splitlines` is never used: it also breaks at characters such as U+2028 or U+0085, which occur
inside sentences, and would shift every line after them.
"""

from pathlib import Path

from paragold.problems import FileProblem
from paragold.sources.encodings import known_encoding, marked_encoding
from paragold.sources.magic import other_format
from paragold.text.quoting import quoted

BYTE_ORDER_MARK = "\ufeff"


def read_text(path: Path, *, name: str = "", encoding: str = "utf-8") -> str:
    """The text of a file, without a byte order mark; errors call the file `name`, or by its path.

    A byte order mark of UTF-16 or UTF-32 takes the place of UTF-8. Raises FileProblem for a file that cannot
    be read, is no text, holds a NUL, or is not in its encoding (with the line), and for an unknown encoding.
    """
    name = name or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileProblem(
            f"cannot be read ({error.strerror}).", "Check the path and the permissions.", file=name
        ) from error
    if other := other_format(data[:1024]):
        raise FileProblem(f"is {other[0]}, not text.", other[1], file=name)
    try:
        encoding = known_encoding(encoding)
    except LookupError as error:
        raise FileProblem(
            f"the encoding {quoted(encoding)} is not known.",
            "Declare one such as utf-8 or utf-16.",
            file=name,
        ) from error
    if encoding == "utf-8":
        encoding = marked_encoding(data) or encoding
    try:
        text = data.decode(encoding).removeprefix(BYTE_ORDER_MARK)
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise FileProblem(
            f"byte 0x{data[start]:02x} is not {encoding.upper()}.",
            "Save the file as UTF-8, or choose the encoding that it has.",
            line=data.count(b"\n", 0, start) + 1,
            file=name,
        ) from error
    if (nul := text.find("\0")) >= 0:
        raise FileProblem(
            "holds a NUL character: it is no plain text, or has another encoding, such as UTF-16.",
            "Give a text file, and choose the encoding that it has.",
            line=text.count("\n", 0, nul) + 1,
            file=name,
        )
    return text


def split_lines(text: str) -> list[str]:
    """The lines of `text`, parted at line feeds; one carriage return before each is dropped.

    A line feed at the very end closes the last line and opens no further one.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def write_text(path: Path, text: str, *, byte_order_mark: bool = False) -> None:
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
    path.write_bytes((BYTE_ORDER_MARK.encode() if byte_order_mark else b"") + data)
