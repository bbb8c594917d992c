"""When two words count as the same: case, and the style of quotes and dashes, do not matter."""

from __future__ import annotations

_APOSTROPHES = "‘’‚‛‹›\u0060´′ʼ＇"
_QUOTES = "“”„‟«»″＂"
_DASHES = "‐‑‒–—―−﹘﹣－"
_STYLES = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_QUOTES, '"') | dict.fromkeys(_DASHES, "-")
)


def same_form(word: str) -> str:
    """The word in lower case with straight quotes and plain hyphens; dashes in a row are one.

    Words of equal forms are identical wherever links are suggested. ``static/js/alignment/identical.js``
    has the same table.
    """
    plain = word.lower()
    if plain.isascii() and plain.isalnum():
        return plain
    plain = plain.translate(_STYLES)
    return "-" if set(plain) == {"-"} else plain
