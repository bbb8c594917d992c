"""Links as in the shared task of the NAACL 2003 workshop on parallel texts (Mihalcea & Pedersen 2003).

One link a line: `0001 1 7 S`, that is sentence number, source position, target position, strength.
All three numbers count from 1; S is SURE and what a missing fourth column means, P is POSSIBLE.
A link listed under both is SURE. A sentence without links has no line.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from paragold.formats.links.link_format import (
    LinkFormat,
    check_inside,
    index_from_text,
    numbered,
    ordered,
    split_tokens,
)
from paragold.formats.text_files import split_lines
from paragold.metrics.links import Link, Links, TokenPair
from paragold.problems import FileProblem, located, quoted


def loads(text: str, *, tokens: Sequence[TokenPair] | None = None) -> dict[int, Links]:
    """The links by sentence number, in ascending order.

    With `tokens`, the pairs of the text in order, every sentence from 1 to len(tokens) is in the answer,
    and links or sentences outside of it are refused; without, only sentences that have a link are there.
    Raises FileProblem for anything that is not in the format.
    """
    sure: dict[int, set[Link]] = {}
    possible: dict[int, set[Link]] = {}
    for line, content in enumerate(split_lines(text), start=1):
        fields = split_tokens(content)
        if not fields:
            continue
        with located(line):
            sentence, link, is_sure = _link(fields)
            if tokens is not None:
                _check_sentence(sentence, link, tokens)
        (sure if is_sure else possible).setdefault(sentence, set()).add(link)
    numbers: Iterable[int] = (
        sorted(sure.keys() | possible.keys()) if tokens is None else range(1, len(tokens) + 1)
    )
    return {number: Links.of(sure.get(number, ()), possible.get(number, ())) for number in numbers}


def _link(fields: Sequence[str]) -> tuple[int, Link, bool]:
    """(sentence from 1, link from 0, is SURE)"""
    if len(fields) not in (3, 4):
        raise FileProblem(
            f"{len(fields)} columns instead of 3 or 4.",
            "Write sentence, source position, target position and S or P, separated by spaces.",
        )
    if len(fields) == 4 and fields[3] not in ("S", "P"):
        raise FileProblem(
            f"strength {quoted(fields[3])} is neither S nor P.", "Write S for SURE, P for POSSIBLE."
        )
    sentence, i, j = (index_from_text(field) for field in fields[:3])
    if 0 in (sentence, i, j):
        raise FileProblem(
            "sentences and positions count from 1, so 0 is not allowed.",
            "Add 1 to indices that count from 0; leave out links to the null word.",
        )
    return sentence, (i - 1, j - 1), fields[-1] != "P"


def _check_sentence(sentence: int, link: Link, tokens: Sequence[TokenPair]) -> None:
    if sentence > len(tokens):
        raise FileProblem(
            f"sentence {sentence}, but the text has {len(tokens)} pairs.",
            "Check that links and text belong together.",
        )
    check_inside([link], tokens[sentence - 1], base=1)


def dumps(links: Mapping[int, Links]) -> str:
    """The file's text: sentences by number, within each the SURE links first.

    Raises ValueError for a sentence number under 1.
    """
    if any(number < 1 for number in links):
        raise ValueError("NAACL sentence numbers count from 1")
    return "".join(
        f"{number:04d} {i + 1} {j + 1} {'S' if sure else 'P'}\n"
        for number in sorted(links)
        for i, j, sure in ordered(links[number])
    )


NAACL = LinkFormat(
    id="naacl",
    label="NAACL-2003",
    help="links as NAACL-2003 has them",
    example="0001 1 7 S, 0001 2 3 P; from 1",
    extensions=(".naacl",),
    first_line=re.compile(r"\s*\d+\s+\d+\s+\d+(?:\s+[SP])?\s*$"),
    read=lambda text, tokens, unknown: numbered(
        tokens or (), list(loads(text, tokens=tokens or ()).values())
    ),
    write=lambda pairs, before: dumps(
        {number: pair.links for number, pair in enumerate(pairs, start=before + 1)}
    ),
    carries_text=False,
)
