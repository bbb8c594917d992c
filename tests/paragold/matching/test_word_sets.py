"""Texts as sets of words."""

import numpy as np
import pytest

from paragold.matching.kernels import NAMES
from paragold.matching.word_sets import content_words, sets_of_files, word_sets


def test_punctuation_determiners_and_possessives_do_not_count() -> None:
    assert content_words("The captain's ship -- an old one, every sail torn!") == [
        "captain",
        "ship",
        "old",
        "one",
        "sail",
        "torn",
    ]
    assert content_words("The captain’s “No!”") == ["captain", "no"]


def test_codes_are_sorted_distinct_and_begin_with_the_rarest_word() -> None:
    sets = word_sets([["sea", "ship", "sea"], [], ["sea", "whale", "ship"], ["sea"]])
    assert sets.words == ("whale", "ship", "sea")
    assert sets.offsets.tolist() == [0, 2, 2, 5, 6]
    assert sets.codes.tolist() == [1, 2, 0, 1, 2, 2]
    assert sets.sizes.tolist() == [2, 0, 3, 1]


def test_two_files_share_one_dictionary() -> None:
    sets, split = sets_of_files(["The sea."], ["A sea", "The ship"])
    assert (len(sets), split) == (3, 1)
    assert sets_of_files(["The sea."])[1] == 0


@pytest.mark.parametrize("kernel", NAMES)
def test_no_texts_at_all(kernel: str) -> None:
    assert len(word_sets([], kernel)) == 0
    assert len(word_sets([[], []], kernel)) == 2


def test_kernels_give_the_same_sets() -> None:
    random = np.random.default_rng(12)
    texts = [[f"ö{word}" for word in random.zipf(1.3, size) % 90] for size in random.integers(0, 60, 300)]
    compiled, arrays = (word_sets(texts, kernel) for kernel in NAMES)
    assert compiled.words == arrays.words
    assert (compiled.offsets == arrays.offsets).all()
    assert (compiled.codes == arrays.codes).all()
    assert compiled.codes.dtype == arrays.codes.dtype == np.int32
    for text, words in enumerate(texts):
        stretch = compiled.codes[compiled.offsets[text] : compiled.offsets[text + 1]].tolist()
        assert stretch == sorted(stretch)
        assert {compiled.words[code] for code in stretch} == set(words)


def test_many_words_are_numbered_by_first_appearance() -> None:
    random = np.random.default_rng(3)
    # More words than the table begins with; some empty, some alike but for one letter, some not ASCII.
    texts = [
        [f"{word:x}" for word in random.integers(0, 60_000, 9)] + ["", "e", "é", "ee"] for _ in range(9_000)
    ]
    compiled, arrays = (word_sets(texts, kernel) for kernel in NAMES)
    assert compiled.words == arrays.words
    assert (compiled.codes == arrays.codes).all()
    assert len(compiled.words) > 40_000
