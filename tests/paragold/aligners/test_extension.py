"""Aligners that are extended by new text, given the counts of the old one alone."""

import numpy as np
import pytest

from paragold.aligners.extension import Counts, extended, train_by_shards
from paragold.aligners.registry import Recipe
from paragold.problems import FileProblem

ENGLISH = ["house", "book", "dog", "cat", "tree", "car", "man", "child"]
GERMAN = ["haus", "buch", "hund", "katze", "baum", "auto", "mann", "kind"]


def pairs(words, count, seed):
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(words, size=3, replace=False) for _ in range(count)]
    return [([GERMAN[n] for n in row], [ENGLISH[n] for n in row]) for row in chosen]


OLD, NEW = pairs(range(6), 80, 1), pairs(range(2, 8), 80, 2)
RECIPE = Recipe.of({"aligner": "hmm", "one_language": False, "identical": False})


def probability(aligner, german, english):
    model = aligner.model
    rows = slice(*model.rows[model.source_vocabulary.numbers[german] :][:2])
    targets = model.targets[rows].tolist()
    return model.forward[rows][targets.index(model.target_vocabulary.numbers[english])]


def test_new_words_are_learned_and_old_ones_kept():
    before, counts = train_by_shards(OLD, RECIPE)
    after, both = extended(counts, NEW)
    assert "mann" not in before.model.source_vocabulary.numbers
    for german, english in zip(GERMAN, ENGLISH, strict=True):
        assert probability(after, german, english) > 0.9, german
    assert after.align(["kind", "haus"], ["child", "house"]) == [(0, 0), (1, 1)]
    # Every running word was counted once in each direction, in the old text and in the new one.
    words = 3 * (len(OLD) + len(NEW))
    assert [int(side.sum()) for side in both.words.frequencies] == [words, words]
    unit = 2.0**-26, 2.0**-32
    assert both.sums.forward.sum() * unit[0] + both.sums.null_forward.sum() * unit[1] == pytest.approx(words)


def test_the_counts_of_the_old_text_stay_as_they_are():
    _, counts = train_by_shards(OLD, RECIPE)
    _, both = extended(counts, [(["neu"], ["new"])])
    places = counts.words.places_in(both.words)
    assert (both.sums.forward[places.entries] == counts.sums.forward).all()
    assert (both.sums.null_backward[places.sources] == counts.sums.null_backward).all()
    assert len(both.words.entries) == len(counts.words.entries) + 1


@pytest.mark.parametrize("settings", [{"aligner": "ibm1"}, {"aligner": "best", "wordnet": False}])
def test_stored_counts_extend_as_those_in_memory(tmp_path, settings):
    recipe = Recipe.of(settings)
    trained, counts = train_by_shards(OLD, recipe, shards=3)
    assert trained.signature == recipe.train(OLD).signature
    counts.save(tmp_path / "counts.npz")
    opened = Counts.load(tmp_path / "counts.npz")
    assert opened.recipe == recipe
    assert extended(opened, NEW)[0].signature == extended(counts, NEW)[0].signature
    assert extended(opened, [])[0].signature == extended(counts, [([], ["x"])])[0].signature


def test_what_has_no_counts_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no expected counts; choose best, hmm or ibm1"):
        train_by_shards(OLD, Recipe.of({"aligner": "identity"}))
    (tmp_path / "other.npz").write_bytes(b"x")
    with pytest.raises(FileProblem, match="not a model"):
        Counts.load(tmp_path / "other.npz")
    _, counts = train_by_shards(OLD, RECIPE)
    counts.sums.forward.resize(3, refcheck=False)
    counts.save(tmp_path / "short.npz")
    with pytest.raises(FileProblem, match="incomplete"):
        Counts.load(tmp_path / "short.npz")
