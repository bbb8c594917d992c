"""The inner loops of matching: compiled by numba where it is there, else numpy and scipy; equal results."""

from typing import Protocol, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paragold.matching.kernels import array_kernels

NAMES = ("numba", "numpy")

Codes = NDArray[np.int32]
Indices = NDArray[np.int64]
Keys = NDArray[np.uint32]
Found = tuple[Indices, Indices, NDArray[np.float64]]


class Kernels(Protocol):
    """What a module of kernels has. Word sets are given as `offsets` and `codes`, as `WordSets` has them."""

    def numbered(self, words: pa.LargeStringArray) -> tuple[Codes, list[str]]:
        """The number of each word, by first appearance from 0, and the word of each number."""

    def rarest_first(self, bounds: Indices, numbers: Codes, words: int) -> tuple[Indices, Codes, Indices]:
        """Sets of words out of lists: offsets, codes, and the number that each code had.

        Text t is numbers[bounds[t]:bounds[t + 1]], numbers from 0 to words - 1. The rarest word (in texts;
        then that of the lowest number) gets the code 0; the codes of a text are ascending and distinct.
        """

    def places(self, words: int, multipliers: Keys, increments: Keys) -> Keys:
        """The place of each word in each permuted dictionary, shape (words, multipliers.size)."""

    def minimum_places(self, offsets: Indices, codes: Codes, multipliers: Keys, increments: Keys) -> Keys:
        """The minimum place of a text's words in each dictionary, shape (texts, multipliers.size)."""

    def equal_keys(self, first: Keys, second: Keys) -> NDArray[np.int32]:
        """How many keys are equal, for every row of `first` and every row of `second`."""

    def shared_words(self, offsets: Indices, codes: Codes, first: Indices, second: Indices) -> Indices:
        """How many words the two texts of each pair share, shape (pairs,)."""

    def similar_sets(self, offsets: Indices, codes: Codes, threshold: float, split: int) -> Found:
        """All pairs with Jaccard >= threshold, each once, in any order: first, second, Jaccard."""

    def similar_in_groups(
        self,
        offsets: Indices,
        codes: Codes,
        members: Indices,
        bounds: Indices,
        threshold: float,
        split: int,
    ) -> Found:
        """As `similar_sets`, of pairs within a group only; a pair in several groups may come several times.

        Group g is members[bounds[g]:bounds[g + 1]], ascending.
        """


class KernelError(ValueError):
    """Kernels that do not exist, or that need a package that is not installed."""


def get_kernels(name: str | None = None) -> Kernels:
    """The kernels called `name`, or the fastest that are there. Raises KernelError."""
    if name not in (None, *NAMES):
        raise KernelError(f"{name}: no such kernels. There are: {', '.join(NAMES)}.")
    if name == "numpy":
        return cast(Kernels, array_kernels)
    try:
        # Here and not above: numba takes half a second and 80 MB, which only matching should cost.
        from paragold.matching.kernels import compiled_kernels
    except ImportError as error:
        if name:
            raise KernelError(
                "The kernels numba need the package numba: install it, or use numpy."
            ) from error
        return cast(Kernels, array_kernels)
    return cast(Kernels, compiled_kernels)
