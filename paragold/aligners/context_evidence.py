"""Evidence for a link from the words around it: closed classes, content words, identical phrases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.closed_classes import Classes, closed, common
from paragold.aligners.grids import logit, shifted
from paragold.aligners.relations import IDENTICAL
from paragold.aligners.translation_model import Posteriors
from paragold.aligners.translation_tables import FloatArray

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
    found = len(content) - 1 - _next(content[::-1])[::-1]
    return np.where(found < 0, len(content), found)


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
