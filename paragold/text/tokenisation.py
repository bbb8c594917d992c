"""Words of a text by the rules of its language (paragold.languages), and when two words are the same."""

from __future__ import annotations

from paragold.languages import language as language_of
from paragold.languages.language import TOKENISATION as SIGNATURE

__all__ = ["SIGNATURE", "same_form", "tokenise"]


def tokenise(text: str, language: str = "en") -> tuple[list[str], list[int]]:
    """Tokens of a text and where they start, in code points, in order; `language` is a BCP 47 tag.

    ``text[start:start + len(token)] == token`` for each; what lies between tokens is white space.
    """
    return language_of(language).tokens(text)


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
