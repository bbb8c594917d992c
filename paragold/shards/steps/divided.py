"""Columns of numbers, divided by shard: written once, and read a shard at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def write_divided(inside: Path, shard: NDArray[Any], shards: int, columns: Sequence[NDArray[Any]]) -> None:
    """Write the rows (all columns have as many) by the shard of each, from 0; their order stays."""
    order = np.argsort(shard, kind="stable")
    np.save(inside / "bounds.npy", np.searchsorted(shard[order], np.arange(shards + 1)))
    for number, column in enumerate(columns):
        np.save(inside / f"column-{number}.npy", column[order])


def read_divided(folders: Sequence[Path], shard: int, columns: int) -> list[NDArray[Any]]:
    """The rows of a shard in all folders, one after the other. Only they are read."""
    parts: list[list[NDArray[Any]]] = [[] for _ in range(columns)]
    for folder in folders:
        begin, end = np.load(folder / "bounds.npy", mmap_mode="r")[shard : shard + 2]
        for number, column in enumerate(parts):
            column.append(np.array(np.load(folder / f"column-{number}.npy", mmap_mode="r")[begin:end]))
    return [np.concatenate(column) for column in parts]


def bases(counts: Sequence[int]) -> Integers:
    """The number of the first row of each part among those of all, and at the end of all rows."""
    return np.cumsum([0, *counts])
