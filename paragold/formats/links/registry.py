"""The formats of word links, and the reader that distinguishes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paragold.formats.links.edinburgh import EDINBURGH
from paragold.formats.links.giza import GIZA
from paragold.formats.links.jsonl import JSONL
from paragold.formats.links.link_format import LinkFormat
from paragold.formats.links.multimwa import MULTIMWA
from paragold.formats.links.naacl import NAACL
from paragold.formats.links.pharaoh import PHARAOH
from paragold.formats.text_files import read_text, split_lines, write_text
from paragold.metrics.links import LinkedPair, TokenPair
from paragold.problems import FileProblem, located, shortened
from paragold.registry import Registry, check_endings


def _check_plugin(one: LinkFormat) -> None:
    """Raises UnusableError for a format whose files of an export would have the names of others."""
    taken = {".csv", ".parquet", ".src", ".tgt"}.union(*(other.extensions for other in LINK_FORMATS))
    check_endings(one.extensions, taken)
    one.first_line.match("")  # fails for a pattern of bytes, which would stop every import


LINK_FORMATS = Registry(
    "link format",
    LinkFormat,
    [PHARAOH, NAACL, JSONL, EDINBURGH, MULTIMWA, GIZA],
    entry_points="paragold.link_formats",
    check=_check_plugin,
)


def format_of_text(text: str, name: str = "") -> LinkFormat | None:
    """The format of a file of links: by its first line with text, else by its name's extension."""
    line = next((line for line in split_lines(text) if line.strip()), "")
    for one in LINK_FORMATS:
        if one.first_line.match(line):
            return one
    for one in LINK_FORMATS:
        if name.lower().endswith(tuple(extension.lower() for extension in one.extensions)):
            return one
    return None


def link_format_ids() -> tuple[str, ...]:
    """The ids of the formats, in order."""
    return LINK_FORMATS.ids()


def read_links(
    path: Path,
    format_id: str | None = None,
    *,
    tokens: Sequence[TokenPair] | None = None,
    name: str = "",
    encoding: str = "utf-8",
) -> list[LinkedPair]:
    """Read the pairs of a file of links, in order.

    Parameters
    ----------
    path : Path
        The file.
    format_id : str, optional
        Its format; by default known by the content of the file.
    tokens : sequence of TokenPair, optional
        The text of the pairs. Formats that hold no text need it; in the others it must be the same.
    name : str, optional
        What errors call the file.
    encoding : str
        That of the file, unless a byte order mark says another.

    Raises
    ------
    FileProblem
        The text is missing or differs, or the file holds what its format does not allow.
    """
    with located(file=name or str(path)):
        text = read_text(path, encoding=encoding)
        known = LINK_FORMATS.get(format_id) if format_id else format_of_text(text, name or path.name)
        if known is None:
            raise FileProblem("The format is not known.", f"Choose one of {', '.join(LINK_FORMATS.ids())}.")
        if tokens is None and not known.carries_text:
            raise FileProblem(
                f"The format {known.id} contains no text.",
                "Give the sentences as well, source and target, one per line.",
            )
        pairs = known.read(text, tokens)
        if not all(isinstance(pair, LinkedPair) for pair in pairs):
            raise LINK_FORMATS.wrong_result(known.id, "something else than linked pairs")
        _check_same_text(pairs, tokens)
        return pairs


def write_links(path: Path, pairs: Sequence[LinkedPair], format_id: str) -> None:
    """Write a file of links.

    Raises
    ------
    FileProblem
        The format cannot hold some of the links or tokens, or UTF-8 cannot.
    """
    chosen = LINK_FORMATS.get(format_id)
    write_text(path, chosen.write(pairs, 0) + chosen.end)


def _check_same_text(pairs: Sequence[LinkedPair], tokens: Sequence[TokenPair] | None) -> None:
    if tokens is None:
        return
    remedy = "Check that links and text belong together."
    if len(pairs) != len(tokens):
        raise FileProblem(f"{len(pairs)} pairs, but the text has {len(tokens)}.", remedy)
    for number, (pair, text) in enumerate(zip(pairs, tokens, strict=True), start=1):
        if pair.tokens != text:
            raise FileProblem(
                f"the tokens of pair {number} (id {shortened(pair.key)}) differ from the text.",
                remedy,
                line=pair.line,
            )
