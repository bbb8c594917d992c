"""Texts of files of word links, by the id of a format."""

from paragold.formats.link_files import LINK_FORMATS, checked_pairs, texts_of
from paragold.formats.link_formats import LinkReading
from paragold.formats.text_files import numbered


def loads(format_id, text, tokens=None):
    return list(checked_pairs(LINK_FORMATS.get(format_id), numbered([text]), tokens, LinkReading()))


def dumps(format_id, pairs):
    known = LINK_FORMATS.get(format_id)
    return "".join([known.start, *texts_of(pairs, known), known.end])


def links_in(format_id, text, tokens):
    """The links of a format without text."""
    return [pair.links for pair in loads(format_id, text, tokens)]
