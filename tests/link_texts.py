"""Texts of files of word links, by the id of a format."""

from pathlib import Path
from tempfile import TemporaryDirectory

from paragold.formats.link_files import LINK_FORMATS, checked_pairs, read_parallel_text, texts_of
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


def parallel_text(source, target):
    """The pairs of two texts, as they are read from files with a byte order mark."""
    with TemporaryDirectory() as folder:
        paths = Path(folder, "source"), Path(folder, "target")
        for path, text in zip(paths, (source, target), strict=True):
            path.write_bytes(text.encode("utf-8-sig"))
        return read_parallel_text(*paths)
