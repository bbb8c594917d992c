"""Drawing from a folder of pairs in Parquet parts, equal to drawing from all of its rows in memory.

Every row has a number that orders all rows at random: SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable
pseudorandom number generators", OOPSLA) of the seed and the row's number in the folder. It is computed for
millions of rows a second, so that a random draw reads nothing but the row groups of the pairs drawn, and a
stratified one the column of its strata besides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.records import content_key, lowered, sentence_bytes
from paragold.sampling.sampling import DISTANCE_BINS, allocate, distance_bin, pseudo_random, score_bin
from paragold.sampling.strategy import EDIT_DISTANCE, RANDOM, SCORE, DrawSpec
from paragold.shards.folder import PairsFolder
from paragold.spec import SpecError

SIGNATURE = "rows|version:1|splitmix64-order"
SCORE_COLUMNS = ("score", "probability")
"""The names of columns of scores."""
_ROWS_AT_ONCE = 1 << 20
_SPARE = 1_000
Rows = NDArray[np.int64]


def row_order(rows: Rows, *, seed: int) -> NDArray[np.uint64]:
    """A number for each row, by which rows are in random order; two rows never have the same."""
    mixed = np.uint64(pseudo_random(seed)) + (rows.astype(np.uint64) + np.uint64(1)) * np.uint64(
        0x9E3779B97F4A7C15
    )
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A pair drawn: its number in the folder, part, row in the part from 0, stratum, key and columns."""

    number: int
    part: str
    row: int
    stratum: str
    key: bytes
    values: dict[str, Any]


def draw_rows(
    folder: PairsFolder,
    size: int,
    *,
    seed: int,
    spec: DrawSpec | None = None,
    left_out: Collection[int] = (),
    known: Collection[bytes] = (),
    report: Callable[[int], object] = lambda rows: None,
) -> tuple[list[DrawnRow], list[dict[str, Any]]]:
    """Draw `size` pairs of a folder, in random order, and count the pairs and the draw of each stratum.

    Parameters
    ----------
    spec : DrawSpec, optional
        As `check_spec` allows it; by default a simple random sample.
    left_out : collection of int
        Rows that are not drawn, by their numbers in the folder: they are in no stratum.
    known : collection of bytes
        Content keys of pairs that are not drawn. Such a pair, one whose texts were drawn already, or one
        whose cluster has its maximum, makes room for the next of its stratum.
    report : callable
        Is given the number of rows looked at so far; it may raise.

    Raises
    ------
    SpecError
        The folder does not allow such a draw.
    ValueError
        The folder holds fewer pairs that can be drawn.
    FileProblem
        A part cannot be read.
    """
    spec = spec or DrawSpec()
    check_spec(spec, folder)
    keep = 2 * size + _SPARE
    while True:
        strata = _first_rows(folder, keep, spec=spec, seed=seed, left_out=left_out, report=report)
        sizes = {name: stratum.size for name, stratum in strata.items()}
        shares = allocate(sizes, size, spec.allocation)
        drawn = _filled(folder, strata, shares, spec=spec, known=known, report=report)
        if len(drawn) == size:
            taken = Counter(one.stratum for one in drawn)
            counts = [
                {"stratum": name, "pairs": pairs, "drawn": taken[name]}
                for name, pairs in sorted(sizes.items())
            ]
            return drawn, counts
        if keep >= max(sizes.values()):
            raise ValueError(f"{size} requested, but only {len(drawn)} are available")
        keep *= 8


def check_spec(spec: DrawSpec, folder: PairsFolder) -> None:
    """Raise SpecError for what cannot be drawn without all pairs in the database."""
    problems = []
    if spec.by not in (RANDOM, EDIT_DISTANCE, SCORE):
        problems.append(("by", "From an external dataset draw at random, by edit distance or by score."))
    if spec.by != RANDOM and spec.per_cluster is not None:
        problems.append(("per_cluster", "From an external dataset limit clusters only in a random draw."))
    if spec.clusters == "only":
        problems.append(("clusters", "No cluster of an external dataset is held out. Choose other clusters."))
    if spec.rejected:
        problems.append(("rejected", "Rejected pairs cannot be drawn for an external dataset. Choose 0."))
    if spec.by == SCORE and _score_column(folder) is None:
        problems.append(("by", f"The dataset has no score; its columns: {', '.join(folder.columns)}."))
    if problems:
        raise SpecError(problems)


def _score_column(folder: PairsFolder) -> str | None:
    return next((name for name in SCORE_COLUMNS if name in folder.columns), None)


