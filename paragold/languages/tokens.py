"""Tokens by rules: Penn Treebank habits for English, those of Universal Dependencies elsewhere.

A text is split at white space (as `str.isspace` has it) into chunks, and each chunk into tokens; whether it
is the last one matters for a full stop alone. Every code point that is not white space belongs to exactly
one token. The rules are in docs/text-processing.md.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from paragold.languages.sentences import NEVER, SentenceRules

Tokens = tuple[list[str], list[int]]


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Patterns by which a language's words are split further, or kept whole.

    before : a clitic that leans on the next word, with its apostrophe (``l'``).
    after : one that leans on the word before it (``'s``, ``-t-il``).
    ending : an ending that is cut off within a run of letters (``n't``).
    whole : what is one token although other rules would split it.
    keeps_stop : a chunk that is one token with its full stop unless the text ends there (German ``3.``).
    splits_hyphens : whether the parts of ``SPD-Vorsitzende`` are three tokens.
    """

    before: str = NEVER
    after: str = NEVER
    ending: str = NEVER
    whole: str = NEVER
    keeps_stop: str = NEVER
    splits_hyphens: bool = False


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
_TOP_DOMAIN = "com|org|net|edu|gov|info|biz|tv|uk|eu|de|fr|au|ca|nz|jp|cn|ru"
_URL_END = r"""[^\s<>"“”«».,;:!?…'’)\]}]"""
_ENDING_MARKS = ',.;:?!")'
_SINGLE_LETTERS = frozenset(chr(point) for point in range(0x41, 0x590) if chr(point).isalpha())


def _one_of(listed: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(listed, key=lambda word: (-len(word), word))))


def _pieces(rules: TokenRules, abbreviations: Iterable[str]) -> re.Pattern[str]:
    """The pattern of one token. Its bounds on mail addresses and host names keep hostile chunks linear."""
    run = rf"(?:(?!{rules.ending}){_WORD})+"
    dotted = rf"(?:{_LETTER}\.)+{_LETTER}(?!\w)(?:\.(?!\.))?"
    hyphens = "" if rules.splits_hyphens else "‐‑-"
    part = rf"(?:{dotted}|{run}(?:(?<=\d)[.,:/٫٬](?=\d){run})*)"
    return re.compile(
        "|".join(
            (
                r"%%\w+%%",
                rf"(?i:(?:https?|ftp)://|www\.)[^\s<>\"“”«»]*{_URL_END}",
                r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+",
                rf"(?:[\w-]{{1,63}}\.){{1,8}}(?i:{_TOP_DOMAIN})(?![\w-])(?:/(?:[^\s<>\"“”«»]*{_URL_END})?)?",
                rf"[@#](?=[^\W\d]){_WORD}+",
                rules.whole,
                rf"(?={_LETTER}{{1,9}}\.)(?:{_one_of(abbreviations)})\.(?!\.)",
                rf"(?!I\.){_CAPITAL}\.(?=[^\w.]|{_CAPITAL}\w|$)",
                r"['’]\d\ds?(?!\w)",
                rf"(?<!\w)\.\d{_WORD}*(?:-{part})*",
                rules.ending,
                rf"(?<!\w)(?:{rules.before})",
                rules.after,
                rf"{part}(?:(?!{rules.after})['’&{hyphens}]{part})*",
                r"\.{2,}|-{2,}|''|``",
                "[\U0001f1e6-\U0001f1ff]{2}",
                r"[\s\S]",
            )
        )
    )


@cache
def _extender() -> re.Pattern[str]:
    """The characters that are never tokens alone: combining marks, format characters, emoji skin tones."""
    return re.compile(
        "["
        + "".join(
            chr(point)
            for block in (range(0x80, 0x20000), range(0xE0000, 0xE0200))
            for point in block
            if unicodedata.category(chr(point)) in {"Mn", "Mc", "Me", "Cf"} or 0x1F3FB <= point <= 0x1F3FF
        )
        + "]"
    )


