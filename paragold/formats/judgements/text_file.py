"""Text files as every reader and writer here takes them: UTF-8, lines ended by a line feed.

`str.splitlines` is never used: it also breaks at characters such as U+2028 or U+0085, which occur
inside sentences, and would shift every line after them.
"""

from pathlib import Path

from paragold.formats.judgements.errors import FormatError

BYTE_ORDER_MARK = "\ufeff"


def read_text(path: Path, *, name: str = "") -> str:
    """The text of a UTF-8 file, without a byte order mark; errors call it `name`, or by its path.

    Raises FormatError for a file that cannot be read, holds a NUL, or is not UTF-8 (with the line).
    """
    name = name or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(
            name, 0, f"cannot be read ({error.strerror}).", "Check the path and the permissions."
        ) from error
    if (nul := data.find(b"\0")) >= 0:
        raise FormatError(
            name,
            data.count(b"\n", 0, nul) + 1,
            "holds a NUL character, so it is not a plain text file.",
            "Give the file as UTF-8 text, unpacked.",
        )
    try:
        return data.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        raise FormatError(
            name,
            data.count(b"\n", 0, error.start) + 1,
            f"byte 0x{data[error.start]:02x} is not UTF-8.",
            "Save the file as UTF-8.",
        ) from error


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

    Raises FormatError when the text holds half of a surrogate pair, which UTF-8 cannot carry.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(
            str(path),
            text.count("\n", 0, error.start) + 1,
            f"U+{ord(text[error.start]):04X} is half of a surrogate pair and cannot be written as UTF-8.",
            "Correct the sentence it stands in.",
        ) from error
    path.write_bytes((BYTE_ORDER_MARK.encode() if byte_order_mark else b"") + data)
