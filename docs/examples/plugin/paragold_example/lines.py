"""A segmenter: each line is a sentence, as in text that was split before."""

from __future__ import annotations

import re

from paragold.text.segmenters import Segmenter

_LINE = re.compile(r"\S(?:[^\r\n]*\S)?")


def split(paragraph: str) -> list[tuple[int, int]]:
    """Spans (start, end) in code points: in order, without white space at their ends, leaving no text out."""
    return [line.span() for line in _LINE.finditer(paragraph)]


LINES = Segmenter("lines", "One sentence per line (example plug-in)", split, signature="example-lines-1")
