"""Linked pairs as the MultiMWA benchmark holds them: one pair a line, columns parted by tabs.

Column 1 is the id, 2 the source, 4 the target, 8 the SURE links and 9 the POSSIBLE ones, `3-0 4-1` with
indices from 0; a link in both is SURE. Tokens are parted by spaces. The other columns are not read, and
written empty. Lan, Jiang & Xu (2021), "Neural semi-Markov CRF for Monolingual Word Alignment".
"""

from collections.abc import Iterable
from pathlib import Path

from paragold.formats.json_lines import UniqueIds
from paragold.formats.links.checks import check_inside, check_tokens, split_tokens
from paragold.formats.links.pharaoh import format_field, links_of_field
from paragold.formats.text_files import read_text, split_lines, write_text
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem

COLUMNS = 9


def loads(text: str, *, name: str = "links") -> list[LinkedPair]:
    """The pairs in order; blank lines are passed over.

    Raises FileProblem, with `name` as the file, for anything that is not in the format.
    """
    pairs: list[LinkedPair] = []
    ids = UniqueIds(name)
    for line, content in enumerate(split_lines(text), start=1):
        if not content.strip(" "):
            continue
        columns = content.split("\t")
        if len(columns) < COLUMNS:
            raise FileProblem(
                f"{len(columns)} columns instead of {COLUMNS} or more.",
                "Separate by tabs: id, source, (3), target, (5), (6), (7), sure links, possible links.",
                line=line,
                file=name,
            )
        tokens = TokenPair(split_tokens(columns[1]), split_tokens(columns[3]))
        links = Links.of(
            links_of_field(columns[7], "the column of sure links", name=name, line=line),
            links_of_field(columns[8], "the column of possible links", name=name, line=line),
        )
        check_inside(links.possible, tokens, file=name, line=line)
        ids.add(columns[0], line)
        pairs.append(LinkedPair(columns[0], tokens, links, line))
    return pairs


def dumps(pairs: Iterable[LinkedPair]) -> str:
    """The file's text, links in ascending order.

    Raises FileProblem for an id or a token that holds what parts columns, tokens or lines; the line is then
    0 and the message names the pair.
    """
    lines = []
    for pair in pairs:
        file = f"pair {pair.key}"
        if any(separator in pair.key for separator in "\t\n\r"):
            raise FileProblem("the id has a tab or a line break.", "Use the JSONL format.", file=file)
        for sentence in (pair.tokens.source, pair.tokens.target):
            check_tokens(sentence, file=file, line=0)
        source, target = " ".join(pair.tokens.source), " ".join(pair.tokens.target)
        sure, possible = format_field(pair.links.sure), format_field(pair.links.possible_only)
        lines.append("\t".join([pair.key, source, "", target, "", "", "", sure, possible]) + "\n")
    return "".join(lines)


def read(path: Path) -> list[LinkedPair]:
    """Read a file; see `loads`."""
    return loads(read_text(path), name=str(path))


def write(path: Path, pairs: Iterable[LinkedPair]) -> None:
    """Write a file; see `dumps`."""
    write_text(path, dumps(pairs))
