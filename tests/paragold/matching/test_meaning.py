"""The method `meaning` of matching: every pair by its cosine, within a file and between two."""

from itertools import combinations, product

import numpy as np
import pytest

import paragold as pg
from paragold.matching.expected_pairs import expected_pairs
from paragold.matching.similar_pairs import matched, pairs_by_meaning, sets_of_files, word_sets
from paragold.matching.specs import MatchingSpec
from paragold.spec import SpecError
from paragold.text.encoder import LAST, Encoder
from tests.paragold.text.tiny_encoder import PIECES, write_encoder

NEAR = 0.995
"""The words of the tiny encoder are all near each other."""
WORDS = [piece for piece in PIECES[3:] if piece.isalpha()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture
def spec(folder):
    return MatchingSpec(method="meaning", threshold=NEAR, encoder=str(folder))


def texts(seed, count=600):
    """Different ones, more than are compared at once."""
    rng = np.random.default_rng(seed)
    drawn = (" ".join(rng.choice(WORDS, rng.integers(2, 8)).tolist()) for _ in range(2 * count))
    return list(dict.fromkeys(drawn))[:count]


@pytest.mark.parametrize("split", [0, 350])
def test_every_pair_is_found_by_its_cosine(spec, folder, split):
    made = texts(1)
    sets, first = sets_of_files(*([made[:split], made[split:]] if split else [made]), spec=spec)
    assert first == split
    vectors = Encoder(folder, LAST).of_sentences([text.split() for text in made])
    places = range(len(made))
    both = product(places[:split], places[split:]) if split else combinations(places, 2)
    cosines = {(a, b): float(vectors[a] @ vectors[b]) for a, b in both}
    expected = {pair for pair, cosine in cosines.items() if round(cosine, 4) >= NEAR}
    pairs = matched(sets, spec, split=split)
    assert {(a, b) for a, b, _ in pairs.tolist()} == expected and 100 < len(expected) < len(cosines) / 2
    assert np.all(np.diff(pairs["score"]) <= 0)
    # Half a digit of the score, and the last bits of a product in another order.
    assert [cosines[a, b] for a, b, _ in pairs.tolist()] == pytest.approx(pairs["score"].tolist(), abs=6e-5)
    greedy = matched(sets, spec.replace(greedy=True), split=split)
    assert len(np.unique(greedy[["first", "second"]].tolist())) == 2 * len(greedy) > 0


def test_the_expected_number_is_that_of_the_pairs_where_all_are_compared(spec):
    made = texts(2, 200)
    numbers = np.arange(len(made))
    expected = expected_pairs(made, numbers, np.zeros_like(numbers), spec)
    sets, _ = sets_of_files(made, spec=spec)
    assert expected["complete"] and expected["pairs"] == len(matched(sets, spec)) > 0


def test_the_estimator_says_jaccard_too_and_signs_the_weights(spec, folder, tmp_path):
    matcher = pg.Matcher(method="meaning", threshold=0.5, encoder=str(folder))
    pairs = matcher.predict(["the dam broke", "the dam"])
    assert pairs["jaccard"].tolist() == [0.5] and 0.5 <= pairs["score"][0] < 1
    moved = write_encoder(tmp_path / "elsewhere")
    other = write_encoder(tmp_path / "other", seed=2)
    assert spec.signature() == spec.replace(encoder=str(moved)).signature()
    assert spec.signature() != spec.replace(encoder=str(other)).signature()
    assert "encoder" not in MatchingSpec(encoder=str(folder)).signature()


def test_without_vectors_or_an_encoder_it_is_refused(monkeypatch):
    monkeypatch.delenv("PARAGOLD_ENCODER", raising=False)
    with pytest.raises(ValueError, match="without vectors"):
        pairs_by_meaning(word_sets([["a"], ["a"]]), 0.5)
    with pytest.raises(ValueError, match="PARAGOLD_ENCODER"):
        sets_of_files(["a", "b"], spec=MatchingSpec(method="meaning"))
    with pytest.raises(SpecError):
        MatchingSpec(method="meanings")
