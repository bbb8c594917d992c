"""Linked pairs as the MultiMWA benchmark holds them: one pair a line, columns separated by tabs.

Column 1 is the id, 2 the source, 4 the target, 8 the SURE links and 9 the POSSIBLE ones, `3-0 4-1` with
indices from 0; a link in both is SURE. Tokens are separated by spaces. The other columns are counted, and
written empty. Lan, Jiang & Xu (2021), "Neural semi-Markov CRF for Monolingual Word Alignment".
"""

import re
from collections.abc import Iterable, Sequence

from paragold.formats.links.link_format import LinkFormat, unique_pairs
from paragold.formats.links.pharaoh import fields_of_pair, pair_of_fields
from paragold.formats.text_files import split_lines
from paragold.formats.unknown import Unknown
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem, located

COLUMNS = 9
_READ = {1, 2, 4, 8, 9}


def loads(text: str, unknown: Unknown) -> list[LinkedPair]:
    """The pairs in order; blank lines are passed over.

    Raises FileProblem for anything that is not in the format.
    """
    rows = [
        (line, content.split("\t"))
        for line, content in enumerate(split_lines(text), start=1)
        if content.strip(" ")
    ]
    for _, columns in rows:
        unknown.update(f"column {n}" for n, cell in enumerate(columns, start=1) if cell and n not in _READ)
    return unique_pairs(rows, _pair)


def _pair(columns: Sequence[str], line: int) -> LinkedPair:
    if len(columns) < COLUMNS:
        raise FileProblem(
            f"{len(columns)} columns instead of {COLUMNS} or more.",
            "Separate by tabs: id, source, (3), target, (5), (6), (7), sure links, possible links.",
        )
    fields = (columns[1], columns[3], columns[7], columns[8])
    return pair_of_fields(
        columns[0], fields, line, ("the column of sure links", "the column of possible links")
    )


def dumps(pairs: Iterable[LinkedPair]) -> str:
    """The file's text, links in ascending order.

    Raises FileProblem, with the pair as the file, for an id or a token that holds what separates columns,
    tokens or lines.
    """
    lines = []
    for pair in pairs:
        with located(file=f"pair {pair.key}"):
            if any(separator in pair.key for separator in "\t\n\r"):
                raise FileProblem("the id has a tab or a line break.", "Use the JSONL format.")
        source, target, sure, possible = fields_of_pair(pair)
        lines.append("\t".join([pair.key, source, "", target, "", "", "", sure, possible]) + "\n")
    return "".join(lines)


MULTIMWA = LinkFormat(
    id="multimwa",
    label="MultiMWA TSV",
    help="linked pairs, as MultiMWA has them",
    example="columns 8 and 9",
    extensions=(".tsv",),
    first_line=re.compile(r"[^\t]*(?:\t[^\t]*){7}"),
    read=lambda text, tokens, unknown: loads(text, unknown),
    write=lambda pairs, before: dumps(pairs),
)
