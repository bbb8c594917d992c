"""A format of word links: `source TAB target TAB 0->0 1=>2`; `=>` is SURE, `->` is POSSIBLE."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paragold.formats.link_formats import LinkFormat, LinkReading
from paragold.metrics.links import LinkedPair, Links
from paragold.problems import FileProblem

_LINK = re.compile(r"([0-9]{1,9})(->|=>)([0-9]{1,9})")


def read(lines: Iterator[tuple[int, str]], reading: LinkReading) -> Iterator[LinkedPair]:
    """The pairs of a file's numbered lines, in order; `reading.tokens` are known where another file has the
    sentences. What a file may hold beside the links is counted in `reading.unknown` by its name, and shown to
    who reads it.
    """
    for number, line in lines:
        if line.strip():
            yield _pair(line, number)


def write(pair: LinkedPair, number: int) -> str:
    """The text of a pair, by its number in the file."""
    return "\t".join([" ".join(pair.source), " ".join(pair.target), _arrows(pair.links)]) + "\n"


def _pair(line: str, number: int) -> LinkedPair:
    columns = line.split("\t")
    if len(columns) != 3:
        raise FileProblem(f"{len(columns)} columns instead of 3.", "Separate them by tabs.", line=number)
    source, target = columns[0].split(), columns[1].split()
    sure: set[tuple[int, int]] = set()
    possible: set[tuple[int, int]] = set()
    for text in columns[2].split():
        link = _LINK.fullmatch(text)
        if link is None or int(link[1]) >= len(source) or int(link[3]) >= len(target):
            raise FileProblem(f"{text} is no link.", "Write 0=>1 for sure, 0->1 for possible.", line=number)
        (sure if link[2] == "=>" else possible).add((int(link[1]), int(link[3])))
    return LinkedPair(str(number), tuple(source), tuple(target), Links.of(sure, possible), line=number)


def _arrows(links: Links) -> str:
    return " ".join(f"{i}{'=>' if (i, j) in links.sure else '->'}{j}" for i, j in sorted(links.possible))


ARROWS = LinkFormat(
    id="arrows",
    label="Arrows (example plug-in)",
    help="One pair per line: source tokens, target tokens, links with => for SURE and -> for POSSIBLE.",
    example="0=>0 1->2",
    extensions=(".arrows",),
    first_line=re.compile(r"[^\t]+\t[^\t]+\t[0-9]+[-=]>[0-9]+"),
    read=read,
    write=write,
)
