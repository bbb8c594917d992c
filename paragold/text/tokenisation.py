"""Word tokenisation of news text: Penn Treebank habits for English, sensible for any script.

A text is split at white space (as `str.isspace` has it) into chunks, and each chunk into tokens without
looking at its neighbours. So ``tokenise(a + " " + b)`` gives the tokens of ``a``, then those of ``b``, and
what a chunk gives can be remembered. Every code point that is not white space belongs to exactly one token.
The rules are in docs/text-processing.md.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable

from paragold.text.segmentation import ANY_CASE, EXACT_CASE

SIGNATURE = "paragold-tok-1"

_CACHED_CHUNKS = 1 << 16
_CACHED_CHUNK_LENGTH = 40
_ZERO_WIDTH_JOINER = "\u200d"

# Scripts written without spaces whose characters are words of their own: Han, kana, Bopomofo.
_CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
_WORD = rf"[^\W{_CJK}]"
_LETTER = rf"[^\W\d_{_CJK}]"
_CAPITAL = "[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]"

_CLITIC = r"['’](?i:s|re|ve|ll|d|m)(?!\w|-\w)"
_NEGATION = r"(?i:n['’]t)(?!\w)"
_WORD_RUN = rf"(?:(?!{_NEGATION}){_WORD})+"
_DOTTED = rf"(?:{_LETTER}\.)+{_LETTER}(?!\w)(?:\.(?!\.))?"
_PART = rf"(?:{_DOTTED}|{_WORD_RUN}(?:(?<=\d)[.,:/٫٬](?=\d){_WORD_RUN})*)"
_ABBREVIATIONS = EXACT_CASE.union(*((word, word.capitalize(), word.upper()) for word in ANY_CASE))
_TOP_DOMAIN = "com|org|net|edu|gov|info|biz|tv|uk|eu|de|fr|au|ca|nz|jp|cn|ru"
_URL_END = r"""[^\s<>"“”«».,;:!?…'’)\]}]"""


def _one_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


# Marks that `tokenise` separates from a word without the rules, unless a full stop belongs to the word.
_ENDING_MARKS = ',.;:?!")'
_KEEPS_STOP = _ABBREVIATIONS | {chr(point) for point in range(0x41, 0x590) if chr(point).isalpha()}

# The bounds 64 and 63 are those of mail addresses and host names; they keep hostile chunks linear.
_PIECE = re.compile(
    "|".join(
        (
            r"%%\w+%%",
            rf"(?i:(?:https?|ftp)://|www\.)[^\s<>\"“”«»]*{_URL_END}",
            r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+",
            rf"(?:[\w-]{{1,63}}\.){{1,8}}(?i:{_TOP_DOMAIN})(?![\w-])(?:/(?:[^\s<>\"“”«»]*{_URL_END})?)?",
            rf"[@#](?=[^\W\d]){_WORD}+",
            r"Ph\.D(?!\w)(?:\.(?!\.))?",
            rf"(?={_LETTER}{{1,7}}\.)(?:{_one_of(_ABBREVIATIONS)})\.(?!\.)",
            rf"(?!I\.){_CAPITAL}\.(?=[^\w.]|{_CAPITAL}\w|$)",
            r"['’]\d\ds?(?!\w)",
            rf"(?<!\w)\.\d{_WORD}*(?:-{_PART})*",
            _NEGATION,
            _CLITIC,
            rf"{_PART}(?:(?!{_CLITIC})['’&‐‑-]{_PART})*",
            r"\.{2,}|-{2,}|''|``",
            "[\U0001f1e6-\U0001f1ff]{2}",
            r"[\s\S]",
        )
    )
)


def _extender_class() -> str:
    """The characters that are never tokens alone: combining marks, format characters, emoji skin tones."""
    points = [
        point
        for block in (range(0x80, 0x20000), range(0xE0000, 0xE0200))
        for point in block
        if unicodedata.category(chr(point)) in {"Mn", "Mc", "Me", "Cf"} or 0x1F3FB <= point <= 0x1F3FF
    ]
    ranges: list[list[int]] = []
    for point in points:
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "]"


_EXTENDER = re.compile(_extender_class())
_CJK_CHARACTER = re.compile(f"[{_CJK}]")


def _split_chunk(chunk: str) -> tuple[str, ...]:
    """The tokens of a chunk without white space; joined they are the chunk."""
    if chunk.isascii() or not _EXTENDER.search(chunk):
        return tuple(_PIECE.findall(chunk))
    bases = [index for index, character in enumerate(chunk) if not _EXTENDER.match(character)]
    if not bases:
        return (chunk,)
    # The rules see the chunk without its extenders; each extender then goes with the character it follows.
    cuts = [0]
    passed = 0
    for piece in _PIECE.findall("".join(chunk[index] for index in bases))[:-1]:
        passed += len(piece)
        start = bases[passed]
        joined = chunk[start - 1] == _ZERO_WIDTH_JOINER and unicodedata.category(chunk[start])[0] == "S"
        if not joined:
            cuts.append(start)
    return tuple(chunk[start:end] for start, end in zip(cuts, [*cuts[1:], len(chunk)], strict=True))


class _ChunkCache(dict[str, tuple[str, ...]]):
    """Remembers the tokens of short chunks; emptied when full, since what is frequent soon comes back."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        pieces = _split_chunk(chunk)
        if len(chunk) <= _CACHED_CHUNK_LENGTH:
            if len(self) >= _CACHED_CHUNKS:
                self.clear()
            self[sys.intern(chunk)] = pieces
        return pieces


_cache = _ChunkCache()


def tokenise(text: str) -> tuple[list[str], list[int]]:
    """Tokens of a text and where they start, in order. Time is linear in the text's length.

    No token holds white space; what lies between tokens is white space. Starts are in code points:
    ``text[start:start + len(token)] == token`` for each.
    """
    tokens: list[str] = []
    starts: list[int] = []
    position = 0
    letters_make_words = text.isascii() or not _CJK_CHARACTER.search(text)
    # Written out for speed: nearly all chunks are words of letters, some with a mark at their end.
    for chunk in text.split():
        if letters_make_words:
            if chunk.isalpha():
                tokens.append(chunk)
                starts.append(position)
                position += len(chunk) + 1
                continue
            word = chunk[:-1]
            mark = chunk[-1]
            if mark in _ENDING_MARKS and word.isalpha() and (mark != "." or word not in _KEEPS_STOP):
                tokens.append(word)
                starts.append(position)
                position += len(chunk)
                tokens.append(mark)
                starts.append(position - 1)
                position += 1
                continue
        for piece in _cache[chunk]:
            tokens.append(piece)
            starts.append(position)
            position += len(piece)
        position += 1
    # The positions suppose one space between chunks and none around them, which the total length shows.
    if position != len(text) + 1:
        starts = token_starts(text, tokens)
    return tokens, starts


def forget_chunks() -> None:
    """Empty the cache of chunks; what `tokenise` gives does not change. For measurements."""
    _cache.clear()


def token_starts(text: str, tokens: Iterable[str]) -> list[int]:
    """Where each token begins in its text; between them, before and after is white space, if anything."""
    # Only white space is between tokens and none begins with it: the first hit is the token itself.
    starts = []
    position = 0
    for token in tokens:
        position = text.index(token, position)
        starts.append(position)
        position += len(token)
    return starts


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
