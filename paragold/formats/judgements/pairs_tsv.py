"""Labelled pairs as the Microsoft Research Paraphrase Corpus writes them.

Tab-separated, UTF-8, a header line, quotes are ordinary characters:
`Quality`, `#1 ID`, `#2 ID`, `#1 String`, `#2 String`; Quality is 1 for a paraphrase and 0 for none.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from paragold.formats.text_files import BYTE_ORDER_MARK, read_text, split_lines, write_text
from paragold.problems import FileProblem, located
from paragold.text.quoting import quoted

HEADER = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
_WHITE_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """One line: whether the pair is a paraphrase, and key and text of its two sentences."""

    paraphrase: bool
    first_key: str
    second_key: str
    first_text: str
    second_text: str


def one_line(text: str) -> str:
    """The text with every run of white space as one space and none at its ends."""
    return _WHITE_SPACE.sub(" ", text).strip()


def dumps(pairs: Iterable[LabelledPair], *, first_line: int = 1) -> str:
    """The file's text. Each run of white space in a sentence, line breaks included, becomes one space.

    With a `first_line` above 1 it goes on from there, without the header.
    Raises FileProblem for a key that is blank or holds a tab or line break, and for a sentence without text.
    """
    lines = ["\t".join(HEADER)] if first_line == 1 else []
    for line, pair in enumerate(pairs, start=max(2, first_line)):
        for key in (pair.first_key, pair.second_key):
            if not key.strip() or any(separator in key for separator in "\t\n\r"):
                raise FileProblem(
                    f"the key {quoted(key)} is empty or holds a tab or line break.",
                    "Use a key without it.",
                    line=line,
                    file="pairs",
                )
        texts = one_line(pair.first_text), one_line(pair.second_text)
        if not all(texts):
            raise FileProblem("a sentence has no text.", "Leave the pair out.", line=line, file="pairs")
        lines.append("\t".join(("1" if pair.paraphrase else "0", pair.first_key, pair.second_key, *texts)))
    return "".join(line + "\n" for line in lines)


def loads(text: str) -> list[LabelledPair]:
    """The pairs in order. Raises FileProblem, with the line, for anything not in the format."""
    lines = split_lines(text.removeprefix(BYTE_ORDER_MARK))
    if not lines or tuple(lines[0].split("\t")) != HEADER:
        raise FileProblem(
            "the header is missing." if lines else "the file is empty.",
            f"Begin with the columns {', '.join(HEADER)}, separated by tabs.",
            line=1 if lines else 0,
        )
    pairs = []
    for line, content in enumerate(lines[1:], start=2):
        with located(line):
            pairs.append(_pair(content.split("\t")))
    return pairs


def _pair(fields: list[str]) -> LabelledPair:
    if len(fields) != len(HEADER):
        raise FileProblem(
            f"{len(fields)} columns instead of {len(HEADER)}.", "Separate the columns by single tabs."
        )
    quality, first_key, second_key, first_text, second_text = fields
    if quality not in ("0", "1"):
        raise FileProblem(f"Quality is {quoted(quality)}.", "Write 1 for a paraphrase, 0 for none.")
    if not all(field.strip() for field in fields):
        raise FileProblem("a column is empty.", "Give both keys and both sentences.")
    return LabelledPair(quality == "1", first_key, second_key, first_text, second_text)


def write(path: Path, pairs: Iterable[LabelledPair], *, byte_order_mark: bool = False) -> None:
    """Write a file; see `dumps`. The corpus itself begins with a byte order mark, which is optional here."""
    write_text(path, dumps(pairs), byte_order_mark=byte_order_mark)


def read(path: Path) -> list[LabelledPair]:
    """Read a file, with or without a byte order mark; see `loads`."""
    with located(file=str(path)):
        return loads(read_text(path))
