"""Texts of files of word links, by the id of a format."""

from __future__ import annotations

from collections.abc import Sequence

from paragold.formats.link_files import LINK_FORMATS, checked_pairs, texts_of
from paragold.formats.link_formats import LinkReading
from paragold.metrics.links import LinkedPair, Links, TokenPair


def loads(format_id: str, text: str, tokens: Sequence[TokenPair] | None = None) -> list[LinkedPair]:
    return list(checked_pairs(LINK_FORMATS.get(format_id), [text], tokens, LinkReading()))


def dumps(format_id: str, pairs: Sequence[LinkedPair]) -> str:
    known = LINK_FORMATS.get(format_id)
    return "".join([known.start, *texts_of(pairs, known), known.end])


def links_in(format_id: str, text: str, tokens: Sequence[TokenPair]) -> list[Links]:
    """The links of a format without text."""
    return [pair.links for pair in loads(format_id, text, tokens)]
