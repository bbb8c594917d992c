import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences
from paragold.aligners.relations import KINDS, Related, Relations
from paragold.text.stemming import Stemmer
from paragold.text.wordnet import open_wordnet

WORD = st.text("abcé中😀", min_size=1, max_size=8)


def related(relations, source, target):
    """What the relations say of each source word and the target word in the same place."""
    sources, targets = Vocabulary(source), Vocabulary(target)
    texts = Text.of(([word] for word in source), sources), Text.of(([word] for word in target), targets)
    entries = cooccurrences(*texts, source_words=len(sources), target_words=len(targets))
    result = relations.between(sources.words, targets.words, entries)
    cells = entries.cells.read(0, len(source))
    return Related(result.kinds[cells], result.spelling[cells])


def test_stems_and_spelling():
    result = related(
        Relations(Stemmer(), None),
        ["dog", "dogs", "running", "ahmadinejad", "cat", "the", "colour"],
        ["dog", "dog", "runs", "ahmedinejad", "dog", "then", "color"],
    )
    assert [KINDS[kind] for kind in result.kinds] == ["identical", "stem", "stem", "", "", "", ""]
    assert result.spelling == pytest.approx([0, 0, 0, 1 - 1 / 11, 0, 0, 1 - 1 / 6])


def test_sources_can_be_left_out():
    result = related(Relations(None, None, spelling=False), ["dogs", "colour", "a"], ["dog", "color", "a"])
    assert [KINDS[kind] for kind in result.kinds] == ["", "", "identical"]
    assert not result.spelling.any()
    assert related(Relations(Stemmer(), open_wordnet()), [], []).kinds.tolist() == []
    assert Relations(None, None, spelling=False).signature == "relations:identical"


def test_meanings():
    wordnet = open_wordnet()
    source = ["went", "buy", "decide", "dog", "animal", "table"]
    target = ["gone", "purchase", "decision", "animal", "dog", "slept"]
    result = related(Relations(None, wordnet), source, target)
    assert [KINDS[kind] for kind in result.kinds][:3] == ["lemma", "synonym", "derivation"]
    assert result.kinds[5] == 0
    turned = related(Relations(None, wordnet), target, source)
    assert turned.kinds.tolist() == result.kinds.tolist()


# The first example waits for the compiler.
@settings(deadline=None)
@given(st.lists(st.tuples(WORD, WORD), min_size=1, max_size=8))
def test_spelling_is_levenshtein_from_one_half_on(pairs):
    result = related(Relations(None, None), *map(list, zip(*pairs, strict=True)))
    for (a, b), similarity in zip(pairs, result.spelling, strict=True):
        expected = Levenshtein.normalized_similarity(a, b)
        if min(len(a), len(b)) < 4 or 2 * Levenshtein.distance(a, b) > max(len(a), len(b)):
            expected = 0
        assert similarity == pytest.approx(expected)


def test_meanings_of_one_language_hold_in_either_order():
    words = Vocabulary()
    texts = (Text.of([side.split()], words) for side in ("purchase animal gone", "buy dog went purchase"))
    entries = cooccurrences(*texts, source_words=len(words), target_words=len(words), shared=True)
    names = words.words
    kinds = Relations(None, open_wordnet()).between(names, names, entries).kinds
    cells = zip(entries.sources, entries.targets, kinds, strict=True)
    marked = {frozenset((names[a], names[b])): KINDS[kind] for a, b, kind in cells if kind}
    assert marked == {
        frozenset(("purchase", "buy")): "synonym",
        frozenset(("animal", "dog")): "hypernym",
        frozenset(("gone", "went")): "lemma",
        frozenset(("gone", "dog")): "hypernym",
        frozenset(("purchase",)): "identical",
    }
