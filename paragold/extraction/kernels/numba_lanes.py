"""The compiled kernel: bit-parallel distances of a text to 16 or 8 patterns at once, by numba.

Patterns of up to 32 words take 32-bit lanes, of up to 64 words 64-bit lanes; longer ones go to rapidfuzz.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.kernels.lane_instructions import VECTOR_BITS, common_words, edit_balance
from paragold.extraction.kernels.rapidfuzz_blocks import Hits, RapidfuzzBlocks, Window
from paragold.parallel import compiled

LANE_TYPES: tuple[tuple[type[Any], type[Any]], ...] = ((np.uint32, np.int32), (np.uint64, np.int64))
# Room for the hits of several blocks; a block with more partners gets what it needs.
HITS_AT_ONCE = 1 << 16


class NumbaLanes:
    """Texts as numbers, one after the other in one array."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        codes: defaultdict[str, int] = defaultdict(count().__next__)
        self._texts = texts
        self._words = np.fromiter(map(codes.__getitem__, chain.from_iterable(texts)), dtype=np.int32)
        self._slots = np.zeros(max(len(codes), 1), dtype=np.int32)

    @cached_property
    def _longer(self) -> RapidfuzzBlocks:
        return RapidfuzzBlocks(self._texts)

    def hits(self, window: Window, stretches: Iterable[range]) -> Iterator[Hits]:
        """Blocks of as many rows as there are lanes, against the stretch of columns in their window."""
        begins = np.concatenate([[0], np.cumsum(window.lengths)]).astype(np.int64)
        blocks = [_Block(unsigned, signed, len(self._texts)) for unsigned, signed in LANE_TYPES]
        for rows in stretches:
            start = rows.start
            for block in blocks:
                fitting = int(np.searchsorted(window.lengths, block.bits, side="right"))
                stop = min(rows.stop, fitting)
                while start < stop:
                    written, start = _scan(
                        self._words,
                        begins,
                        window.lengths,
                        window.ends,
                        window.minimum,
                        window.maximum,
                        window.indel,
                        start,
                        stop,
                        self._slots,
                        block.masks,
                        block.patterns,
                        block.results,
                        block.hits,
                    )
                    yield Hits(*block.hits[:, :written].copy())
            if start < rows.stop:
                yield from self._longer.hits(window, [range(start, rows.stop)])


class _Block:
    """Room for the patterns of one block, in lanes of one width, and for its hits."""

    def __init__(self, unsigned: type[Any], signed: type[Any], texts: int) -> None:
        self.bits = np.dtype(unsigned).itemsize * 8
        lanes = VECTOR_BITS // self.bits
        self.masks = np.zeros((lanes * self.bits + 1, lanes), dtype=unsigned)
        self.patterns = np.zeros(lanes, dtype=unsigned)
        self.results = np.zeros(lanes, dtype=signed)
        self.hits = np.empty((3, max(HITS_AT_ONCE, lanes * texts)), dtype=np.int32)


@compiled
def _scan(
    words: NDArray[np.int32],
    begins: NDArray[np.int64],
    lengths: NDArray[np.int64],
    ends: NDArray[np.int64],
    minimum: int,
    maximum: int,
    indel: bool,
    start: int,
    stop: int,
    slots: NDArray[np.int32],
    masks: NDArray[Any],
    patterns: NDArray[Any],
    results: NDArray[Any],
    hits: NDArray[np.int32],
) -> tuple[int, int]:
    """Write the hits of rows from `start` until they might not fit; return their number and the next row.

    `slots` is zero between blocks: a word that no pattern of the block has is described by row 0.
    """
    lanes = masks.shape[1]
    written = 0
    while start < stop:
        last = min(start + lanes, stop)
        end = ends[last - 1]
        if written + lanes * max(end - start, 0) > hits.shape[1]:
            break
        used = 0
        patterns[:] = 0
        for row in range(start, last):
            bit = np.uint64(1)
            for at in range(begins[row], begins[row + 1]):
                if slots[words[at]] == 0:
                    used += 1
                    slots[words[at]] = used
                    masks[used, :] = 0
                masks[slots[words[at]], row - start] |= bit
                patterns[row - start] |= bit
                bit = bit << np.uint64(1)
        for column in range(start + 1, end):
            if indel:
                common_words(words, begins[column], begins[column + 1], slots, masks, patterns, results)
            else:
                edit_balance(words, begins[column], begins[column + 1], slots, masks, patterns, results)
            for row in range(start, min(last, column)):
                distance = lengths[column] + results[row - start]
                if indel:
                    distance = lengths[column] + lengths[row] - 2 * results[row - start]
                if distance <= maximum and distance >= minimum and column < ends[row]:
                    hits[0, written], hits[1, written], hits[2, written] = row, column, distance
                    written += 1
        for at in range(begins[start], begins[last]):
            slots[words[at]] = 0
        start = last
    return written, start
