"""Checks that the readers and writers of link files share."""

from collections.abc import Collection, Sequence

from paragold.metrics.links import Link, Links, TokenPair
from paragold.problems import FileProblem
from paragold.text.quoting import quoted

SEPARATORS = " \t\n\r"


def index_from_text(text: str, *, file: str, line: int) -> int:
    """A token index written in ASCII digits. Raises FileProblem for anything else."""
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise FileProblem(
            f"{quoted(text)} is not a token index.",
            "Write indices as whole numbers, 0 or above.",
            line=line,
            file=file,
        )
    return int(text)


def check_inside(links: Collection[Link], tokens: TokenPair, *, file: str, line: int, base: int = 0) -> None:
    """Raise FileProblem when a link points outside its sentences; indices are shown counted from `base`."""
    outside = Links.of((), links).first_outside(len(tokens.source), len(tokens.target))
    if outside is not None:
        i, j = outside
        raise FileProblem(
            f"link {i + base}-{j + base} points outside its sentences, which have "
            f"{len(tokens.source)} and {len(tokens.target)} tokens (indices count from {base}).",
            "Check that links and text belong together and that indices count from "
            f"{base} in the order source, target.",
            line=line,
            file=file,
        )


def check_tokens(tokens: Sequence[str], *, file: str, line: int) -> None:
    """Raise FileProblem for a token that a format which parts tokens by spaces cannot hold."""
    for position, token in enumerate(tokens):
        if not token or any(separator in token for separator in SEPARATORS):
            raise FileProblem(
                f"token {position} is {quoted(token)}: empty, or with a space, tab or line break inside.",
                "Tokenise the sentence again; only the JSONL format holds such tokens.",
                line=line,
                file=file,
            )


def split_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a text parted by spaces or tabs; other white space (U+00A0) stays inside a token."""
    return tuple(token for token in text.replace("\t", " ").split(" ") if token)


def ordered(links: Links) -> list[tuple[int, int, bool]]:
    """(source, target, is SURE) of every link: SURE ones first, then POSSIBLE, each by source and target."""
    return [(i, j, True) for i, j in sorted(links.sure)] + [
        (i, j, False) for i, j in sorted(links.possible_only)
    ]
