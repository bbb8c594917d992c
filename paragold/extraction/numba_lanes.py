"""The compiled kernel: bit-parallel distances of a text to 16 or 8 patterns at once, by numba.

Patterns of up to 32 words take 32-bit lanes, of up to 64 words 64-bit lanes; longer ones go to rapidfuzz. A
lane of a vector holds a pattern, a bit for each of its words: the algorithms of Myers (1999) as Hyyrö (2003)
puts it, and of Hyyrö (2004) for the longest common subsequence. The states stay in vector registers over the
whole text, which no loop over arrays would have the compiler do; hence the instructions by hand. LLVM makes
whatever vectors the processor has out of these 512 bits.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from paragold.arrays import Array, Int32s, Integers
from paragold.extraction.criteria import Criteria
from paragold.extraction.rapidfuzz_blocks import Measured, RapidfuzzBlocks, partner_ends
from paragold.parallel import compiled

VECTOR_BITS = 512
_INDEX = ir.IntType(64)
LANE_TYPES: tuple[tuple[type[Any], type[Any]], ...] = ((np.uint32, np.int32), (np.uint64, np.int64))
# Room for the hits of several blocks; a block with more partners gets what it needs.
HITS_AT_ONCE = 1 << 16


class NumbaLanes(RapidfuzzBlocks):
    """Texts as numbers, one after the other in one array."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        codes: defaultdict[str, int] = defaultdict(count().__next__)
        super().__init__(texts)
        self._words = np.fromiter(map(codes.__getitem__, chain.from_iterable(texts)), dtype=np.int32)
        self._slots = np.zeros(max(len(codes), 1), dtype=np.int32)

    def hits(self, lengths: Integers, criteria: Criteria, stretches: Iterable[range]) -> Iterator[Measured]:
        """Blocks of as many rows as there are lanes, against the stretch of columns in their window."""
        begins = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        distances = (
            criteria.min_edit_distance,
            criteria.max_edit_distance or 0,
            criteria.distance == "indel",
        )
        limits = (lengths, partner_ends(criteria, lengths), *distances)
        rooms = [_room(*lane, len(lengths)) for lane in LANE_TYPES]
        for rows in stretches:
            start = rows.start
            for room in rooms:
                bits, hits = 8 * room[0].itemsize, room[-1]
                stop = min(rows.stop, int(np.searchsorted(lengths, bits, side="right")))
                while start < stop:
                    written, start = _scan(self._words, begins, *limits, start, stop, self._slots, *room)
                    a, b, measured = hits[:, :written].copy()
                    yield a, b, measured
            if start < rows.stop:
                yield from super().hits(lengths, criteria, [range(start, rows.stop)])


def plain_distance(pattern: Sequence[str], text: Sequence[str], *, indel: bool = False) -> int:
    """The distance of one pattern and a text, a whole number of Python in place of a lane.

    The same steps as `edit_balance` and `common_words`, to be read, and to compare these with.
    """
    words: defaultdict[str, int] = defaultdict(int)
    for place, word in enumerate(pattern):
        words[word] |= 1 << place
    ones = (1 << len(pattern)) - 1
    if indel:
        free = ones
        for word in text:
            used = free & words[word]
            free = ((free + used) | (free - used)) & ones
        return len(text) - len(pattern) + 2 * free.bit_count()
    more, less = ones, 0
    for word in text:
        matches = words[word]
        diagonal = (((matches & more) + more) ^ more) | matches | less
        right_more = ((less | ~(diagonal | more)) << 1) | 1
        right_less = (diagonal & more) << 1
        more, less = (right_less | ~(diagonal | right_more)) & ones, right_more & diagonal & ones
    return len(text) + more.bit_count() - less.bit_count()


def _room(unsigned: type[Any], signed: type[Any], texts: int) -> tuple[Array, ...]:
    """Masks, patterns and results of one block, in lanes of one width, and room for its hits."""
    bits = np.dtype(unsigned).itemsize * 8
    lanes = VECTOR_BITS // bits
    return (
        np.zeros((lanes * bits + 1, lanes), dtype=unsigned),
        np.zeros(lanes, dtype=unsigned),
        np.zeros(lanes, dtype=signed),
        np.empty((3, max(HITS_AT_ONCE, lanes * texts)), dtype=np.int32),
    )


