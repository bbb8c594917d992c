"""Parallel text: two files, one sentence a line, tokens separated by spaces.

Line n of one file goes with line n of the other.
"""

from collections.abc import Iterable
from pathlib import Path

from paragold.formats.links.link_format import check_tokens, split_tokens
from paragold.formats.text_files import read_text, split_lines, write_text
from paragold.metrics.links import TokenPair
from paragold.problems import FileProblem, located


def loads(source: str, target: str) -> list[TokenPair]:
    """The pairs in order; an empty line is a sentence without tokens.

    Raises FileProblem when one side has more lines than the other.
    """
    source_lines, target_lines = split_lines(source), split_lines(target)
    if len(source_lines) != len(target_lines):
        raise FileProblem(
            f"the source has {len(source_lines)} lines and the target {len(target_lines)}.",
            "Give two files in which equal line numbers belong together.",
        )
    return [
        TokenPair(split_tokens(left), split_tokens(right))
        for left, right in zip(source_lines, target_lines, strict=True)
    ]


def dumps(pairs: Iterable[TokenPair]) -> tuple[str, str]:
    """The texts of the source and the target file.

    Raises FileProblem, naming the pair by its line, for a token that holds a space, a tab or a line break.
    """
    sides: tuple[list[str], list[str]] = ([], [])
    for line, pair in enumerate(pairs, start=1):
        for side, tokens in zip(sides, (pair.source, pair.target), strict=True):
            with located(line, file="parallel text"):
                check_tokens(tokens)
            side.append(" ".join(tokens) + "\n")
    return "".join(sides[0]), "".join(sides[1])


def read(source: Path, target: Path) -> list[TokenPair]:
    """Read two files; see `loads`."""
    with located(file=f"{source} and {target}"):
        return loads(read_text(source), read_text(target))


def write(source: Path, target: Path, pairs: Iterable[TokenPair]) -> None:
    """Write two files; see `dumps`."""
    source_text, target_text = dumps(pairs)
    write_text(source, source_text)
    write_text(target, target_text)
