"""TF-IDF and cosines of headlines, by hand."""

import os
import subprocess
import sys
from math import log

import pytest

from paragold.matching.headlines import cosines, inverse_document_frequencies, stems
from paragold.text.stemming import Stemmer

TEXTS = [frozenset("abx"), frozenset("acx"), frozenset("dx")]


def test_stems_come_once_and_without_punctuation() -> None:
    assert stems("Prices rise: the price rises!", Stemmer()) == {"price", "rise", "the"}
    assert stems("Prijzen stijgen, prijs stijgt", Stemmer("dutch")) == {"prijs", "stijg", "stijgt"}


def test_idf_is_that_of_the_cluster() -> None:
    assert inverse_document_frequencies(TEXTS) == pytest.approx(
        {"a": log(3 / 2), "b": log(3), "c": log(3), "d": log(3), "x": 0}
    )


def test_cosines() -> None:
    found = cosines(TEXTS)
    assert found[0, 1] == pytest.approx(log(1.5) ** 2 / (log(1.5) ** 2 + log(3) ** 2))
    assert found[0, 2] == 0
    assert found[0, 0] == pytest.approx(1)


def test_weights_from_elsewhere() -> None:
    found = cosines(TEXTS, dict.fromkeys("abcdx", 1.0))
    assert found[0, 1] == pytest.approx(2 / 3)


def test_a_text_without_weight_is_similar_to_none() -> None:
    assert cosines([frozenset("x"), frozenset("x")]).tolist() == [[0, 0], [0, 0]]
    assert cosines([]).shape == (0, 0)


PRINT_COSINES = """
from paragold.matching.headlines import cosines
words = [first + second for first in "bdfgk" for second in "aeiou"]
texts = [frozenset(words[i % 7 : i % 11 + 9 : i % 3 + 1]) for i in range(12)]
print(cosines(texts).tobytes().hex())
"""


def test_cosines_are_the_same_to_the_last_bit_in_every_process() -> None:
    # Words of a set come in another order in each: sums that are rounded otherwise would turn ties.
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINT_COSINES],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(printed) == 1
