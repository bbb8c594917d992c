import warnings
from collections import Counter

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

from paragold.classification.classes import CLASSES
from paragold.classification.feature_classes import bleu, plain_string_features
from paragold.classification.features import FeatureSpace, inverse_document_frequencies, measure, prepare
from paragold.classification.lexicons import Lexicons
from paragold.classification.words import code_pairs
from tests.paragold.classification.examples import labelled_pairs, small_lexicons

TEXTS = [
    ("The vendors rose in Oslo, 7 of them.", "Suppliers fell in Bergen: 9 of the others"),
    ("one orbit of an operation", "the procedure of one orbital operation"),
    ("same words here", "same words here"),
    ("!", "a b"),
]


@pytest.fixture
def prepared(tmp_path):
    return prepare(TEXTS, small_lexicons(tmp_path))


def columns(prepared):
    idf = np.ones(len(prepared.pairs.vocabulary))
    return {name: values.tolist() for name, values in measure(prepared, CLASSES, idf)[0].items()}


BY_HAND = {
    "string:length_longer": [8, 6, 3, 2],
    "string:length_shorter": [8, 5, 3, 0],
    "string:length_difference": [0, 1, 0, 2],
    "string:shared_words": [3, 3, 3, 0],
    "string:edit_distance": [7, 4, 0, 2],
    # an of one operation orbit -> of one operation orbital procedure the
    "string:lexical_distance": [None, 4, None, None],
    "string:shared_words/longer": [3 / 8, 3 / 6, 1, 0],
    "composite:identical_matches": [3, 3, 3, 0],
    "composite:morphology_matches": [0, 1, 0, 0],
    "composite:association_matches": [1, 0, 0, 0],
    # "operation" answers itself, so that "procedure" is left without a partner.
    "composite:wordnet_matches": [0, 0, 0, 0],
    "composite:external_matches/edit_distance": [1 / 7, 1 / 4, 0, 0],
    "composite:unmatched_greater": [4, 2, 0, 2],
    "composite:unmatched_lesser": [4, 1, 0, 0],
    "correlations:association_pairs": [1, 0, 0, 0],
    "correlations:association_pairs/edit_distance": [1 / 7, 0, 0, 0],
    "correlations:external_pairs/length_longer": [1 / 8, 1 / 6, 0, 0],
    "correlations:morphology_and_shared": [0, 1, 0, 0],
    "correlations:morphology/shared": [0, 1 / 4, 0, 0],
    "weighted:opposite_words": [1, 0, 0, 0],
    "weighted:opposite_direction": [1, 0, 0, 0],
    "weighted:names_unmatched_lesser": [1, 0, 0, 0],
    "weighted:numbers_unmatched_lesser": [1, 0, 0, 0],
    "weighted:matched_weight_lesser": [4 / 8, 4 / 6, 1, 0],
    "weighted:matched_weight_greater": [4 / 8, 4 / 5, 1, 0],
    "weighted:longest_unmatched_run_greater": [2, 2, 0, 2],
    "overlap:1-grams_greater": [3 / 8, 3 / 5, 1, 0],
    "overlap:2-grams_greater": [0, 0, 1, 0],
    "overlap:3-grams_lesser": [0, 0, 1, 0],
    "overlap:common_subsequence_greater": [2 / 8, 2 / 5, 1, 0],
    "overlap:characters": [None, None, 1, None],
}


def test_features_and_weights_of_words_by_hand(prepared):
    result = columns(prepared)
    for name, values in BY_HAND.items():
        known = [own for own, value in zip(result[name], values, strict=True) if value is not None]
        assert known == [value for value in values if value is not None], name
    idf, unseen = inverse_document_frequencies(prepared.pairs)
    weight = dict(zip(prepared.pairs.vocabulary, idf.tolist(), strict=True))
    assert weight["of"] == pytest.approx(np.log(9 / 4.5))
    assert weight["oslo"] == pytest.approx(np.log(9 / 1.5))
    assert unseen == pytest.approx(np.log(9 / 0.5))


def test_string_features_overlaps_and_bleu_equal_other_versions():
    pairs = labelled_pairs(40)
    result = columns(prepare(((pair.first, pair.second) for pair in pairs), Lexicons({})))
    for row, pair in enumerate(pairs):
        first, second = pair.first.split(), pair.second.split()
        for name, value in plain_string_features(first, second).items():
            assert result[f"string:{name}"][row] == pytest.approx(value), name
        for n in range(1, 5):
            grams = [
                Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
                for words in (first, second)
            ]
            shared, most = (grams[0] & grams[1]).total(), max(one.total() for one in grams)
            assert result[f"overlap:{n}-grams_lesser"][row] == pytest.approx(shared / most)
    pairs = labelled_pairs(40)
    first, second = bleu(code_pairs((pair.first, pair.second) for pair in pairs))
    smooth = SmoothingFunction().method2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns of sentences without any shared word
        for row, pair in enumerate(pairs):
            a, b = pair.first.split(), pair.second.split()
            assert first[row] == pytest.approx(sentence_bleu([b], a, smoothing_function=smooth))
            assert second[row] == pytest.approx(sentence_bleu([a], b, smoothing_function=smooth))


def test_the_order_of_the_sides_makes_no_difference(tmp_path, prepared):
    (tmp_path / "other").mkdir()
    turned = prepare([(second, first) for first, second in TEXTS], small_lexicons(tmp_path / "other"))
    one, other = columns(prepared), columns(turned)
    assert one.keys() == other.keys()
    for name in one:
        assert one[name] == pytest.approx(other[name]), name


def test_columns_of_frequent_word_pairs_only(tmp_path):
    texts = [("vendors met", "suppliers met")] * 5 + [("orbit it", "orbital it")] * 4 + [("a b", "c d e")]
    prepared = prepare(texts, small_lexicons(tmp_path))
    space = FeatureSpace.fit(prepared, CLASSES, min_frequency=5)
    assert space.word_pairs == (("association", "suppliers", "vendors"),)
    assert space.names[-1] == "association:suppliers|vendors"
    assert space.transform(prepared)[:, -1].toarray().ravel().tolist() == [1] * 5 + [0] * 5
    assert len(FeatureSpace.fit(prepared, CLASSES, min_frequency=4).word_pairs) == 2
    # A class that is off leaves no trace.
    assert FeatureSpace.fit(prepared, ["morphology"], min_frequency=1).names == ("morphology:orbit|orbital",)
