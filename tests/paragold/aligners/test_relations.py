"""Words that occur together, and how they are related."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from rapidfuzz.distance import Levenshtein

from paragold.aligners import cooccurrences as module
from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences, find_entries
from paragold.aligners.relations import KINDS, Relations
from paragold.text.stemming import Stemmer
from paragold.text.wordnet import open_wordnet

WORD = st.text("abcé中😀", min_size=1, max_size=8)


def related(relations, source, target):
    """What the relations say of each source word and the target word in the same place."""
    sources, targets = Vocabulary(source), Vocabulary(target)
    texts = Text.of(([word] for word in source), sources), Text.of(([word] for word in target), targets)
    entries = cooccurrences(*texts, source_words=len(sources), target_words=len(targets))
    cells = entries.cells.read(0, len(source))
    return [values[cells] for values in relations.between(sources.words, targets.words, entries)]


def test_stems_and_spelling():
    kinds, spelling = related(
        Relations(Stemmer(), None),
        ["dog", "dogs", "running", "ahmadinejad", "cat", "the", "colour"],
        ["dog", "dog", "runs", "ahmedinejad", "dog", "then", "color"],
    )
    assert [KINDS[kind] for kind in kinds] == ["identical", "stem", "stem", "", "", "", ""]
    assert spelling == pytest.approx([0, 0, 0, 1 - 1 / 11, 0, 0, 1 - 1 / 6])


def test_empty_words_and_lone_surrogates_are_words_too():
    _, spelling = related(
        Relations(None, None), ["", "\ud800abcd", "colour", ""], ["", "\ud800abce", "color", "a"]
    )
    assert spelling == pytest.approx([0, 0.8, 1 - 1 / 6, 0])


def test_sources_can_be_left_out():
    words = ["dogs", "colour", "a"], ["dog", "color", "a"]
    kinds, spelling = related(Relations(None, None, spelling=False), *words)
    assert [KINDS[kind] for kind in kinds] == ["", "", "identical"]
    assert not spelling.any()
    assert related(Relations(Stemmer(), open_wordnet()), [], [])[0].tolist() == []
    assert Relations(None, None, spelling=False).signature == "relations:identical"


def test_meanings():
    wordnet = open_wordnet()
    source = ["went", "buy", "decide", "dog", "animal", "table"]
    target = ["gone", "purchase", "decision", "animal", "dog", "slept"]
    kinds, _ = related(Relations(None, wordnet), source, target)
    assert [KINDS[kind] for kind in kinds][:3] == ["lemma", "synonym", "derivation"]
    assert kinds[5] == 0
    turned, _ = related(Relations(None, wordnet), target, source)
    assert turned.tolist() == kinds.tolist()


# The first example waits for the compiler.
@settings(deadline=None)
@given(st.lists(st.tuples(WORD, WORD), min_size=1, max_size=8))
def test_spelling_is_levenshtein_from_one_half_on(pairs):
    _, spelling = related(Relations(None, None), *map(list, zip(*pairs, strict=True)))
    for (a, b), similarity in zip(pairs, spelling, strict=True):
        expected = Levenshtein.normalized_similarity(a, b)
        if min(len(a), len(b)) < 4 or 2 * Levenshtein.distance(a, b) > max(len(a), len(b)):
            expected = 0
        assert similarity == pytest.approx(expected)


def test_meanings_of_one_language_hold_in_either_order():
    words = Vocabulary()
    texts = [Text.of([side.split()], words) for side in ("purchase animal gone", "buy dog went purchase")]
    entries = cooccurrences(*texts, source_words=len(words), target_words=len(words), shared=True)
    names = words.words
    kinds, _ = Relations(None, open_wordnet()).between(names, names, entries)
    cells = zip(entries.sources, entries.targets, kinds, strict=True)
    marked = {frozenset((names[a], names[b])): KINDS[kind] for a, b, kind in cells if kind}
    assert marked == {
        frozenset(("purchase", "buy")): "synonym",
        frozenset(("animal", "dog")): "hypernym",
        frozenset(("gone", "went")): "lemma",
        frozenset(("gone", "dog")): "hypernym",
        frozenset(("purchase",)): "identical",
    }


SENTENCE = st.lists(st.sampled_from("abcD"), max_size=5)


def corpus(pairs, shared):
    words = Vocabulary()
    source = Text.of((pair[0] for pair in pairs), words)
    target = Text.of((pair[1] for pair in pairs), words)
    size = len(words)
    return words.words, cooccurrences(source, target, source_words=size, target_words=size, shared=shared)


# The first example waits for the compiler.
@settings(deadline=None)
@given(st.lists(st.tuples(SENTENCE, SENTENCE), max_size=6), st.booleans())
def test_every_cell_leads_to_its_words(pairs, shared):
    names, entries = corpus(pairs, shared)
    cells = iter(entries.cells.read(0, len(entries.cells)).tolist())
    seen = set()
    for left, right in pairs:
        for a in left:
            for b in right:
                cell = next(cells)
                turned = cell < 0
                entry = -cell - 1 if turned else cell
                seen.add(entry)
                words = names[entries.sources[entry]], names[entries.targets[entry]]
                assert (words[::-1] if turned else words) == (a.lower(), b.lower())
                assert shared or not turned
    assert next(cells, None) is None
    assert seen == set(range(len(entries)))
    keys = list(zip(entries.sources.tolist(), entries.targets.tolist(), strict=True))
    assert keys == sorted(set(keys))
    assert not shared or all(a <= b for a, b in keys)
    assert entries.first[-1] == sum(len(left) * len(right) for left, right in pairs)


def test_entries_are_found_by_their_words():
    _, entries = corpus([(["a", "b"], ["b", "c"])], shared=True)
    words = np.array([0, 1, 2, 2, 0, -1]), np.array([1, 0, 1, 0, 0, 2])

    def found(entries):
        return find_entries(*words, entries.rows, entries.targets, entries.shared).tolist()

    assert found(entries) == [0, 0, 3, 1, -1, -1]
    _, entries = corpus([(["a", "b"], ["b", "c"])], shared=False)
    assert found(entries) == [0, -1, -1, -1, -1, -1]


@pytest.mark.parametrize("shared", [True, False])
def test_many_cells_go_to_a_file_and_are_found_in_stretches(monkeypatch, shared):
    pairs = [(["a", "b", "c"], ["b", "c", "d"]), (["d", "b"], ["a", "e", "c", "b"])] * 3
    _, kept = corpus(pairs, shared=shared)
    monkeypatch.setattr(module, "FOUND_AT_ONCE", 20)
    monkeypatch.setattr(module, "IN_MEMORY", 10)
    monkeypatch.setattr(module, "CELLS_AT_ONCE", 20)
    _, spooled = corpus(pairs, shared=shared)
    assert len(list(spooled.blocks())) > 1
    assert np.array_equal(spooled.cells.read(7, 31), kept.cells.read(7, 31))
    assert np.array_equal(spooled.cells.read(0, len(kept.cells)), kept.cells.read(0, len(kept.cells)))


def test_too_many_word_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MAX_ENTRIES", 3)
    with pytest.raises(ValueError, match="too many different word pairs"):
        corpus([(["a", "b"], ["c", "d"])], shared=False)
