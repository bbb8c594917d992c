"""Answer keys drafted for a person to correct: paragraphs of two versions of a text, aligned in order.

Chung & Knight (section 2) aligned two translations by the lengths of paragraphs (Gale & Church), with a
filter by words for paragraphs that one of them leaves out, and checked all results by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paragold.formats.tables import write_tsv
from paragold.matching.files import NO_COUNTERPART, Paragraph
from paragold.matching.similar_pairs import exact_pairs, one_partner_each
from paragold.matching.word_sets import sets_of_files
from paragold.spec import Spec, param

# Gale & Church: the chance of two texts to one, and of two to two.
TWO_TO_ONE, TWO_TO_TWO = 0.089, 0.011
# Pairs as alike as this tell how long a counterpart is.
SURELY_ALIKE = 0.33
KEY_COLUMNS = ("first_ids", "second_ids")


class KeyDraftSpec(Spec):
    """Drafting an answer key by lengths and words (Chung & Knight, section 2)."""

    min_jaccard: float = param(
        0.15,
        "Word filter",
        "Texts are joined only if one of them has at least this word Jaccard with the text; 0: they are "
        "joined by length only.",
        ge=0,
        le=1,
    )
    omitted: float = param(
        0.1,
        "Share without counterpart",
        "Expected share of texts that are missing from the other file; 0.01 in Gale and Church.",
        gt=0,
        le=0.5,
    )
    variance: float = param(
        6.8, "Variance of lengths", "Higher: lengths may differ more; 6.8 in the paper.", gt=0, le=1000
    )


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
    from paragold.matching.key_kernels import BEADS, best_beads

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


def key_rows(
    beads: Sequence[Bead], first: Sequence[Paragraph], second: Sequence[Paragraph]
) -> list[tuple[str, str]]:
    """The rows of an answer key: ids of each side, separated by commas, - for none."""

    def ids(indices: Sequence[int], texts: Sequence[Paragraph]) -> str:
        return ",".join(texts[one].key for one in indices) or NO_COUNTERPART

    return [(ids(bead.first, first), ids(bead.second, second)) for bead in beads]


def write_key(path: Path, rows: Sequence[tuple[str, str]]) -> None:
    """Rows as a file that `read_answer_key` reads. Raises OSError."""
    write_tsv(path, KEY_COLUMNS, rows)
