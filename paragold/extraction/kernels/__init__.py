"""Kernels that measure word distances: their interface, and each by its name.

The fastest that is there is the default.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.criteria import Criteria


class Hits(NamedTuple):
    """Pairs of texts as three arrays of one length: the shorter text, the longer one, their distance."""

    rows: NDArray[Any]
    columns: NDArray[Any]
    distances: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Window:
    """Which pairs of texts a < b, sorted by length, to measure, and which distances to report.

    lengths: int64, shape (n,), ascending, in tokens.
    ends: int64, shape (n,); the partners of text a are a + 1 to ends[a], the last one left out.
    minimum, maximum: the bounds of the distances to report, inclusive.
    indel: whether a replacement costs 2, as a deletion and an insertion.
    """

    lengths: NDArray[np.int64]
    ends: NDArray[np.int64]
    minimum: int
    maximum: int
    indel: bool = False

    @classmethod
    def of(cls, lengths: NDArray[np.int64], criteria: Criteria) -> "Window":
        """The window of criteria with a maximum edit distance. Raises ValueError when they have none."""
        if criteria.max_edit_distance is None:
            raise ValueError("A window needs max_edit_distance.")
        longest = int(lengths[-1]) if len(lengths) else 0
        partners = _longest_partners(criteria, longest + STEP - longest % STEP)
        ends = np.searchsorted(lengths, partners[lengths], side="right")
        return cls(
            lengths=lengths,
            ends=ends.astype(np.int64),
            minimum=criteria.min_edit_distance,
            maximum=criteria.max_edit_distance,
            indel=criteria.distance == "indel",
        )


# Tables of lengths end at a multiple of this, so that few are made.
STEP = 128


@lru_cache(maxsize=16)
def _longest_partners(criteria: Criteria, end: int) -> NDArray[np.int64]:
    """`Criteria.longest_partner` of the lengths from 0 up to, but not including, `end`."""
    return np.array([criteria.longest_partner(length) for length in range(end)], dtype=np.int64)


class PreparedTexts(Protocol):
    """Texts as a kernel compares them, in the order of its windows."""

    def hits(self, window: Window, stretches: Iterable[range]) -> Iterator[Hits]:
        """The hits of the rows in `stretches`, block by block; memory is bounded by a block."""
        ...


# A kernel turns texts, as sequences of words, into what it compares.
Kernel = Callable[[Sequence[Sequence[str]]], PreparedTexts]


# From the fastest to the slowest.
NAMES = ("numba", "rapidfuzz")
# Names the kernel for a whole installation, where a call names none.
ENVIRONMENT = "PARAGOLD_KERNEL"


class KernelError(ValueError):
    """A kernel that does not exist, or that needs a package that is not installed."""


def get_kernel(name: str | None = None) -> Kernel:
    """The kernel called `name`, or the one that PARAGOLD_KERNEL names, or the fastest that is there.

    Raises KernelError for another name, and for numba where it is not installed.
    """
    chosen = name or os.environ.get(ENVIRONMENT)
    if chosen and chosen not in NAMES:
        raise KernelError(f"{chosen}: no such kernel. There are: {', '.join(NAMES)}.")
    # Here and not above: both import from this module, and numba takes half a second and 80 MB.
    from paragold.extraction.kernels.rapidfuzz_blocks import RapidfuzzBlocks

    if chosen == "rapidfuzz":
        return RapidfuzzBlocks
    try:
        from paragold.extraction.kernels.numba_lanes import NumbaLanes
    except ImportError as error:
        if chosen:
            message = f"The kernel numba needs the package numba ({error}). Install it, or use rapidfuzz."
            raise KernelError(message) from error
        return RapidfuzzBlocks
    return NumbaLanes


def kernel_name(name: str | None = None) -> str:
    """The name of the kernel that `get_kernel` gives for the same argument."""
    from paragold.extraction.kernels.rapidfuzz_blocks import RapidfuzzBlocks

    return "rapidfuzz" if get_kernel(name) is RapidfuzzBlocks else "numba"
