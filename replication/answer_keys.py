"""Answer keys drafted from lengths and words, for a person to correct (Chung & Knight, section 2).

python -m replication.answer_keys A.tsv B.tsv --output DRAFT.tsv
"""

from __future__ import annotations

import math
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from paragold.arrays import Array
from paragold.cli.arguments import add_arguments, add_file, spec_from
from paragold.cli.console import Console, Options, Report, add_output, percent, run_command
from paragold.formats.tables import write_tsv
from paragold.matching.files import NO_COUNTERPART, answer_key, answer_key_of, read_files
from paragold.matching.similar_pairs import exact_pairs, one_partner_each, sets_of_files
from paragold.parallel import compiled
from paragold.spec import Spec, param
from paragold.statistics import f_score

# Gale & Church: the chance of two texts to one, and of two to two.
TWO_TO_ONE, TWO_TO_TWO = 0.089, 0.011
# Pairs as alike as this tell how long a counterpart is.
SURELY_ALIKE = 0.33
KEY_COLUMNS = ("first_ids", "second_ids")
Bead = tuple[range, range]
"""Texts that correspond, as numbers within each file; without counterpart one side is empty."""


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


# How many texts of each side a bead has (Gale & Church, table 5).
BEADS = np.array([(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2)], np.int64)
# More than any path costs that leaves these texts out.
STRANGE = 1000.0


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
    first: Array, second: Array, alike: Array, chances: Array, ratio: float, variance: float
) -> Array:
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


def draft_key(first: Sequence[str], second: Sequence[str], spec: KeyDraftSpec) -> list[Bead]:
    """Beads of one or two texts of each side that cover both files in order, for a person to correct.

    Chung & Knight (section 2) aligned two translations so, with a filter by words for paragraphs that one of
    them leaves out, and checked all results by hand: the path that lengths in characters make likeliest (Gale
    & Church 1993), in which texts are joined only where they share words. The ratio of lengths is that of
    pairs that are surely alike, or of both files where there are none. Takes len(first) * len(second) steps
    and 2 bytes each.
    """
    if not first or not second:
        return [(range(n, n + 1), range(0)) for n in range(len(first))] + [
            (range(0), range(n, n + 1)) for n in range(len(second))
        ]
    sets, split = sets_of_files(first, second)
    lengths = [np.array([len(text) for text in texts], np.float64) for texts in (first, second)]
    alike = np.full((len(first), len(second)), spec.min_jaccard == 0)
    if spec.min_jaccard:
        pairs = exact_pairs(sets, spec.min_jaccard, split=split)
        alike[pairs["first"], pairs["second"] - split] = True
    sure = one_partner_each(exact_pairs(sets, SURELY_ALIKE, split=split))
    left, right = (lengths[0][sure["first"]], lengths[1][sure["second"] - split]) if len(sure) else lengths
    ratio = float(right.sum() / left.sum())
    chances = [1 - TWO_TO_ONE - TWO_TO_TWO - spec.omitted, spec.omitted / 2, spec.omitted / 2]
    chances += [TWO_TO_ONE / 2, TWO_TO_ONE / 2, TWO_TO_TWO]
    path = best_beads(lengths[0], lengths[1], alike, np.array(chances), ratio, spec.variance)
    return [(range(i, i + BEADS[bead, 0]), range(j, j + BEADS[bead, 1])) for i, j, bead in path.tolist()]


def write_key(path: Path, beads: Sequence[Bead], files: Sequence[Mapping[str, str]]) -> None:
    """An answer key that `read_answer_key` reads: ids of each side, separated by commas, - for none."""
    ids = [list(texts) for texts in files]
    rows = (
        [",".join(keys[one] for one in side) or NO_COUNTERPART for keys, side in zip(ids, bead, strict=True)]
        for bead in beads
    )
    write_tsv(path, KEY_COLUMNS, rows)


def _draft_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "files", nargs=2, metavar="TSV")
    add_arguments(parser, KeyDraftSpec)
    add_file(parser, "--key", "an answer key to score the draft against", metavar="TSV")
    add_output(parser, "--output", required=True, metavar="TSV")


def _draft_key(options: Options, console: Console) -> Report:
    """Align the texts of two files in order by their lengths and words (Gale & Church; Chung & Knight,
    section 2). Files are TSV: id, text, or with a header."""
    spec = spec_from(KeyDraftSpec, options)
    files = read_files(options["files"])
    first, second = (list(texts.values()) for texts in files)
    beads = draft_key(first, second, spec)
    write_key(options["output"], beads, files)
    joined = [(left, right) for left, right in beads if left and right]
    alone = len(beads) - len(joined)
    text = f"{len(first):,} and {len(second):,} texts: {len(joined):,} rows join both, "
    text += f"{alone:,} have no counterpart."
    value: dict[str, float] = {"joined": len(joined), "alone": alone}
    if options["key"]:
        split = len(first)
        key = answer_key_of(options["key"], files)
        drafted = answer_key(([*left, *(split + one for one in right)] for left, right in joined), split)
        common = len(key.keys() & drafted.keys())
        precision, recall = common / max(len(drafted), 1), common / max(len(key), 1)
        value |= {"precision": precision, "recall": recall}
        text += (
            f"\n{len(drafted):,} pairs, {common:,} of the {len(key):,} of the key: precision "
            f"{percent(precision, 1)} %, recall {percent(recall, 1)} %, "
            f"F {percent(f_score(precision, recall), 1)} %."
        )
    return value, text


COMMAND = (_draft_arguments, _draft_key)

if __name__ == "__main__":
    sys.exit(run_command(COMMAND, "python -m replication.answer_keys", sys.argv[1:]))