class _Lanes:
    """The vectors of one call, and the loop over the words of its text."""

    def __init__(self, context: Any, builder: Any, kinds: Any, arguments: Any) -> None:
        self._builder = builder
        self._begin, self._end = arguments[1], arguments[2]
        self._words, self._slots, masks, patterns, self._result = (
            context.make_array(kinds[at])(context, builder, arguments[at]).data for at in (0, 3, 4, 5, 6)
        )
        self._bits = kinds[4].dtype.bitwidth
        width = VECTOR_BITS // self._bits
        lane = ir.IntType(self._bits)
        self._vector = ir.VectorType(lane, width)
        self._suffix = f"v{width}i{self._bits}"
        self.ones = ir.Constant(self._vector, [ir.Constant(lane, 1)] * width)
        self.zeros = ir.Constant(self._vector, [ir.Constant(lane, 0)] * width)
        self._masks = builder.bitcast(masks, self._vector.as_pointer())
        self.patterns = self._load(builder.bitcast(patterns, self._vector.as_pointer()))

    def _load(self, pointer: Any) -> Any:
        # numpy promises the alignment of an element only.
        return self._builder.load(pointer, align=self._bits // 8)

    def run(self, step: Any, states: list[Any]) -> list[Any]:
        """The states after `step` was taken for each word of the text."""
        builder, entry = self._builder, self._builder.block
        loop, done = builder.append_basic_block("words"), builder.append_basic_block("end")
        builder.cbranch(builder.icmp_signed("<", self._begin, self._end), loop, done)
        builder.position_at_end(loop)
        at = builder.phi(_INDEX)
        before = [builder.phi(self._vector) for _ in states]
        word = builder.sext(builder.load(builder.gep(self._words, [at])), _INDEX)
        slot = builder.sext(builder.load(builder.gep(self._slots, [word])), _INDEX)
        after = step(self._load(builder.gep(self._masks, [slot])), before)
        following = builder.add(at, ir.Constant(_INDEX, 1))
        builder.cbranch(builder.icmp_signed("<", following, self._end), loop, done)
        builder.position_at_end(done)
        results = [builder.phi(self._vector) for _ in states]
        # What a phi is on the way in, and what it is after each word.
        firsts, thens = [self._begin, *states, *states], [following, *after, *after]
        for phi, first, then in zip([at, *before, *results], firsts, thens, strict=True):
            phi.add_incoming(first, entry)
            phi.add_incoming(then, loop)
        return results

    def count_bits(self, vector: Any) -> Any:
        """How many bits each lane has within its pattern."""
        kind = ir.FunctionType(self._vector, [self._vector])
        get_or_insert: Any = cgutils.get_or_insert_function  # numba has no types
        count = get_or_insert(self._builder.module, kind, f"llvm.ctpop.{self._suffix}")
        return self._builder.call(count, [self._builder.and_(vector, self.patterns)])

    def store(self, vector: Any) -> None:
        pointer = self._builder.bitcast(self._result, self._vector.as_pointer())
        self._builder.store(vector, pointer, align=self._bits // 8)


def _instruction(code_of: Callable[[Any, _Lanes], Any]) -> Any:
    """A function for compiled code: for each lane, a number of its pattern and words[begin:end], the text.

    slots: int32 by word, the row of `masks` in which the word is described.
    masks: uint32 or uint64, shape (rows, lanes): bit i of a lane is set where word i of its pattern is this
        word. All bits of row 0 are clear.
    patterns: shape (lanes,), as many low bits set as the pattern has words.
    numbers: signed, shape (lanes,), is written.
    """

    def instruction(
        typing: Any, words: Any, begin: Any, end: Any, slots: Any, masks: Any, patterns: Any, numbers: Any
    ) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lanes = _Lanes(context, builder, signature.args, arguments)
            lanes.store(code_of(builder, lanes))
            return context.get_dummy_value()

        return types.void(words, begin, end, slots, masks, patterns, numbers), code

    return intrinsic(instruction)


@_instruction
def edit_balance(builder: Any, lanes: _Lanes) -> Any:
    """The distance between pattern and text, less the text's length."""

    def step(matches: Any, states: list[Any]) -> list[Any]:
        more, less = states  # where the distance grows or falls from one word of the pattern to the next
        sum_ = builder.xor(builder.add(builder.and_(matches, more), more), more)
        diagonal = builder.or_(builder.or_(sum_, matches), less)
        right_more = builder.or_(less, builder.not_(builder.or_(diagonal, more)))
        right_less = builder.shl(builder.and_(diagonal, more), lanes.ones)
        right_more = builder.or_(builder.shl(right_more, lanes.ones), lanes.ones)
        return [
            builder.or_(right_less, builder.not_(builder.or_(diagonal, right_more))),
            builder.and_(right_more, diagonal),
        ]

    more, less = lanes.run(step, [lanes.patterns, lanes.zeros])
    return builder.sub(lanes.count_bits(more), lanes.count_bits(less))


@_instruction
def common_words(builder: Any, lanes: _Lanes) -> Any:
    """The length of the longest common subsequence of pattern and text."""

    def step(matches: Any, states: list[Any]) -> list[Any]:
        (free,) = states
        used = builder.and_(free, matches)
        return [builder.or_(builder.add(free, used), builder.sub(free, used))]

    (free,) = lanes.run(step, [builder.not_(lanes.zeros)])
    return lanes.count_bits(builder.not_(free))


@compiled
def _scan(
    words: Int32s,
    begins: Integers,
    lengths: Integers,
    ends: Integers,
    minimum: int,
    maximum: int,
    indel: bool,
    start: int,
    stop: int,
    slots: Int32s,
    masks: Array,
    patterns: Array,
    results: Array,
    hits: Int32s,
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
