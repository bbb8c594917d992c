"""Answer keys drafted for a person to correct: paragraphs of two versions of a text, aligned in order.

Chung & Knight (section 2) aligned two translations by the lengths of paragraphs (Gale & Church), with a
filter by words for paragraphs that one of them leaves out, and checked all results by hand.
The inner loop is compiled by Numba: importing this takes half a second and 80 MB.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.formats.tables import write_tsv
from paragold.matching.files import NO_COUNTERPART, Paragraph
from paragold.matching.settings import KeyDraftSpec
from paragold.matching.similar_pairs import exact_pairs, one_partner_each
from paragold.matching.word_sets import sets_of_files
from paragold.parallel import compiled

# Gale & Church: the chance of two texts to one, and of two to two.
TWO_TO_ONE, TWO_TO_TWO = 0.089, 0.011
# Pairs as alike as this tell how long a counterpart is.
SURELY_ALIKE = 0.33
# How many texts of each side a bead has (Gale & Church, table 5).
BEADS = np.array([(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2)], np.int64)
# More than any path costs that leaves these texts out.
STRANGE = 1000.0
KEY_COLUMNS = ("first_ids", "second_ids")


@compiled
def _mismatch(first: float, second: float, ratio: float, variance: float) -> float:
    """-log of the chance that texts of such lengths differ so much or more, being translations."""
    if first + second == 0:
        return 0.0
    mean = (first + second / ratio) / 2
    delta = abs(second - first * ratio) / math.sqrt(mean * variance)
    return -math.log(max(math.erfc(delta / math.sqrt(2.0)), 1e-300))


@compiled
def best_beads(
    first: NDArray[Any],
    second: NDArray[Any],
    alike: NDArray[Any],
    chances: NDArray[Any],
    ratio: float,
    variance: float,
) -> NDArray[Any]:
    """The beads of the cheapest path through both texts in order: rows of first index on each side and bead.

    first, second: lengths in characters, shapes (n,) and (m,). alike: bool, shape (n, m), which texts share
    enough words. chances: of each of BEADS. Each text of a bead of both sides that none of the
    other side is like costs STRANGE.
    """
    rows, columns = first.size, second.size
    # The costs of the last three rows, which is as far as a bead reaches back.
    costs = np.full((3, columns + 1), np.inf)
    chosen = np.full((rows + 1, columns + 1), -1, np.int8)
    for row in range(rows + 1):
        own = costs[row % 3]
        own[:] = np.inf
        own[0] = 0.0 if row == 0 else np.inf
        for column in range(columns + 1):
            for bead in range(BEADS.shape[0]):
                left, right = BEADS[bead, 0], BEADS[bead, 1]
                if left > row or right > column:
                    continue
                cost = costs[(row - left) % 3, column - right] - math.log(chances[bead])
                if cost >= own[column]:
                    continue
                here, there = first[row - left : row].sum(), second[column - right : column].sum()
                if left and right:
                    cost += _mismatch(here, there, ratio, variance)
                    block = alike[row - left : row, column - right : column]
                    for one in range(left):
                        cost += 0.0 if block[one].any() else STRANGE
                    for other in range(right):
                        cost += 0.0 if block[:, other].any() else STRANGE
                if cost < own[column]:
                    own[column] = cost
                    chosen[row, column] = bead
    path = np.empty((rows + columns, 3), np.int64)
    count = 0
    row, column = rows, columns
    while row or column:
        bead = chosen[row, column]
        row -= BEADS[bead, 0]
        column -= BEADS[bead, 1]
        path[count, 0], path[count, 1], path[count, 2] = row, column, bead
        count += 1
    return path[:count][::-1].copy()


@dataclass(frozen=True, slots=True)
class Bead:
    """Texts that correspond, as indices of each file, ascending; without counterpart one side is empty."""

    first: tuple[int, ...]
    second: tuple[int, ...]


def draft_key(first: Sequence[str], second: Sequence[str], spec: KeyDraftSpec) -> list[Bead]:
    """Beads of one or two texts of each side that cover both files in order.

    The path that lengths in characters make likeliest (Gale & Church 1993), in which texts are joined only
    where they share words. The ratio of lengths is that of pairs that are surely alike, or of both files
    where there are none. Takes len(first) * len(second) steps and 2 bytes each.
    """
    if not first or not second:
        return [Bead((index,), ()) for index in range(len(first))] + [
            Bead((), (index,)) for index in range(len(second))
        ]
    sets, split = sets_of_files(first, second)
    lengths = [np.array([len(text) for text in texts], np.float64) for texts in (first, second)]
    alike = np.full((len(first), len(second)), spec.min_jaccard == 0)
    if spec.min_jaccard:
        pairs = exact_pairs(sets, spec.min_jaccard, split=split)
        alike[pairs.first, pairs.second - split] = True
    sure = one_partner_each(exact_pairs(sets, SURELY_ALIKE, split=split))
    left, right = (lengths[0][sure.first], lengths[1][sure.second - split]) if len(sure) else lengths
    ratio = float(right.sum() / left.sum())
    chances = [1 - TWO_TO_ONE - TWO_TO_TWO - spec.omitted, spec.omitted / 2, spec.omitted / 2]
    chances += [TWO_TO_ONE / 2, TWO_TO_ONE / 2, TWO_TO_TWO]
    path = best_beads(lengths[0], lengths[1], alike, np.array(chances), ratio, spec.variance)
    return [
        Bead(tuple(range(i, i + BEADS[bead, 0])), tuple(range(j, j + BEADS[bead, 1])))
        for i, j, bead in path.tolist()
    ]


def write_key(
    path: Path, beads: Sequence[Bead], first: Sequence[Paragraph], second: Sequence[Paragraph]
) -> None:
    """An answer key that `read_answer_key` reads: ids of each side, separated by commas, - for none."""

    def ids(indices: Sequence[int], texts: Sequence[Paragraph]) -> str:
        return ",".join(texts[one].key for one in indices) or NO_COUNTERPART

    write_tsv(path, KEY_COLUMNS, [(ids(bead.first, first), ids(bead.second, second)) for bead in beads])
