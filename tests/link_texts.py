"""Texts of files of word links, by the id of a format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.link_formats import LinkReading
from paragold.metrics.links import LinkedPair, Links, TokenPair


def loads(format_id: str, text: str, tokens: Sequence[TokenPair] | None = None) -> list[LinkedPair]:
    link_format = LINK_FORMATS.get(format_id)
    if link_format.read_of is not None:
        return link_format.read_of(text, LinkReading(), Counter())
    assert link_format.read is not None
    return link_format.read(text, tokens, Counter())


def dumps(format_id: str, pairs: Sequence[LinkedPair], before: int = 0) -> str:
    link_format = LINK_FORMATS.get(format_id)
    return link_format.write(pairs, before) + link_format.end


def links_in(format_id: str, text: str, tokens: Sequence[TokenPair]) -> list[Links]:
    """The links of a format without text."""
    return [pair.links for pair in loads(format_id, text, tokens)]
