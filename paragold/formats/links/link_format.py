"""The declaration of a format of word links, and what all of them share."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from paragold.formats.annotators import AnnotatorChoice
from paragold.formats.json_lines import UniqueIds
from paragold.formats.unknown import Unknown
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.problems import FileProblem, located, quoted, shortened

SEPARATORS = " \t\n\r"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFormat:
    r"""A format in which linked pairs are read and written.

    Parameters
    ----------
    id, label : str
        The name that is typed and stored, and the one that people read.
    help : str
        What a file of it holds, as a data card says it.
    example : str
        How SURE and POSSIBLE links look in it.
    extensions : tuple of str
        Endings of names; the first is that of exports.
    first_line, contains : pattern
        `first_line` matches the first line with text of such files. `contains` is found in the beginning of
        such files and of no other format with such a first line.
    read : callable
        The pairs of a file's text, in order. Takes the tokens of the pairs as well, None where they are not
        known; formats without text need them, and give the pairs their numbers from 1 as keys. What it does
        not read it counts in the last argument. Raises FileProblem, with the line, for what is not in the
        format.
    read_of : callable
        In place of `read`, for formats with text that may say whose links they are: takes the choice of whose
        are read as its second argument.
    file_a_person : bool
        Whether a zip of several files of it has the links of a person in each.
    write : callable
        The text of some pairs in a file that has so many before them. Raises FileProblem for what the format
        cannot hold.
    end : str
        What follows the last pair.
    carries_text : bool
        Whether the tokens are in the file.
    one_strength : bool
        Whether all links are SURE in it.
    tool : bool
        Whether it is one of other annotation tools: not among "all" formats of an export.
    beside : mapping
        Texts of files, by name, that are written beside the links.
    """

    id: str
    label: str
    help: str
    example: str
    extensions: tuple[str, ...]
    first_line: re.Pattern[str] = re.compile(r"(?!)")
    contains: re.Pattern[str] | None = None
    read: Callable[[str, Sequence[TokenPair] | None, Unknown], list[LinkedPair]] | None = None
    read_of: Callable[[str, AnnotatorChoice, Unknown], list[LinkedPair]] | None = None
    file_a_person: bool = False
    write: Callable[[Sequence[LinkedPair], int], str] = lambda pairs, before: ""
    end: str = ""
    carries_text: bool = True
    one_strength: bool = False
    tool: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)

    def file_name(self, stem: str) -> str:
        return f"{stem}{self.extensions[0]}"


class LinkWriter:
    """A file of links at `path` to which pairs are added as they come; the same pairs give the same bytes.

    Raises FileProblem for links and tokens that the format cannot hold.
    """

    def __init__(self, path: Path, link_format: LinkFormat) -> None:
        self._format = link_format
        self._pairs = 0
        self._file = path.open("w", encoding="utf-8", newline="")

    def add(self, pairs: Sequence[LinkedPair]) -> None:
        self._file.write(self._format.write(pairs, self._pairs))
        self._pairs += len(pairs)

    def close(self) -> None:
        self._file.write(self._format.end)
        self._file.close()


def index_from_text(text: str) -> int:
    """A token index written in ASCII digits. Raises FileProblem for anything else."""
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise FileProblem(
            f"{quoted(text)} is not a token index.", "Write indices as whole numbers, 0 or above."
        )
    return int(text)


def check_inside(links: Collection[Link], tokens: TokenPair, *, base: int = 0) -> None:
    """Raise FileProblem when a link points outside its sentences; indices are shown counted from `base`."""
    outside = Links.of((), links).first_outside(len(tokens.source), len(tokens.target))
    if outside is not None:
        i, j = outside
        raise FileProblem(
            f"link {i + base}-{j + base} points outside its sentences, which have "
            f"{len(tokens.source)} and {len(tokens.target)} tokens (indices count from {base}).",
            "Check that links and text belong together and that indices count from "
            f"{base} in the order source, target.",
        )


def check_tokens(tokens: Sequence[str]) -> None:
    """Raise FileProblem for a token that a format which separates tokens by spaces cannot hold."""
    for position, token in enumerate(tokens):
        if not token or any(separator in token for separator in SEPARATORS):
            raise FileProblem(
                f"token {position} is {quoted(token)}: empty, or with a space, tab or line break inside.",
                "Tokenise the sentence again; only the JSONL format holds such tokens.",
            )


def spaced_texts(pair: LinkedPair) -> tuple[str, str]:
    """Source and target with their tokens separated by spaces.

    Raises FileProblem, with the pair as the file, for a token that holds a space, a tab or a line break.
    """
    with located(file=f"pair {shortened(pair.key)}"):
        check_tokens(pair.tokens.source)
        check_tokens(pair.tokens.target)
    return " ".join(pair.tokens.source), " ".join(pair.tokens.target)


def split_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text separated by spaces or tabs; other white space (U+00A0) stays inside a token."""
    return tuple(token for token in text.replace("\t", " ").split(" ") if token)


Record = TypeVar("Record")


def unique_pairs(
    records: Iterable[tuple[int, Record]], pair_of: Callable[[Record, int], LinkedPair]
) -> list[LinkedPair]:
    """The pairs of a file's records, each given with its line, in order.

    Raises FileProblem, with the line, for an id that occurs twice and what `pair_of` refuses.
    """
    pairs: list[LinkedPair] = []
    ids = UniqueIds()
    for line, record in records:
        with located(line):
            pairs.append(pair_of(record, line))
            ids.add(pairs[-1].key, line)
    return pairs


def ordered(links: Links) -> list[tuple[int, int, bool]]:
    """(source, target, is SURE) of every link: SURE ones first, then POSSIBLE, each by source and target."""
    return [(i, j, True) for i, j in sorted(links.sure)] + [
        (i, j, False) for i, j in sorted(links.possible_only)
    ]


def numbered(tokens: Sequence[TokenPair], links: Sequence[Links]) -> list[LinkedPair]:
    """Pairs of a format without text: tokens and links in order, with their numbers from 1 as keys."""
    return [
        LinkedPair(str(number), text, drawn, number)
        for number, (text, drawn) in enumerate(zip(tokens, links, strict=True), start=1)
    ]
