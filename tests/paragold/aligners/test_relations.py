import pytest
from hypothesis import given, settings, strategies as st
from rapidfuzz.distance import Levenshtein

from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences
from paragold.aligners.relations import KINDS, Relations
from paragold.text.stemming import Stemmer

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
