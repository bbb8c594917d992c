"""Bands of equal keys: what is found is true, and as much is found as theory says."""

import numpy as np
import pytest

from paragold.matching.bands import Banding, banded_pairs, banding_for
from paragold.matching.exact import exact_pairs
from paragold.matching.kernels import NAMES
from paragold.matching.word_sets import word_sets
from tests.paragold.matching.toy import as_dict, random_sets


@pytest.mark.parametrize("kernel", NAMES)
@pytest.mark.parametrize("split", [0, 50])
def test_what_is_found_is_exact_and_comes_once(kernel: str, split: int) -> None:
    sets = random_sets(seed=6)
    exact = as_dict(exact_pairs(sets, 0.4, split=split))
    found = as_dict(banded_pairs(sets, 0.4, split=split, kernel=kernel))
    assert found.items() <= exact.items()
    assert len(found) >= 0.9 * len(exact)


def test_kernels_agree() -> None:
    sets = random_sets(seed=8)
    first, second = (as_dict(banded_pairs(sets, 0.5, kernel=kernel)) for kernel in NAMES)
    assert first == second


def test_recall_is_what_theory_says() -> None:
    # Pairs of texts with Jaccard 0.5 exactly (4 of 8 words), each pair with words of its own.
    pairs = 1500
    texts = [
        [f"{pair}-{word}" for word in words] for pair in range(pairs) for words in (range(6), range(2, 8))
    ]
    banding = Banding(bands=6, rows=3)
    found = len(banded_pairs(word_sets(texts), 0.5, banding=banding, seed=5))
    expected = banding.recall(0.5)
    assert expected == pytest.approx(1 - (1 - 0.125) ** 6)
    assert abs(found / pairs - expected) < 5 * np.sqrt(expected * (1 - expected) / pairs)


@pytest.mark.parametrize("threshold", [0.1, 0.33, 0.5, 0.8, 0.95])
def test_bandings_have_the_recall_asked_for(threshold: float) -> None:
    banding = banding_for(threshold, recall=0.97)
    assert banding.recall(threshold) >= 0.97
    assert banding.bands * banding.rows <= 256 or banding.rows == 1


def test_equal_texts_are_always_found() -> None:
    sets = word_sets([["a", "b"], ["b", "a"], ["c"]])
    assert as_dict(banded_pairs(sets, 1.0)) == {(0, 1): 1.0}


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        banding_for(0.5, recall=1.0)
