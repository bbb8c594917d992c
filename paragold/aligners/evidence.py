"""What speaks for and against each link that is worth a thought, as numbers for a classifier.

All evidence is the same when source and target change places, but for the two directions' places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.closed_classes import NONE, Classes, closed
from paragold.aligners.context_evidence import CONTEXT_NAMES, context_evidence
from paragold.aligners.form_evidence import FORM_NAMES, form_evidence
from paragold.aligners.grids import logit, rivals, shifted
from paragold.aligners.identity import IdentityAligner
from paragold.aligners.relations import IDENTICAL, KINDS
from paragold.aligners.translation_model import Posteriors
from paragold.aligners.translation_tables import FloatArray

VERSION = 3
_LEAST_POSTERIOR = 0.01
_LEAST_SPELLING = 0.6
_FREQUENT = 0.002
"""Share of the running words from which on a word counts as a function word."""

NAMES = (
    "posterior of both directions",
    "higher posterior",
    "lower posterior",
    *(kind for kind in KINDS if kind),
    "spelling",
    "association",
    "distance from the diagonal",
    "unequal lengths",
    "word before linked",
    "word after linked",
    "both neighbours linked",
    "word before identical",
    "word after identical",
    "strongest rival",
    "second rival",
    "identical rivals",
    "common subsequence",
    "frequency",
    "frequencies apart",
    "both function words",
    "one function word",
    "both punctuation",
    "one punctuation",
    "identical function words",
    "identical punctuation",
    "identical function words, posterior",
    "identical, posterior",
    "identical, neighbours",
    "different, neighbours",
    "different, posterior",
    "different function words, posterior",
    "unequal lengths, posterior",
    "unequal lengths, identical function words",
    "unequal lengths, neighbours",
    "related, posterior",
    "related, distance from the diagonal",
    "identical, distance from the diagonal",
    "different, rivals",
    "identical, frequency",
    "identical function words, word before linked",
    "identical function words, word after linked",
    "different, association",
    "both capitalised",
    "one capitalised",
    "different, both capitalised",
    "both with digits",
    "one with digits",
    "different, both with digits",
    "rarer word",
    "commoner word",
    "identical, commoner word squared",
    "identical function words, distance from the diagonal",
    "identical function words, identical rivals",
    "identical function words, strongest rival",
    "identical punctuation, neighbours",
    "identical punctuation, posterior",
    "unequal lengths, identical punctuation",
    "unequal lengths, strongest rival",
    "different, both neighbours linked",
    "length of the shorter",
    "different, spelling squared",
    "association squared",
    "posterior squared",
    "first word",
    "last word",
    *CONTEXT_NAMES,
    *FORM_NAMES,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The candidate links of one sentence pair."""

    shape: tuple[int, int]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    features: FloatArray
    """A row for each candidate, a column for each of NAMES."""

    def matrix(self, values: FloatArray) -> FloatArray:
        """A value of each candidate in its place, I x J; 0 where there is none."""
        matrix = np.zeros(self.shape)
        matrix[self.sources, self.targets] = values
        return matrix