class _Stratum:
    """The number of rows of a stratum, and the first `keep` of them in the order."""

    def __init__(self, keep: int) -> None:
        self.keep, self.size, self.given = keep, 0, 0
        self.order, self.rows = np.empty(0, np.uint64), np.empty(0, np.int64)

    def add(self, order: NDArray[np.uint64], rows: Rows) -> None:
        self.size += len(rows)
        if len(self.rows) >= self.keep:
            early = order < self.order.max()
            order, rows = order[early], rows[early]
        self.order, self.rows = np.concatenate((self.order, order)), np.concatenate((self.rows, rows))
        if len(self.rows) > self.keep:
            first = np.argpartition(self.order, self.keep - 1)[: self.keep]
            self.order, self.rows = self.order[first], self.rows[first]

    def following(self, count: int) -> list[tuple[int, int]]:
        """The next rows in the order, each with its place in it."""
        if not self.given:
            places = np.argsort(self.order)
            self.order, self.rows = self.order[places], self.rows[places]
        begin, self.given = self.given, self.given + count
        part = slice(begin, self.given)
        return list(zip(self.order[part].tolist(), self.rows[part].tolist(), strict=True))


def _first_rows(
    folder: PairsFolder,
    keep: int,
    *,
    spec: DrawSpec,
    seed: int,
    left_out: Collection[int],
    report: Callable[[int], object],
) -> dict[str, _Stratum]:
    strata: dict[str, _Stratum] = {}
    excluded = np.array(sorted(left_out), dtype=np.int64)
    for rows, names, codes in _strata(folder, spec):
        begin, end = np.searchsorted(excluded, (rows[0], rows[-1] + 1))
        allowed = (codes >= 0) & ~np.isin(rows, excluded[begin:end])
        order = row_order(rows, seed=seed)
        for code in np.unique(codes[allowed]).tolist():
            of_it = allowed & (codes == code)
            strata.setdefault(names[code], _Stratum(keep)).add(order[of_it], rows[of_it])
        report(int(rows[-1]) + 1)
    return strata


_BINS = [distance_bin(low) for low in (0, *DISTANCE_BINS)]
_TENTHS = [score_bin(tenth / 10 + 0.05) for tenth in range(10)]


def _strata(folder: PairsFolder, spec: DrawSpec) -> Iterator[tuple[Rows, list[str], NDArray[np.int64]]]:
    """Rows with the names of strata and, for each row, the number of its name, -1 for none."""
    if spec.by == RANDOM:
        for begin in range(0, folder.pairs, _ROWS_AT_ONCE):
            rows = np.arange(begin, min(folder.pairs, begin + _ROWS_AT_ONCE))
            yield rows, [""], np.zeros(len(rows), dtype=np.int64)
    elif spec.by == EDIT_DISTANCE:
        for begin, distance in folder.numbers("edit_distance"):
            rows = np.arange(begin, begin + len(distance))
            yield rows, _BINS, np.searchsorted(DISTANCE_BINS, distance, side="right")
    else:
        low, high = spec.min_score, spec.max_score
        for begin, score in folder.numbers(_score_column(folder) or "", low=low, high=high):
            tenths = np.minimum(np.nan_to_num(score) * 10, 9).astype(np.int64)
            within = (score >= low) & (score <= high)
            yield np.arange(begin, begin + len(score)), _TENTHS, np.where(within, tenths, -1)


def _filled(
    folder: PairsFolder,
    strata: dict[str, _Stratum],
    shares: dict[str, int],
    *,
    spec: DrawSpec,
    known: Collection[bytes],
    report: Callable[[int], object],
) -> list[DrawnRow]:
    """The first rows of each stratum that may be drawn; fewer than its share where they run out."""
    missing, seen, of_cluster = dict(shares), set(known), Counter[str]()
    drawn: list[tuple[int, DrawnRow]] = []
    spare = 0
    while True:
        places = sorted(
            (order, row, name)
            for name, count in missing.items()
            if count
            for order, row in strata[name].following(count + spare)
        )
        if not places:
            return [one for _, one in sorted(drawn, key=lambda place: place[0])]
        pairs = folder.take([row for _, row, _ in places], report=lambda: report(folder.pairs))
        for (order, row, name), (part, in_part, values) in zip(places, pairs, strict=True):
            key = key_of(values)
            full = spec.per_cluster is not None and of_cluster[values["cluster_id"]] >= spec.per_cluster
            if not missing[name] or key in seen or full:
                continue
            seen.add(key)
            of_cluster[values["cluster_id"]] += 1
            missing[name] -= 1
            drawn.append((order, DrawnRow(row, part.name, in_part, name, key, values)))
        spare = 100


def key_of(values: dict[str, Any]) -> bytes:
    """The content key of a row's two texts."""
    first, second = (sentence_bytes(lowered(values[name].split(" "))) for name in ("text_a", "text_b"))
    return content_key(first, second)
