"""A language: where sentences of Hindi end, which is at a danda (।) or a double one (॥) as well.

Stems of Hindi are Snowball's, by the language of a project; sentences are what a plug-in adds to a language.
"""

from __future__ import annotations

import re

from paragold.text.segmenters import Segmenter

_SENTENCE = re.compile(r"\S[^।॥?!\r\n]*(?:[।॥?!]+[\"”’»)]*)?")


def split(paragraph: str) -> list[tuple[int, int]]:
    """Spans (start, end) in code points: in order, without white space at their ends, leaving no text out."""
    spans = (match.span() for match in _SENTENCE.finditer(paragraph))
    return [(start, start + len(paragraph[start:end].rstrip())) for start, end in spans]


HINDI = Segmenter("hindi", "Hindi: to the danda (example plug-in)", split, signature="example-hindi-1")
