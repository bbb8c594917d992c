"""Links as Pharaoh and its successors write them: one pair a line, `0-0 1-2`, indices from 0.

`1?2` is a POSSIBLE link. An empty line is a pair without links. A link written both ways is SURE.
"""

import re
from collections.abc import Iterable, Sequence

from paragold.formats.links.link_format import (
    LinkFormat,
    check_inside,
    index_from_text,
    numbered,
    ordered,
    spaced_texts,
    split_tokens,
)
from paragold.formats.text_files import split_lines
from paragold.metrics.links import Link, LinkedPair, Links, TokenPair
from paragold.problems import FileProblem, located, quoted

_LINK = re.compile(r"([0-9]+)([-?])([0-9]+)")


def parse_line(content: str) -> Links:
    """The links of one pair. Raises FileProblem for anything else."""
    strengths: dict[str, list[Link]] = {"-": [], "?": []}
    for field in split_tokens(content):
        match = _LINK.fullmatch(field)
        if match is None:
            raise FileProblem(
                f"{quoted(field)} is not a link.",
                "Write 3-4 for SURE and 3?4 for POSSIBLE, indices from 0, separated by spaces.",
            )
        i, j = (index_from_text(match[group]) for group in (1, 3))
        strengths[match[2]].append((i, j))
    return Links.of(strengths["-"], strengths["?"])


def format_line(links: Links) -> str:
    """One pair's links, in ascending order, without a line feed."""
    return " ".join(f"{i}{'-' if sure else '?'}{j}" for i, j, sure in sorted(ordered(links)))


def links_of_field(text: str, field: str) -> frozenset[Link]:
    """The links `3-0 4-1` of a field that has one strength. Raises FileProblem; `field` is its name."""
    links = parse_line(text)
    if links.possible_only:
        raise FileProblem(
            f"{field} has a link with '?'.",
            "Here the field gives the strength; write 3-4 in both.",
        )
    return links.sure


def format_field(links: Iterable[Link]) -> str:
    """Links of one strength, in ascending order, as `links_of_field` reads them."""
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


def pair_of_fields(
    key: str, fields: Sequence[str], line: int, names: tuple[str, str] = ("sure", "possible")
) -> LinkedPair:
    """The pair of four fields: source, target, SURE links and POSSIBLE links; one in both is SURE.

    Tokens are separated by spaces. Raises FileProblem; `names` are those of the fields of links.
    """
    source, target, *links = fields
    tokens = TokenPair(split_tokens(source), split_tokens(target))
    sure, possible = (links_of_field(text, name) for text, name in zip(links, names, strict=True))
    check_inside(sure | possible, tokens)
    return LinkedPair(key, tokens, Links.of(sure, possible), line)


def fields_of_pair(pair: LinkedPair) -> tuple[str, str, str, str]:
    """The fields that `pair_of_fields` reads, links in ascending order.

    Raises FileProblem, with the pair as the file, for a token that holds a space, a tab or a line break.
    """
    sure, possible = format_field(pair.links.sure), format_field(pair.links.possible_only)
    return (*spaced_texts(pair), sure, possible)


def loads(text: str, *, tokens: Sequence[TokenPair] | None = None) -> list[Links]:
    """The links of every line, in order.

    With `tokens`, the pairs of the text in order, there must be a line for each and no link outside of it.
    Raises FileProblem for anything that is not in the format.
    """
    lines = split_lines(text)
    if tokens is not None and len(lines) != len(tokens):
        raise FileProblem(
            f"{len(lines)} lines, but the text has {len(tokens)} pairs.",
            "Give one line for each pair, an empty one for a pair without links.",
        )
    pairs = []
    for line, content in enumerate(lines, start=1):
        with located(line):
            links = parse_line(content)
            if tokens is not None:
                check_inside(links.possible, tokens[line - 1])
        pairs.append(links)
    return pairs


def dumps(pairs: Iterable[Links]) -> str:
    """The file's text, a line for each pair."""
    return "".join(format_line(links) + "\n" for links in pairs)


PHARAOH = LinkFormat(
    id="pharaoh",
    label="Pharaoh, possible links with ?",
    help="links as 0-0 1?2, one pair per line",
    example="0-0 3?4; from 0",
    extensions=(".pharaoh",),
    first_line=re.compile(r"\s*\d+[-?]\d+(?:\s+\d+[-?]\d+)*\s*$"),
    read=lambda text, tokens, unknown: numbered(tokens or (), loads(text, tokens=tokens or ())),
    write=lambda pairs, before: dumps(pair.links for pair in pairs),
    carries_text=False,
)
