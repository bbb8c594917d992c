"""What speaks for and against each candidate link, as numbers for a classifier.

All evidence is the same when source and target change places, but for the two directions' places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.closed_classes import NONE, Classes
from paragold.aligners.expectation_maximisation import FloatArray, IntArray
from paragold.aligners.form_evidence import FORM_NAMES, form_evidence
from paragold.aligners.grids import Grids, rivals, runs
from paragold.aligners.identity import identity_links
from paragold.aligners.method import Pair
from paragold.aligners.phrase_evidence import PHRASE_NAMES, phrase_evidence
from paragold.aligners.relations import IDENTICAL, KINDS
from paragold.aligners.sides import Side
from paragold.aligners.translation_model import Posteriors, TranslationModel
from paragold.aligners.word_evidence import WordEvidence, WordValues, word_values
from paragold.aligners.word_sources import WORD_NAMES


def logit(probability: FloatArray) -> FloatArray:
    """Logarithm of the odds, from about -7 to 7."""
    clipped = probability.clip(0.001, 0.999)
    return np.asarray(np.log(clipped / (1 - clipped)))


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
_MIN_POSTERIOR = 0.01
_MIN_SPELLING = 0.6
_AT_ONCE = 128
"""Sentence pairs whose evidence is computed at a time: more take memory and are not faster."""

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
    sources: IntArray
    targets: IntArray
    features: FloatArray
    """A row for each candidate, a column for each of NAMES."""

    def matrix(self, values: FloatArray) -> FloatArray:
        """A value of each candidate in its place, I x J; 0 where there is none."""
        matrix = np.zeros(self.shape)
        matrix[self.sources, self.targets] = values
        return matrix


def evidence(
    pairs: Sequence[Pair],
    posteriors: Sequence[Posteriors],
    source_shares: FloatArray,
    target_shares: FloatArray,
    classes: Classes = NONE,
    words: Sequence[WordValues] = (),
    *,
    phrases: bool = False,
) -> list[Evidence]:
    """The candidates of each sentence pair.

    `..._shares` are the shares of the running words that the words of all source sentences have, one sentence
    after another, and those of all target sentences. `classes` are the language's closed classes, as far as
    they are known, `words` what is known of the words of each pair besides.

    Candidates are the links with a posterior of 0.01 in the mean of both directions, those of words that
    are related, spelled alike or in a lexicon, and with `phrases` those of `phrase_evidence`, whose columns
    are 0 otherwise.
    """
    source = Side([pair[0] for pair in pairs], source_shares, classes)
    target = Side([pair[1] for pair in pairs], target_shares, classes)
    grids = Grids([(len(one), len(other)) for one, other in pairs])
    number, i, j = grids.cells()
    places = grids.places(number, i, j)
    rows, columns = grids.first_rows[number] + i, grids.first_columns[number] + j
    forward, backward, kinds, spelling, association = (
        np.concatenate([getattr(one, name).ravel() for one in posteriors])
        for name in ("forward", "backward", "kinds", "spelling", "association")
    )
    average = (forward + backward) / 2
    candidates = (average > _MIN_POSTERIOR) | (kinds > 0) | (spelling > _MIN_SPELLING)
    of_phrases = np.zeros((len(PHRASE_NAMES), len(average)))
    if phrases:
        found = [phrase_evidence(one.average, np.log(one.association + 1e-6)) for one in posteriors]
        of_phrases = np.hstack([np.reshape(values, (len(PHRASE_NAMES), -1)) for values, _ in found])
        candidates |= np.concatenate([more.ravel() for _, more in found])
    if words:
        candidates |= np.concatenate([own.candidates.ravel() for own in words])

    # What depends on other cells is computed of all of them, everything else of the candidates alone.
    likely = grids.filled(places, average)
    same = np.flatnonzero(kinds == IDENTICAL)
    steps = grids.strides[number] + 1
    up_to = runs(places[same], steps[same], grids.size)
    from_on = runs(places[same][::-1], -steps[same][::-1], grids.size)
    related_places = grids.filled(places, (kinds > 0) | (spelling > _ALIKE))
    row_doubles = np.bincount(rows[same], minlength=len(source.function))
    column_doubles = np.bincount(columns[same], minlength=len(target.function))
    subsequence = np.zeros(len(average))
    starts = np.concatenate(([0], np.cumsum(grids.heights * grids.widths))).tolist()
    subsequence[
        [
            start + link[0] * len(other) + link[1]
            for start, one, other in zip(starts, source.forms, target.forms, strict=False)
            for link in identity_links(one, other)
        ]
    ] = 1
    all_rivals = rivals(average, rows, columns)

    chosen = np.flatnonzero(candidates)
    number, i, j, places, rows, columns, steps = (
        one[chosen] for one in (number, i, j, places, rows, columns, steps)
    )
    average, kinds, spelling = average[chosen], kinds[chosen], spelling[chosen]
    association = np.log(association[chosen] + 1e-6)
    rival, second = (values[chosen] for values in all_rivals)
    height, width = grids.heights[number], grids.widths[number]
    before, after = likely[places - steps], likely[places + steps]
    near, either = before + after, np.minimum(before, after)
    odds = logit(average)
    directions = forward[chosen], backward[chosen]
    identical, different = (kinds == IDENTICAL).astype(float), (kinds == 0).astype(float)
    related = 1 - different - identical
    doubles = np.log1p(row_doubles[rows] + column_doubles[columns] - 2 * identical)
    diagonal = np.abs((i + 0.5) / height - (j + 0.5) / width)
    unequal = 1 - np.minimum(height, width) / np.maximum(height, width)
    source_log, target_log = source.logarithm[rows], target.logarithm[columns]
    commoner = np.maximum(source_log, target_log)

    def both_and_one(property: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        one, other = getattr(source, property)[rows], getattr(target, property)[columns]
        return one & other, one ^ other

    function, one_function = both_and_one("function")
    punctuation, one_punctuation = both_and_one("punctuation")
    upper, one_upper = both_and_one("capitalised")
    digits, one_digits = both_and_one("digits")
    content = both_and_one("content")[0]
    function_words = function & ~punctuation
    same_function, same_punctuation = identical * function_words, identical * punctuation

    # Context: closed classes, the content words on either side, runs of identical words.
    row_classes, column_classes = source.classes[rows], target.classes[columns]
    closed = (row_classes > 0), (column_classes > 0)
    alike = (row_classes & column_classes) > 0
    other = alike * (1 - identical)
    one_closed = (closed[0] ^ closed[1]).astype(float)
    next_places = grids.places(number, source.after[rows], target.after[columns])
    last_places = grids.places(number, source.before[rows], target.before[columns])
    linked_after, linked_before = likely[next_places], likely[last_places]
    no_content = 1.0 - content
    same_no_content = no_content * identical
    run = identical * (up_to[places] + from_on[places] - 1)
    run_before, run_after = up_to[places - steps], from_on[places + steps]
    values = (
        odds,
        logit(np.maximum(*directions)),
        logit(np.minimum(*directions)),
        *(kinds == kind for kind in range(1, len(KINDS))),
        spelling,
        association,
        diagonal,
        unequal,
        before,
        after,
        either,
        up_to[places - steps] > 0,
        up_to[places + steps] > 0,
        rival,
        second,
        doubles,
        subsequence[chosen],
        source_log + target_log,
        np.abs(source_log - target_log),
        function_words,
        one_function,
        punctuation,
        one_punctuation,
        same_function,
        same_punctuation,
        same_function * odds,
        identical * odds,
        identical * near,
        different * near,
        different * odds,
        different * (function | one_function) * odds,
        unequal * odds,
        unequal * same_function,
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
        one_upper,
        upper * different,
        digits,
        one_digits,
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
        different * either,
        np.log1p(np.minimum(height, width)),
        different * spelling**2,
        association**2,
        odds**2,
        np.minimum(i, j) == 0,
        np.minimum(height - 1 - i, width - 1 - j) == 0,
        other,
        closed[0] & closed[1] & ~alike,
        one_closed,
        other * odds,
        one_closed * odds,
        linked_after,
        linked_before,
        related_places[next_places],
        related_places[last_places],
        no_content * linked_after,
        no_content * linked_before,
        same_no_content * linked_after,
        same_no_content * linked_before,
        same_no_content * np.maximum(linked_after, linked_before),
        np.minimum(run, _LONGEST_RUN),
        run == 1,
        np.log1p(run),
        np.minimum(run_before, _LONGEST_BESIDE),
        np.minimum(run_after, _LONGEST_BESIDE),
        (kinds == 0) & (run_before > 0) & (run_after > 0),
        *of_phrases[:, chosen],
    )
    features = np.zeros((len(chosen), len(NAMES)))
    for column, own in enumerate(values):
        features[:, column] = own
    form = len(values) + len(FORM_NAMES)
    features[:, len(values) : form] = form_evidence(pairs, rows, columns, english=bool(classes))
    if words:
        given = np.concatenate([own.values.reshape(-1, len(WORD_NAMES)) for own in words])
        features[:, form:] = given[chosen]
    ends = np.cumsum(np.bincount(number, minlength=len(pairs))).tolist()
    return [
        Evidence((len(one), len(other)), i[start:end], j[start:end], features[start:end])
        for (one, other), start, end in zip(pairs, [0, *ends], ends, strict=False)
    ]


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
    return list(chain.from_iterable(evidence_in_parts(model, pairs, known, phrases=phrases)))


def evidence_in_parts(
    model: TranslationModel,
    pairs: Sequence[Pair],
    known: Collection[WordEvidence] = (),
    *,
    phrases: bool = False,
) -> Iterator[list[Evidence]]:
    """As `evidence_of`, some pairs at a time, so that the evidence of all is never in memory together."""
    posteriors = model.posteriors(pairs)
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        sources, targets = (list(chain.from_iterable(side)) for side in zip(*some, strict=True))
        yield evidence(
            some,
            posteriors[start : start + _AT_ONCE],
            *model.shares(sources, targets),
            model.relations.closed_classes,
            [own for pair in some if (own := word_values(known, *pair)) is not None],
            phrases=phrases,
        )
