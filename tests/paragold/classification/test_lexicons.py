"""Which words each lexicon relates."""

from pathlib import Path

from paragold.classification.classes import ASSOCIATION, MORPHOLOGY, WORDNET
from paragold.classification.lexicons import Lexicon
from tests.paragold.classification.examples import small_lexicons

VOCABULARY = (
    *("orbit", "orbital", "operations", "procedure", "activity", "vendors", "suppliers"),
    *("rose", "fell", "falls", "sellers", "in", "7", "orbit's"),
)


def words(lexicon: Lexicon) -> set[frozenset[str]]:
    size = len(VOCABULARY)
    keys = lexicon.related(VOCABULARY).tolist()
    assert keys == sorted(set(keys))
    assert all(key // size < key % size for key in keys)
    return {frozenset((VOCABULARY[key // size], VOCABULARY[key % size])) for key in keys}


def test_related_words(tmp_path: Path) -> None:
    lexicons = small_lexicons(tmp_path)
    assert words(lexicons.by_class[MORPHOLOGY]) == {frozenset(("orbit", "orbital"))}
    assert words(lexicons.by_class[WORDNET]) == {
        frozenset(("operations", "procedure")),
        frozenset(("operations", "activity")),
        frozenset(("procedure", "activity")),
        frozenset(("vendors", "sellers")),
    }
    assert words(lexicons.by_class[ASSOCIATION]) == {frozenset(("vendors", "suppliers"))}
    assert lexicons.opposites is not None
    assert words(lexicons.opposites) == {frozenset(("rose", "falls")), frozenset(("rose", "fell"))}
    assert set(lexicons.signatures()) == {MORPHOLOGY, WORDNET, ASSOCIATION, "opposites"}
    assert lexicons.by_class[WORDNET].related(()).tolist() == []
