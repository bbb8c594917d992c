"""Extraction spelled out slowly from its definitions, sharing no code with the package."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b


@dataclass
class Expected:
    pairs: list[tuple]
    compared: int = 0
    same_text: int = 0
    seen_before: int = 0


# Presets are compared on the same sentences.
@lru_cache(1 << 17)
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
    left_out = {"clusters", "placeholders", "language", "min_similarity", "encoder"}
    names = criteria.as_json().keys() - left_out
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