_CJK_CHARACTER = re.compile(f"[{_CJK}]")


class _ChunkCache(dict[str, tuple[str, ...]]):
    """Remembers the tokens of short chunks; emptied when full, since what is frequent soon comes back."""

    def __init__(self, split: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._split = split

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        pieces = self._split(chunk)
        if len(chunk) <= _CACHED_CHUNK_LENGTH:
            if len(self) >= _CACHED_CHUNKS:
                self.clear()
            self[sys.intern(chunk)] = pieces
        return pieces


class Tokeniser:
    """Splits text at white space into chunks, and each chunk into tokens by itself."""

    def __init__(self, rules: TokenRules, listed: SentenceRules) -> None:
        several = {
            part for word in listed.any_case if "." in word for part in word.split(".") if len(part) > 1
        }
        spellings = (
            (word, word.capitalize(), word.title(), word.upper()) for word in listed.any_case | several
        )
        abbreviations = listed.exact_case.union(*spellings)
        self._piece = _pieces(rules, abbreviations)
        self._keeps_stop = abbreviations | _SINGLE_LETTERS
        self._within = re.compile(rules.keeps_stop) if rules.keeps_stop != NEVER else None
        self._cache = _ChunkCache(self._split)

    def tokens(self, text: str) -> Tokens:
        """Tokens of a text and where they start, in order. Time is linear in the text's length.

        No token holds white space; what lies between tokens is white space. Starts are in code points:
        ``text[start:start + len(token)] == token`` for each.
        """
        tokens: list[str] = []
        starts: list[int] = []
        position = 0
        letters_make_words = text.isascii() or not _CJK_CHARACTER.search(text)
        within, cache = self._within, self._cache
        chunks = text.split()
        last = len(chunks) - 1
        # Written out for speed: nearly all chunks are words of letters, some with a mark at their end.
        for number, chunk in enumerate(chunks):
            if letters_make_words:
                if chunk.isalpha():
                    tokens.append(chunk)
                    starts.append(position)
                    position += len(chunk) + 1
                    continue
                word = chunk[:-1]
                mark = chunk[-1]
                if mark in _ENDING_MARKS and word.isalpha() and (mark != "." or word not in self._keeps_stop):
                    tokens.append(word)
                    starts.append(position)
                    position += len(chunk)
                    tokens.append(mark)
                    starts.append(position - 1)
                    position += 1
                    continue
            kept = within and number < last and chunk[-1] == "." and within.fullmatch(chunk)
            for piece in (chunk,) if kept else cache[chunk]:
                tokens.append(piece)
                starts.append(position)
                position += len(piece)
            position += 1
        # The positions suppose one space between chunks and none around them, which the total length shows.
        if position != len(text) + 1:
            starts = token_starts(text, tokens)
        return tokens, starts

    def forget(self) -> None:
        """Empty the cache of chunks; what `tokens` gives does not change. For measurements."""
        self._cache.clear()

    def _split(self, chunk: str) -> tuple[str, ...]:
        """The tokens of a chunk without white space; joined they are the chunk."""
        if chunk.isascii() or not _extender().search(chunk):
            return tuple(self._piece.findall(chunk))
        bases = [index for index, character in enumerate(chunk) if not _extender().match(character)]
        if not bases:
            return (chunk,)
        # The rules see the chunk without its extenders; each goes with the character it follows.
        cuts = [0]
        passed = 0
        for piece in self._piece.findall("".join(chunk[index] for index in bases))[:-1]:
            passed += len(piece)
            start = bases[passed]
            joined = chunk[start - 1] == _ZERO_WIDTH_JOINER and unicodedata.category(chunk[start])[0] == "S"
            if not joined:
                cuts.append(start)
        return tuple(chunk[start:end] for start, end in zip(cuts, [*cuts[1:], len(chunk)], strict=True))


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
