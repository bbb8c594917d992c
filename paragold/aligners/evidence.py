"""What speaks for and against each candidate link, as numbers for a classifier.

All evidence is the same when source and target change places, but for the two directions' places.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.closed_classes import NONE, Classes
from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.form_evidence import FORM_NAMES, form_evidence
from paragold.aligners.identity import IdentityAligner
from paragold.aligners.method import Pair
from paragold.aligners.phrase_evidence import PHRASE_NAMES, phrase_evidence, shifted
from paragold.aligners.relations import IDENTICAL, KINDS, closed, common
from paragold.aligners.translation_model import Posteriors, TranslationModel
from paragold.aligners.word_evidence import WordEvidence, WordValues, word_values
from paragold.aligners.word_sources import WORD_NAMES


def logit(probability: FloatArray) -> FloatArray:
    """Logarithm of the odds, from about -7 to 7."""
    clipped = probability.clip(0.001, 0.999)
    return np.asarray(np.log(clipped / (1 - clipped)))


def rivals(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each cell the highest other value of its row and of its column, higher first."""

    def others(values: FloatArray) -> FloatArray:
        if values.shape[1] < 2:
            return np.zeros_like(values)
        ordered = np.partition(values, -2, axis=1)
        return np.where(values == ordered[:, -1:], ordered[:, -2:-1], ordered[:, -1:])

    row, column = others(matrix), others(matrix.T).T
    return np.maximum(row, column), np.minimum(row, column)


CONTEXT_NAMES = (
    "closed class of both, different",
    "closed classes apart",
    "closed class of one",
    "closed class of both, different, posterior",
    "closed class of one, posterior",
    "content word after linked",
    "content word before linked",
    "content word after related",
    "content word before related",
    "function word, content word after linked",
    "function word, content word before linked",
    "identical function word, content word after linked",
    "identical function word, content word before linked",
    "identical function word, content word beside linked",
    "identical run",
    "identical run, alone",
    "identical run, logarithm",
    "identical run before",
    "identical run after",
    "identical run around a different word",
)
_ALIKE = 0.75
_LONGEST_RUN, _LONGEST_BESIDE = 6, 3


def context_evidence(
    source: Sequence[str],
    target: Sequence[str],
    posteriors: Posteriors,
    content: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    classes: Classes,
) -> list[FloatArray]:
    """A matrix I x J for each of CONTEXT_NAMES. `content`: which words are no function words or marks."""
    average = posteriors.average
    identical = (posteriors.kinds == IDENTICAL).astype(float)
    related = ((posteriors.kinds > 0) | (posteriors.spelling > _ALIKE)).astype(float)
    odds = logit(average)

    rows, columns = closed(source, classes), closed(target, classes)
    alike = common(source, target, classes)
    other = alike * (1 - identical)
    apart = np.outer(rows, columns) * (1.0 - alike)
    one = (rows[:, None] != columns[None, :]).astype(float)

    after, before = (tuple(_next(side) for side in content), tuple(_last(side) for side in content))
    linked_after, linked_before = _at(average, *after), _at(average, *before)
    function = (~content[0][:, None] | ~content[1][None, :]).astype(float)
    same = function * identical

    up_to, from_on = _runs(identical), _runs(identical[::-1, ::-1])[::-1, ::-1]
    run = identical * (up_to + from_on - 1)
    run_before, run_after = shifted(up_to, -1, -1), shifted(from_on, 1, 1)
    return [
        other,
        apart,
        one,
        other * odds,
        one * odds,
        linked_after,
        linked_before,
        _at(related, *after),
        _at(related, *before),
        function * linked_after,
        function * linked_before,
        same * linked_after,
        same * linked_before,
        same * np.maximum(linked_after, linked_before),
        np.minimum(run, _LONGEST_RUN),
        (run == 1).astype(float),
        np.log1p(run),
        np.minimum(run_before, _LONGEST_BESIDE),
        np.minimum(run_after, _LONGEST_BESIDE),
        ((posteriors.kinds == 0) & (run_before > 0) & (run_after > 0)).astype(float),
    ]


def _next(content: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each word the place of the next content word after it; the number of words where there is none."""
    places = np.where(content, np.arange(len(content)), len(content))
    following = np.minimum.accumulate(places[::-1])[::-1]
    return np.append(following[1:], len(content))[: len(content)]


def _last(content: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The same for the last content word before it."""
    places = len(content) - 1 - _next(content[::-1])[::-1]
    return np.where(places < 0, len(content), places)


def _at(matrix: FloatArray, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> FloatArray:
    """The values at these rows and columns; 0 where either lies outside."""
    return np.asarray(np.pad(matrix, ((0, 1), (0, 1)))[np.ix_(rows, columns)])


def _runs(identical: FloatArray) -> FloatArray:
    """How many words in a row are identical up to each cell, along the diagonal."""
    height, width = identical.shape
    runs = np.zeros((height + 1, width + 1))
    for row in range(height):
        runs[row + 1, 1:] = identical[row] * (runs[row, :-1] + 1)
    return runs[1:, 1:]


_MIN_POSTERIOR = 0.01
_MIN_SPELLING = 0.6
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
    *PHRASE_NAMES,
    *FORM_NAMES,
    *WORD_NAMES,
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
    words: WordValues | None = None,
    *,
    phrases: bool = False,
) -> Evidence:
    """The candidates of one sentence pair; `..._shares` are the shares of its words of the running words.

    `classes` are the language's closed classes, as far as they are known, `words` what is known of the words
    besides.

    Candidates are the links with a posterior of 0.01 in the mean of both directions, those of words that
    are related, spelled alike or in a lexicon, and with `phrases` those of `phrase_evidence`, whose columns
    are 0 otherwise.
    """
    average = posteriors.average
    kinds = posteriors.kinds
    association = np.log(posteriors.association + 1e-6)
    candidates = (average > _MIN_POSTERIOR) | (kinds > 0) | (posteriors.spelling > _MIN_SPELLING)
    of_phrases: Sequence[FloatArray] = [np.zeros(average.shape)] * len(PHRASE_NAMES)
    if phrases:
        of_phrases, more = phrase_evidence(average, association)
        candidates |= more
    if words is not None:
        candidates |= words.candidates
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
        *of_phrases,
    )
    forms = form_evidence(source, target, i, j, english=bool(classes))
    given = np.zeros((len(i), len(WORD_NAMES))) if words is None else words.values[i, j]
    return Evidence(
        average.shape, i, j, np.column_stack([*(matrix[i, j] for matrix in columns), forms, given])
    )


def evidence_of(
    model: TranslationModel,
    pairs: Sequence[Pair],
    known: Collection[WordEvidence] = (),
    *,
    phrases: bool = False,
) -> list[Evidence]:
    """The candidate links of every pair; `known` is what is known of words besides the model.

    `phrases` is as for `evidence`: on for classifiers that learn what phrases are worth from own gold links.
    """
    classes = model.relations.closed_classes
    return [
        evidence(
            source,
            target,
            own,
            *model.shares(source, target),
            classes,
            word_values(known, source, target),
            phrases=phrases,
        )
        for (source, target), own in zip(pairs, model.posteriors(pairs), strict=True)
    ]


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
