"""Sentence ends by rules; what differs between languages is data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Words = frozenset[str]
NONE: Words = frozenset()
NEVER = r"(?!)"
"""A pattern that matches nothing."""


def words(*lists: str) -> Words:
    """The words of lists that are separated by white space."""
    return frozenset(word for listed in lists for word in listed.split())


@dataclass(frozen=True, slots=True)
class SentenceRules:
    """What a language's sentence ends depend on: abbreviations by what their stop says, and marks.

    Abbreviations are without their last full stop, those in any case in lower case; ``z.b`` stands for
    ``z.B.`` and ``z. B.``. Single letters need no list.

    before_names, before_names_exact : never end a sentence; the first in any case, the second as spelled.
    before_numbers : as spelled; end a sentence except before a number.
    months, may_end, may_end_exact : end a sentence before a word that opens sentences only.
    endings : of compounds that end a sentence except before a number (Bahnhofstr. 5).
    starters : words, as spelled, that open sentences and rarely continue a name.
    ordinal_digits : numbers of at most so many digits, and Roman ones, are ordinals before a full stop.
    initials : pattern of several initials without their last full stop (U.S, J.-C).
    lower_starts : pattern of what opens a sentence although it is in lower case (``'s Avonds``).
    not_initials : capital letters that are words of their own.
    openers, closers : marks, beyond those of English, that open and close what a sentence holds.
    opening_marks : those that, after an abbreviation, open the next sentence.
    after_clock_times : capitalised words that go on after "a.m." and "p.m."; none: they are abbreviations.
    company_endings : pattern of words after which a mark before them is part of a name (Yahoo! Inc).
    """

    before_names: Words = NONE
    before_names_exact: Words = NONE
    before_numbers: Words = NONE
    months: Words = NONE
    may_end: Words = NONE
    may_end_exact: Words = NONE
    endings: tuple[str, ...] = ()
    starters: Words = NONE
    ordinal_digits: int = 0
    initials: str = r"(?:[^\W\d_]\.-?)+[^\W\d_]"
    lower_starts: str = NEVER
    not_initials: Words = NONE
    openers: str = "»"
    closers: str = "“‘«"
    opening_marks: str = "\"'“‘„«‹»¿¡–—"
    after_clock_times: Words = NONE
    company_endings: str = NEVER

    @property
    def any_case(self) -> Words:
        """Abbreviations that count in any case, in lower case."""
        return self.before_names | self.months | self.may_end

    @property
    def exact_case(self) -> Words:
        """Abbreviations that count as spelled only."""
        return self.before_names_exact | self.before_numbers | self.may_end_exact


_LINE_END = r"(?>\r\n|\r|\n)"
_PARAGRAPH_END = re.compile(rf"{_LINE_END}(?:[^\S\r\n]*{_LINE_END})+|\u2029")
_SPACED_ENDS = ".!?…‥؟۔։።။"
_FREE_ENDS = "。！？｡।॥"
ANY_OPENER = "\"'“‘„«‹([{¿¡`*•—–-"
_CLOSERS = r"\"'”’»›)\]}」』）】〉》"
_OPENERS = r"\"'“‘„«‹(\[{¿¡`*•—–-"
_APART = re.compile(r"\s+((?:''|[”’»)\]}])+|\")(?=\s|$)")
_WORD = re.compile(r"\w[\w'’]*")
_ROMAN = re.compile(r"[IVX]+")
_DAY_AND_MONTH = re.compile(r"\d{1,2}\.\d{1,2}")
_CLOCK_TIMES = frozenset(("a.m", "p.m", "A.M", "P.M"))
_LONGEST_ABBREVIATION = 24
_LONGEST_SPACED = 4


def split_paragraphs(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) in code points of the paragraphs of a text, separated by blank lines or U+2029.

    Lines end with LF, CRLF or CR. Spans may have white space at their ends; none is only white space.
    """
    if "\n" not in text and "\r" not in text and "\u2029" not in text:
        return [(0, len(text))] if text and not text.isspace() else []
    spans = []
    start = 0
    for end in _PARAGRAPH_END.finditer(text):
        spans.append((start, end.start()))
        start = end.end()
    spans.append((start, len(text)))
    return [(start, end) for start, end in spans if start < end and not text[start:end].isspace()]


def _ends(openers: str, closers: str) -> re.Pattern[str]:
    """An end, the closers after it (1), the openers of what follows (2) and its first character (3)."""
    return re.compile(
        rf"[{_SPACED_ENDS}{_FREE_ENDS}](?:"
        rf"(?<=[{_SPACED_ENDS}])(?<![{_SPACED_ENDS}]{{2}})"
        rf"([{_SPACED_ENDS}]*+[{_CLOSERS}{closers}]*+)(?=\s+([\s{openers}{_OPENERS}]*+)(\S?))"
        rf"|(?<=[{_FREE_ENDS}])[{_FREE_ENDS}{_SPACED_ENDS}]*+[{_CLOSERS}{closers}]*+)"
    )


class Splitter:
    """Finds sentences by the rules of a language, in time that is linear in the text's length."""

    def __init__(self, rules: SentenceRules) -> None:
        self.rules = rules
        self._end = _ends(rules.openers, rules.closers)
        self._seldom = rules.may_end | rules.months
        self._known = rules.any_case | {word.lower() for word in rules.exact_case}
        # Abbreviations of several parts, and their beginnings: i.d.r, i.d, i.
        self._parts = frozenset(
            ".".join(parts[:number])
            for parts in (word.split(".") for word in self._known if "." in word)
            for number in range(1, len(parts) + 1)
        )
        self._initials = re.compile(rules.initials)
        self._company_ending = re.compile(rules.company_endings)
        self._lower_start = re.compile(rf"[\s{_OPENERS}]*?(?:{rules.lower_starts})")

    def split(self, text: str) -> list[tuple[int, int]]:
        """Spans (start, end) in code points, in order; what is outside of them is white space.

        A sentence never crosses a paragraph end; a single line end is ordinary white space.
        """
        return [span for start, end in split_paragraphs(text) for span in self._paragraph(text, start, end)]

    def _paragraph(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        while end > start and text[end - 1].isspace():
            end -= 1
        for cut in [*self._cuts(text, start, end), end]:
            while start < cut and text[start].isspace():
                start += 1
            if start < cut:
                yield start, cut
            start = cut

    def _cuts(self, text: str, start: int, end: int) -> Iterator[int]:
        quotation_open = False
        counted = start
        for match in self._end.finditer(text, start, end):
            cut = match.end()
            following = match[3]
            if following is None:
                # A quotation goes on when a Japanese particle follows the closing bracket.
                if not (text[cut - 1] in "」』" and "\u3041" <= text[cut : cut + 1] <= "\u309f"):
                    yield cut
                    start = cut
                continue
            if not following or following in _SPACED_ENDS:
                continue
            if following.islower() and not self._starts_in_lower_case(text, match):
                continue
            stop = match.start()
            one_mark = text[stop] in "!?" and match.end() == stop + 1
            if one_mark and self._company_ending.match(text, match.start(3)):
                continue
            if following == "&" and text[match.end(3) : match.end(3) + 1].isspace():
                continue
            if text[stop] == "." and match[1][:1] != "." and self._goes_on(text, start, stop, match):
                continue
            apart = _APART.match(text, cut, end)
            if apart and apart[1] == '"':
                quotation_open ^= text.count('"', counted, cut) % 2 == 1
                counted = cut
            if apart and (apart[1] != '"' or quotation_open):
                cut = apart.end()
            yield cut
            start = cut

    def _starts_in_lower_case(self, text: str, match: re.Match[str]) -> bool:
        """Whether a name such as iPhone or a word such as 's in "'s Avonds" follows."""
        camel = text[match.end(3) : match.end(3) + 1].isupper()
        return camel or self._lower_start.match(text, match.end()) is not None

    def _goes_on(self, text: str, start: int, stop: int, match: re.Match[str]) -> bool:
        """Whether the full stop at `stop` is of an abbreviation, initial or number within a sentence."""
        parts = text[max(start, stop - _LONGEST_ABBREVIATION) : stop].split()
        if not parts:
            return False
        word = parts[-1].lstrip("\"'“‘„«([{`-—–")
        lowered = (self._parts and self._joined(parts)) or word.lower()
        rules = self.rules
        following = text[match.start(3) : match.start(3) + 1]
        known = lowered in self._known or lowered in self._parts
        if not known and len(word) > 1 and "." not in word and not word.isdigit():
            if rules.ordinal_digits and _ROMAN.fullmatch(word):
                return not self._opens(text, match)
            return following.isdigit() and lowered.endswith(rules.endings)
        if lowered in rules.before_names or word in rules.before_names_exact:
            return True
        if self._parts and f"{lowered}.{_next_word(text, match).lower()}" in self._parts:
            return True
        if following.isdigit() and (word in rules.before_numbers or lowered in self._seldom):
            return True
        if rules.ordinal_digits and _DAY_AND_MONTH.fullmatch(word):
            return not self._opens(text, match)
        if word.isdigit():
            if len(word) <= rules.ordinal_digits and not self._opens(text, match):
                return True
            return not text[start : stop - len(word)].strip()
        if rules.after_clock_times and word in _CLOCK_TIMES:
            return _next_word(text, match) in rules.after_clock_times
        initial = len(word) == 1 and word.isupper() and word not in rules.not_initials
        if (
            initial
            or lowered in self._seldom
            or word in rules.may_end_exact
            or self._initials.fullmatch(word)
        ):
            return not self._opens(text, match)
        return False

    def _joined(self, parts: list[str]) -> str:
        """The listed abbreviation that the last words are the parts of: ``z.b`` of "z. B"; "" for none."""
        joined = listed = ""
        for part in reversed(parts[-_LONGEST_SPACED:]):
            if joined and not part.endswith("."):
                break
            joined = part.lstrip("([\"'„“«").lower() + joined
            if joined in self._parts:
                listed = joined
        return listed

    def _opens(self, text: str, match: re.Match[str]) -> bool:
        """Whether a mark or a word that opens sentences follows."""
        marked = any(mark in self.rules.opening_marks for mark in match[2] if not mark.isspace())
        return marked or _next_word(text, match) in self.rules.starters


def _next_word(text: str, match: re.Match[str]) -> str:
    word = _WORD.match(text, match.start(3))
    return word[0] if word else ""
