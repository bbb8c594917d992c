"""BLEU, METEOR-like scores and TF-IDF: by hand, and against NLTK."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from paragold.classification.classes import ALL_CLASSES, EXTRA_CLASSES
from paragold.classification.coded_pairs import code_pairs
from paragold.classification.features import FeatureSpace, measure
from paragold.classification.prepared import Lexicons, prepare
from paragold.classification.translation_features import bleu
from tests.paragold.classification.examples import labelled_pairs, small_lexicons
from tests.paragold.classification.test_features import TEXTS


def test_meteor_and_tfidf_by_hand(tmp_path: Path) -> None:
    prepared = prepare(TEXTS, small_lexicons(tmp_path))
    dense = measure(prepared, ALL_CLASSES, np.ones(len(prepared.pairs.vocabulary))).dense
    # the, in, of are equal, vendors|suppliers associated: 4 of 8 words on either side, in 3 runs.
    first = 0.5 * (1 - 0.5 * (3 / 4) ** 3)
    # All 3 words in one run.
    same = 1 - 0.5 * (1 / 3) ** 3
    assert dense["translation:meteor_lesser"][[0, 2, 3]] == pytest.approx([first, same, 0])
    assert dense["translation:meteor_greater"][[0, 2, 3]] == pytest.approx([first, same, 0])
    assert dense["tfidf:cosine"] == pytest.approx([3 / 8, 3 / np.sqrt(5 * 6), 1, 0])


def test_tfidf_weighs_by_rarity() -> None:
    prepared = prepare([("dam bursts", "dam holds")], Lexicons({}))
    idf = np.array([{"dam": 1.0, "bursts": 2.0, "holds": 3.0}[word] for word in prepared.pairs.vocabulary])
    cosine = measure(prepared, ["tfidf"], idf).dense["tfidf:cosine"]
    assert cosine == pytest.approx([1 / np.sqrt((1 + 4) * (1 + 9))])


def test_bleu_equals_nltk() -> None:
    pairs = labelled_pairs(40)
    first, second = bleu(code_pairs((pair.first, pair.second) for pair in pairs))
    smooth = SmoothingFunction().method2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns of sentences without any shared word
        for row, pair in enumerate(pairs):
            a, b = pair.first.split(), pair.second.split()
            assert first[row] == pytest.approx(sentence_bleu([b], a, smoothing_function=smooth))
            assert second[row] == pytest.approx(sentence_bleu([a], b, smoothing_function=smooth))


def test_pairs_without_a_shared_word_and_without_words_score_nothing() -> None:
    first, second = bleu(code_pairs([("a b", "c d"), ("!", "?"), ("a", "a"), ("", "a")]))
    assert first.tolist() == [0, 0, 1, 0]
    assert second.tolist() == [0, 0, 1, 0]


def test_extra_classes_are_columns_only_when_asked_for() -> None:
    prepared = prepare(((pair.first, pair.second) for pair in labelled_pairs(12)), Lexicons({}))
    space = FeatureSpace.fit(prepared, ["string", *EXTRA_CLASSES])
    assert space.classes == ("string", "translation", "tfidf")
    assert "translation:bleu_lesser" in space.names
    assert space.transform(prepared).shape == (12, len(space.names))
