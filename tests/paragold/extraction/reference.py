"""Extraction spelled out slowly from its definitions, sharing no code with the package."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import blake2b

import numpy as np


@dataclass
class Expected:
    pairs: list[tuple]
    compared: int = 0
    same_text: int = 0
    seen_before: int = 0


def word_edit_distance(a, b):
    """The textbook table, one row at a time."""
    row = list(range(len(b) + 1))
    for i, word_a in enumerate(a, 1):
        previous, row = row, [i]
        for j, word_b in enumerate(b, 1):
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (word_a != word_b)))
    return row[-1]


def word_indel_distance(a, b):
    """The same where a replacement is a deletion and an insertion."""
    row = list(range(len(b) + 1))
    for i, word_a in enumerate(a, 1):
        previous, row = row, [i]
        for j, word_b in enumerate(b, 1):
            row.append(previous[j - 1] if word_a == word_b else min(previous[j], row[j - 1]) + 1)
    return row[-1]


def without_punctuation(tokens):
    return [token for token in tokens if any(character.isalnum() for character in token)]


def key_of(a, b):
    sides = sorted(b"".join(token.encode() + b"\xff" for token in side) for side in (a, b))
    return blake2b(sides[0] + b"\xfe" + sides[1], digest_size=16).digest()


def parameters(criteria):
    """What `extract` takes of criteria: all but the choice of the clusters and of the compared tokens."""
    names = criteria.as_json().keys() - {"clusters", "placeholders"}
    return {name: getattr(criteria, name) for name in names}


def extract(
    articles,
    indices,
    tokens,
    compared,
    *,
    method,
    min_edit_distance=0,
    max_edit_distance=None,
    first_n=None,
    min_length_ratio=Fraction(0),
    ratio_strict=False,
    min_shared_words=0,
    shared_word_length=4,
    min_length=1,
    max_length=None,
    first_length_ratio=Fraction(0),
    distance="levenshtein",
    same_article=False,
):
    """Every pair of sentences, one after the other, against every criterion.

    `compared` are the tokens that the criteria look at; `tokens` are those whose numbers are kept.
    """
    expected = Expected([])
    seen = set()

    def keeps_ratio(shorter, longer, least):
        ratio = Fraction(shorter, longer)
        return ratio > least or (ratio == least and not ratio_strict)

    for i in range(len(tokens)):
        for j in range(i + 1, len(tokens)):
            a, b = compared[i], compared[j]
            if (articles[i] == articles[j] and not same_article) or not a or not b:
                continue
            both_first = first_n is None or (indices[i] < first_n and indices[j] < first_n)
            if method == "first_sentences" and not both_first:
                continue
            lengths = sorted([len(a), len(b)])
            if lengths[0] < min_length or (max_length is not None and lengths[1] > max_length):
                continue
            expected.compared += 1
            shared = {word for word in a if len(word) >= shared_word_length} & set(b)
            if len(shared) < min_shared_words:
                continue
            measured = (word_indel_distance if distance == "indel" else word_edit_distance)(a, b)
            near = measured >= min_edit_distance and (
                max_edit_distance is None or measured <= max_edit_distance
            )
            meets = near and keeps_ratio(*lengths, min_length_ratio)
            if method == "either":
                meets = meets or (both_first and keeps_ratio(*lengths, first_length_ratio))
            if not meets:
                continue
            a, b = tokens[i], tokens[j]
            if without_punctuation(a) == without_punctuation(b):
                expected.same_text += 1
            elif frozenset([a, b]) in seen:
                expected.seen_before += 1
            else:
                seen.add(frozenset([a, b]))
                kept = {word for word in a if len(word) >= 4} & set(b)
                numbers = (word_edit_distance(a, b), len(a), len(b), len(kept), indices[i], indices[j])
                expected.pairs.append((i, j, *numbers, key_of(a, b)))
    return expected


@cache
def long_word_distance(a, b, replacement):
    """The distance where a replacement costs 1 (Levenshtein) or 2 (insertions and deletions only).

    Cells of a diagonal (i + j constant) depend on the two diagonals before only, so numpy takes them at once.
    """
    numbers = {}
    codes_a, codes_b = _codes(a, numbers), _codes(b, numbers)[::-1]
    n, m = len(a), len(b)
    before_last = last = np.full(n + 1, n + m, dtype=np.int64)
    for diagonal in range(n + m + 1):
        now = np.full(n + 1, n + m, dtype=np.int64)
        low, high = max(0, diagonal - m), min(n, diagonal)
        if diagonal == 0:
            now[0] = 0
        rows = slice(max(low, 1), high + 1)
        above = slice(max(low, 1) - 1, high)
        now[rows] = np.minimum(now[rows], last[above] + 1)
        left = slice(low, min(high, diagonal - 1) + 1)
        now[left] = np.minimum(now[left], last[left] + 1)
        first, end = max(low, 1), min(high, diagonal - 1) + 1
        if end > first:
            # The word of b beside row i is number diagonal - i - 1; b runs backwards.
            start = m - (diagonal - first)
            differs = codes_a[first - 1 : end - 1] != codes_b[start : start + end - first]
            now[first:end] = np.minimum(
                now[first:end], before_last[first - 1 : end - 1] + replacement * differs
            )
        before_last, last = last, now
    return int(last[n])


def _codes(words, numbers):
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)
