"""Which words each lexicon relates."""

from pathlib import Path

from paragold.classification.classes import ASSOCIATION, MORPHOLOGY, WORDNET, Lookup
from paragold.classification.lexicons import Lexicon, Lexicons, WordPairs
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


def test_word_pairs_with_function_words_are_looked_up_where_they_are_asked_for() -> None:
    vocabulary = ("where", "which", "vendors", "suppliers")
    pairs = WordPairs([("where", "which"), ("suppliers", "vendors"), ("vendors", "which")])
    for function_words, count in ((False, 1), (True, 3)):
        lexicons = Lexicons({ASSOCIATION: pairs}, lookup=Lookup(function_words=function_words))
        assert len(lexicons.related(vocabulary)[ASSOCIATION]) == count
    assert lexicons.related(())[ASSOCIATION].tolist() == []
