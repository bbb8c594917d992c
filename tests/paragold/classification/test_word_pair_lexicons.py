"""Word pairs that a dataset holds, how lexicons compare by rank, and which stemmer a language has."""

from pathlib import Path

import pytest

from paragold.classification.association import Association
from paragold.classification.classes import MORPHOLOGY, WORDNET
from paragold.classification.languages import stemmer_of
from paragold.classification.word_pair_lexicons import facing_pairs, found_in, share_by_rank, trivial
from tests.paragold.classification.examples import small_lexicons

TEXTS = [
    ("the operation began", "the procedure began"),
    ("an operation", "a procedure of the orbit"),
    ("one orbit", "one orbital"),
    ("orbit", "orbital"),
    ("orbital", "orbit"),
]


def pair(first: str, second: str) -> Association:
    return Association(first, second, 1.0, 1)


def test_pairs_that_face_each_other_by_how_often(tmp_path: Path) -> None:
    lexicons = small_lexicons(tmp_path).by_class
    stems = facing_pairs(TEXTS, lexicons[MORPHOLOGY], ranks=9, min_together=1)
    assert [(one.first, one.second, one.together) for one in stems] == [("orbit", "orbital", 3)]
    net = facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=2)
    assert [(one.first, one.second, one.together) for one in net] == [("operation", "procedure", 2)]
    assert facing_pairs(TEXTS, lexicons[WORDNET], ranks=9, min_together=3) == []
    assert facing_pairs([], lexicons[WORDNET], ranks=9, min_together=1) == []


def test_what_another_lexicon_has(tmp_path: Path) -> None:
    wordnet = small_lexicons(tmp_path).by_class[WORDNET]
    pairs = [pair("operation", "procedure"), pair("dam", "storm")]
    assert found_in(pairs, wordnet) == [True, False]
    assert found_in([], wordnet) == []


def test_shares_by_rank() -> None:
    inside = [True, True, False, False, False]
    assert share_by_rank(inside, step=2) == [(2, 1.0), (4, 0.5), (5, 0.4)]
    assert share_by_rank([], step=2) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("color", "colour", True),
        ("organise", "organize", True),
        ("gov", "government", True),
        ("city", "cities", True),
        ("suppliers", "vendors", False),
        ("consecutive", "straight", False),
    ],
)
def test_words_that_differ_in_spelling_alone(first: str, second: str, expected: bool) -> None:
    assert trivial([pair(first, second)], "english") == [expected]


def test_stemmers_by_language_tag() -> None:
    assert stemmer_of("en") == stemmer_of("en-GB") == "english"
    assert stemmer_of("pt_BR") == "portuguese"
    assert stemmer_of("sw") is None
