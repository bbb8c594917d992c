import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragold.aligners import cooccurrences as module
from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences, find_entries

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
