"""One text against a block of patterns at once, one pattern in each lane of a vector; needs numba.

The bit-parallel algorithms of Myers (1999) as Hyyrö (2003) puts it, and of Hyyrö (2004) for the longest
common subsequence. A lane holds a pattern, a bit for each of its words. The states stay in vector registers
over the whole text, which no loop over arrays would have the compiler do; hence the instructions by hand.
LLVM makes whatever vectors the processor has out of these 512 bits.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

VECTOR_BITS = 512
_INDEX = ir.IntType(64)


def _edit_balance(
    typing: Any, words: Any, begin: Any, end: Any, slots: Any, masks: Any, patterns: Any, balance: Any
) -> Any:
    """For each lane: the distance between its pattern and words[begin:end], less the text's length.

    slots: int32 by word, the row of `masks` in which the word is described.
    masks: uint32 or uint64, shape (rows, lanes): bit i of a lane is set where word i of its pattern is this
        word. All bits of row 0 are clear.
    patterns: shape (lanes,), as many low bits set as the pattern has words.
    balance: signed, shape (lanes,), is written.
    """
    signature = types.void(words, begin, end, slots, masks, patterns, balance)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = _Lanes(context, builder, signature.args, arguments)

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
        lanes.store(builder.sub(lanes.count_bits(more), lanes.count_bits(less)))
        return context.get_dummy_value()

    return signature, code


def _common_words(
    typing: Any, words: Any, begin: Any, end: Any, slots: Any, masks: Any, patterns: Any, common: Any
) -> Any:
    """For each lane: the length of the longest common subsequence of its pattern and words[begin:end].

    The arguments are those of `_edit_balance`.
    """
    signature = types.void(words, begin, end, slots, masks, patterns, common)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = _Lanes(context, builder, signature.args, arguments)

        def step(matches: Any, states: list[Any]) -> list[Any]:
            (free,) = states
            used = builder.and_(free, matches)
            return [builder.or_(builder.add(free, used), builder.sub(free, used))]

        (free,) = lanes.run(step, [builder.not_(lanes.zeros)])
        lanes.store(lanes.count_bits(builder.not_(free)))
        return context.get_dummy_value()

    return signature, code


class _Lanes:
    """The vectors of one call, and the loop over the words of its text."""

    def __init__(self, context: Any, builder: Any, kinds: Any, arguments: Any) -> None:
        self._builder = builder
        self._begin, self._end = arguments[1], arguments[2]
        self._words, self._slots, masks, patterns, self._result = (
            context.make_array(kinds[at])(context, builder, arguments[at]).data for at in (0, 3, 4, 5, 6)
        )
        self._bits = kinds[4].dtype.bitwidth
        self._width = VECTOR_BITS // self._bits
        lane = ir.IntType(self._bits)
        self._vector = ir.VectorType(lane, self._width)
        self.ones = ir.Constant(self._vector, [ir.Constant(lane, 1)] * self._width)
        self.zeros = ir.Constant(self._vector, [ir.Constant(lane, 0)] * self._width)
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
        at.add_incoming(self._begin, entry)
        before = [builder.phi(self._vector) for _ in states]
        word = builder.sext(builder.load(builder.gep(self._words, [at])), _INDEX)
        slot = builder.sext(builder.load(builder.gep(self._slots, [word])), _INDEX)
        after = step(self._load(builder.gep(self._masks, [slot])), before)
        following = builder.add(at, ir.Constant(_INDEX, 1))
        at.add_incoming(following, loop)
        for phi, first, then in zip(before, states, after, strict=True):
            phi.add_incoming(first, entry)
            phi.add_incoming(then, loop)
        builder.cbranch(builder.icmp_signed("<", following, self._end), loop, done)
        builder.position_at_end(done)
        results = [builder.phi(self._vector) for _ in states]
        for phi, first, then in zip(results, states, after, strict=True):
            phi.add_incoming(first, entry)
            phi.add_incoming(then, loop)
        return results

    def count_bits(self, vector: Any) -> Any:
        """How many bits each lane has within its pattern."""
        name = f"llvm.ctpop.v{self._width}i{self._bits}"
        kind = ir.FunctionType(self._vector, [self._vector])
        get_or_insert: Any = cgutils.get_or_insert_function  # numba has no types
        count = get_or_insert(self._builder.module, kind, name)
        return self._builder.call(count, [self._builder.and_(vector, self.patterns)])

    def store(self, vector: Any) -> None:
        pointer = self._builder.bitcast(self._result, self._vector.as_pointer())
        self._builder.store(vector, pointer, align=self._bits // 8)


edit_balance: Any = intrinsic(_edit_balance)
common_words: Any = intrinsic(_common_words)
