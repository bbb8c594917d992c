"""Evidence for a link from the forms of two different words: parts, beginnings, numbers, initials."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.cooccurrences import Vocabulary
from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.method import Pair

FORM_NAMES = (
    "spelling, part of the other word",
    "spelling, common beginning",
    "digits, one number written in two ways",
    "spelling, initials of a name",
)
_COUNTED = {
    0: "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty",
    1: "first second third fourth fifth sixth seventh eighth ninth tenth",
}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_LARGE = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_SHORT = {"m": 10**6, "mn": 10**6, "bn": 10**9}
ENGLISH_NUMBERS = {
    **{word: str(n) for first, words in _COUNTED.items() for n, word in enumerate(words.split(), first)},
    **{word: str(10 * n) for n, word in enumerate(_TENS.split(), start=2)},
    **{word: str(n) for word, n in {**_LARGE, **_SHORT}.items()},
}
_BESIDE_DIGITS = re.compile(r"[,$£€%]|(?<=\d)(?:st|nd|rd|th)$")
_NUMBER = re.compile(r"[\d.]*\d[\d.]*")
_JOINTS = re.compile(r"[-/.']")
_SHORTEST_BEGINNING = _SHORTEST_PART = 3
_SHORTEST_END = 4
_LONGEST_INITIALS = 5


def form_evidence(
    pairs: Sequence[Pair], rows: NDArray[np.int64], columns: NDArray[np.int64], *, english: bool
) -> FloatArray:
    """For each candidate link, a source and a target word, the values of FORM_NAMES; 0 for equal words.

    `rows` and `columns` number the words of all source and of all target sentences. Number words are known
    of English alone; digits, with or without their marks, of every language.
    """
    values = np.zeros((len(rows), len(FORM_NAMES)))
    words = Vocabulary()
    source, target = (
        np.array(words.encode(chain(*side)), dtype=np.int64) for side in zip(*pairs, strict=True)
    )
    different = np.flatnonzero(source[rows] != target[columns])
    keys = source[rows[different]] * len(words) + target[columns[different]]
    kinds, kind = np.unique(keys, return_inverse=True)
    spelled = words.words
    numbers = [_number(word, english) for word in spelled]
    values_of_kinds = []
    for i, j in zip(*(one.tolist() for one in np.divmod(kinds, len(words))), strict=True):
        same = numbers[i] is not None and numbers[i] == numbers[j]
        values_of_kinds.append((_part(spelled[i], spelled[j]), _beginning(spelled[i], spelled[j]), same))
    values[different, :3] = np.array(values_of_kinds, dtype=float).reshape(-1, 3)[kind]
    initials: set[tuple[int, int]] = set()
    row = column = 0
    for one, other in pairs:
        initials |= {(row + i, column + j) for i, j in _initials(one, other)}
        initials |= {(row + i, column + j) for j, i in _initials(other, one)}
        row, column = row + len(one), column + len(other)
    if initials:
        values[:, 3] = [link in initials for link in zip(rows.tolist(), columns.tolist(), strict=True)]
    return values


def _part(one: str, other: str) -> float:
    """1 where a word is a part of the other that is joined by a mark, 0.5 where its beginning or end."""
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORTEST_PART and short in _JOINTS.split(long):
        return 1.0
    return 0.5 * (len(short) >= _SHORTEST_END and (long.startswith(short) or long.endswith(short)))


def _beginning(one: str, other: str) -> float:
    """The length of the common beginning in that of the longer word; 0 for short ones."""
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common / max(len(one), len(other)) if common >= _SHORTEST_BEGINNING else 0.0


def _number(word: str, english: bool) -> str | None:
    if english and word in ENGLISH_NUMBERS:
        return ENGLISH_NUMBERS[word]
    if word.isalpha():
        return None
    digits = _BESIDE_DIGITS.sub("", word)
    return digits if _NUMBER.fullmatch(digits) else None


def _initials(names: Sequence[str], tokens: Sequence[str]) -> set[tuple[int, int]]:
    """(name, token) for each name of capitals, such as U.N., and the tokens that begin with its letters."""
    initials: set[tuple[int, int]] = set()
    for place, name in enumerate(names):
        if not name.isupper():
            continue
        letters = name.replace(".", "")
        if not 2 <= len(letters) <= _LONGEST_INITIALS:
            continue
        for start in range(len(tokens) - len(letters) + 1):
            words = tokens[start : start + len(letters)]
            if all(word[:1].upper() == letter for word, letter in zip(words, letters, strict=True)):
                initials |= {(place, start + number) for number in range(len(letters))}
    return initials
