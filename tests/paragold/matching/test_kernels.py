"""The compiled inner loops give what the same loops in NumPy and SciPy give."""

import numpy as np
import pyarrow as pa
import pytest

from benchmarks import array_kernels
from paragold.matching import kernels
from paragold.matching.similar_pairs import draw_permutations
from tests.paragold.matching.toy import random_sets


def coded(texts):
    """Offsets, codes and order of the texts' word sets, by each of both."""
    lists = pa.array(texts, pa.large_list(pa.large_string()))
    result = []
    for module in (kernels, array_kernels):
        numbers, names = module.numbered(lists.values)
        assert numbers.dtype == np.int32
        offsets, codes, order = module.rarest_first(lists.offsets.to_numpy(), numbers, len(names))
        result.append([offsets, codes, np.array([names[number] for number in order.tolist()])])
    return result


def same(one, other):
    for left, right in zip(one, other, strict=True):
        assert left.dtype == right.dtype
        assert np.array_equal(left, right)


def test_words_are_coded_alike():
    random = np.random.default_rng(12)
    texts = [[f"ö{word}" for word in random.zipf(1.3, size) % 90] for size in random.integers(0, 60, 300)]
    compiled, arrays = coded(texts)
    same(compiled, arrays)
    offsets, codes, words = compiled
    assert codes.dtype == np.int32
    for text, own in enumerate(texts):
        stretch = codes[offsets[text] : offsets[text + 1]].tolist()
        assert stretch == sorted(stretch)
        assert {str(words[code]) for code in stretch} == set(own)


def test_many_words_are_numbered_by_first_appearance():
    random = np.random.default_rng(3)
    # More words than the table begins with; some empty, some alike but for one letter, some not ASCII.
    texts = [
        [f"{word:x}" for word in random.integers(0, 60_000, 9)] + ["", "e", "é", "ee"] for _ in range(9_000)
    ]
    compiled, arrays = coded(texts)
    same(compiled, arrays)
    assert len(compiled[2]) > 40_000


@pytest.mark.parametrize("texts", [0, 2, 300])
def test_keys_are_alike(texts):
    sets = random_sets(seed=9, texts=texts)
    drawn = draw_permutations(150, np.random.default_rng(1))
    by_each = [
        module.minimum_places(sets.offsets, sets.codes, drawn.multipliers, drawn.increments)
        for module in (kernels, array_kernels)
    ]
    same(by_each[:1], by_each[1:])
    equal = [module.equal_keys(by_each[0], by_each[0][::-1]) for module in (kernels, array_kernels)]
    same(equal[:1], equal[1:])


def pairs_of(result):
    first, second, scores = (column.tolist() for column in result)
    return dict(zip(zip(first, second, strict=True), scores, strict=True))


@pytest.mark.parametrize("split", [0, 50])
@pytest.mark.parametrize("threshold", [0.01, 1 / 3, 0.6, 1.0])
def test_pairs_are_alike(split, threshold):
    sets = random_sets(seed=8)
    compiled, arrays = (
        module.similar_sets(sets.offsets, sets.codes, threshold, split) for module in (kernels, array_kernels)
    )
    assert pairs_of(compiled) == pairs_of(arrays)
    assert len(compiled[0]) == len(arrays[0]) > 0
    groups = np.array([*range(0, 120, 3), *range(40), *range(30, 90)]), np.array([0, 40, 80, 140])
    within = [
        module.similar_in_groups(sets.offsets, sets.codes, *groups, threshold, split)
        for module in (kernels, array_kernels)
    ]
    assert pairs_of(within[0]) == pairs_of(within[1])
    shared = [
        module.shared_words(sets.offsets, sets.codes, compiled[0], compiled[1])
        for module in (kernels, array_kernels)
    ]
    same(shared[:1], shared[1:])