def evidence(
    source: Sequence[str],
    target: Sequence[str],
    posteriors: Posteriors,
    source_shares: FloatArray,
    target_shares: FloatArray,
    classes: Classes = NONE,
) -> Evidence:
    """The candidates of one sentence pair; `..._shares` are the shares of its words of the running words.

    `classes` are the language's closed classes, as far as they are known.

    Candidates are the links with a posterior of 0.01 in the mean of both directions, and those of words
    that are related or spelled alike.
    """
    average = posteriors.average
    kinds = posteriors.kinds
    candidates = (average > _LEAST_POSTERIOR) | (kinds > 0) | (posteriors.spelling > _LEAST_SPELLING)
    i, j = np.nonzero(candidates)
    if not len(i):
        return Evidence(average.shape, i, j, np.zeros((0, len(NAMES))))
    height, width = average.shape
    identical = (kinds == IDENTICAL).astype(float)
    subsequence = np.zeros(average.shape)
    for link in IdentityAligner().align(source, target):
        subsequence[link] = 1
    before, after = shifted(average, -1, -1), shifted(average, 1, 1)
    rival, second = rivals(average)
    doubles = np.log1p(
        identical.sum(axis=1, keepdims=True) + identical.sum(axis=0, keepdims=True) - 2 * identical
    )
    diagonal = np.abs((np.arange(height) + 0.5)[:, None] / height - (np.arange(width) + 0.5)[None, :] / width)
    source_log, target_log = np.log(source_shares + 1e-6)[:, None], np.log(target_shares + 1e-6)[None, :]
    function = np.outer(source_shares > _FREQUENT, target_shares > _FREQUENT)
    any_function = (source_shares > _FREQUENT)[:, None] | (target_shares > _FREQUENT)[None, :]
    marks = _punctuation(source), _punctuation(target)
    punctuation, any_punctuation = np.outer(*marks), marks[0][:, None] | marks[1][None, :]
    unequal = np.full(average.shape, 1 - min(height, width) / max(height, width))
    odds, near = logit(average), before + after
    function_words = function & ~punctuation
    different = (kinds == 0).astype(float)
    related = 1 - different - identical
    association = np.log(posteriors.association + 1e-6)
    commoner = np.maximum(source_log, target_log)
    upper, any_upper = _both_and_one(_capitalised(source), _capitalised(target))
    digits, any_digits = _both_and_one(_with_digits(source), _with_digits(target))
    same_function, same_punctuation = identical * function_words, identical * punctuation
    row, column = np.indices(average.shape)
    content = tuple(
        ~(marks[side] | (closed(tokens, classes) if classes else shares > _FREQUENT))
        for side, (tokens, shares) in enumerate(((source, source_shares), (target, target_shares)))
    )
    columns = (
        odds,
        logit(np.maximum(posteriors.forward, posteriors.backward)),
        logit(np.minimum(posteriors.forward, posteriors.backward)),
        *((kinds == number).astype(float) for number in range(1, len(KINDS))),
        posteriors.spelling,
        association,
        diagonal,
        unequal,
        before,
        after,
        np.minimum(before, after),
        shifted(identical, -1, -1),
        shifted(identical, 1, 1),
        rival,
        second,
        doubles,
        subsequence,
        source_log + target_log,
        np.abs(source_log - target_log),
        function_words.astype(float),
        (any_function & ~function).astype(float),
        punctuation.astype(float),
        (any_punctuation & ~punctuation).astype(float),
        identical * function_words,
        identical * punctuation,
        identical * function_words * odds,
        identical * odds,
        identical * near,
        different * near,
        different * odds,
        different * any_function * odds,
        unequal * odds,
        unequal * identical * function_words,
        unequal * near,
        related * odds,
        related * diagonal,
        identical * diagonal,
        different * rival,
        identical * (source_log + target_log),
        same_function * before,
        same_function * after,
        different * association,
        upper,
        any_upper,
        upper * different,
        digits,
        any_digits,
        digits * different,
        np.minimum(source_log, target_log),
        commoner,
        identical * commoner**2,
        same_function * diagonal,
        same_function * doubles,
        same_function * rival,
        same_punctuation * near,
        same_punctuation * odds,
        unequal * same_punctuation,
        unequal * rival,
        different * np.minimum(before, after),
        np.full(average.shape, np.log1p(min(height, width))),
        different * posteriors.spelling**2,
        association**2,
        odds**2,
        (np.minimum(row, column) == 0).astype(float),
        (np.minimum(height - 1 - row, width - 1 - column) == 0).astype(float),
        *context_evidence(source, target, posteriors, (content[0], content[1]), classes),
    )
    forms = form_evidence(source, target, i, j, english=bool(classes))
    return Evidence(average.shape, i, j, np.column_stack([*(matrix[i, j] for matrix in columns), forms]))


def _punctuation(tokens: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([not any(character.isalnum() for character in token) for token in tokens], dtype=bool)


def _capitalised(tokens: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([token[:1].isupper() for token in tokens], dtype=bool)


def _with_digits(tokens: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([any(character.isdigit() for character in token) for token in tokens], dtype=bool)


def _both_and_one(source: NDArray[np.bool_], target: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Whether both words have a property (I x J), and whether just one has."""
    both = np.outer(source, target)
    either = source[:, None] | target[None, :]
    return both.astype(float), (either & ~both).astype(float)
