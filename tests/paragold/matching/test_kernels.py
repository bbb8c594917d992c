"""The compiled inner loops give what the same loops in NumPy and SciPy give."""

import numpy as np
import pytest

from paragold.matching import kernels
from paragold.matching.similar_pairs import SCORED, draw_permutations, word_sets
from tests.paragold.matching import array_kernels
from tests.paragold.matching.toy import random_sets


def same(one, other):
    for left, right in zip(one, other, strict=True):
        assert left.dtype == right.dtype
        assert np.array_equal(left, right)


def test_words_are_coded_alike():
    random = np.random.default_rng(12)
    numbers = (random.zipf(1.3, 9_000) % 90).astype(np.int32)
    bounds = np.sort(np.append(random.integers(0, 9_000, 299), [0, 9_000]))
    compiled, arrays = (module.rarest_first(bounds, numbers, 90) for module in (kernels, array_kernels))
    same(compiled, arrays)
    assert compiled[1].dtype == np.int32


def test_every_word_of_a_text_is_in_its_set():
    random = np.random.default_rng(3)
    # Some words are empty, some alike but for one letter, some not ASCII.
    texts = [
        [f"ö{word:x}" for word in random.integers(0, 60_000, 9)] + ["", "e", "é", "ee"] for _ in range(900)
    ]
    sets = word_sets(texts)
    for text, own in enumerate(texts):
        stretch = sets.codes[sets.offsets[text] : sets.offsets[text + 1]].tolist()
        assert stretch == sorted(stretch)
        assert {sets.words[code] for code in stretch} == set(own)


@pytest.mark.parametrize("texts", [0, 2, 300])
def test_keys_are_alike(texts):
    sets = random_sets(seed=9, texts=texts)
    drawn = draw_permutations(150, np.random.default_rng(1))
    by_each = [module.minimum_places(sets.offsets, sets.codes, *drawn) for module in (kernels, array_kernels)]
    same(by_each[:1], by_each[1:])


def alike(compiled, arrays):
    """The table of a compiled loop, and the columns of the same loop in NumPy, in any order."""
    columns = zip(*(column.tolist() for column in arrays), strict=True)
    assert sorted(compiled.tolist()) == sorted(columns)


@pytest.mark.parametrize("split", [0, 50])
@pytest.mark.parametrize("threshold", [0.01, 1 / 3, 0.6, 1.0])
def test_pairs_are_alike(split, threshold):
    sets = random_sets(seed=8)
    room = np.empty(1, SCORED)  # it grows
    compiled = kernels.similar_sets(sets.offsets, sets.codes, threshold, split, room)
    assert len(compiled)
    alike(compiled, array_kernels.similar_sets(sets.offsets, sets.codes, threshold, split))
    groups = np.array([*range(0, 120, 3), *range(40), *range(30, 90)]), np.array([0, 40, 80, 140])
    within = (sets.offsets, sets.codes, *groups, threshold, split)
    alike(kernels.similar_in_groups(*within, room), array_kernels.similar_in_groups(*within))
    first, second = (np.ascontiguousarray(compiled[side]) for side in ("first", "second"))
    shared = [
        module.shared_words(sets.offsets, sets.codes, first, second) for module in (kernels, array_kernels)
    ]
    same(shared[:1], shared[1:])
