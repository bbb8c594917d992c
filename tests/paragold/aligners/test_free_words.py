import numpy as np

from paragold.aligners.free_words import FreeWordRules
from paragold.aligners.relations import IDENTICAL, STEM, SYNONYM
from paragold.aligners.translation_model import Posteriors


def posteriors(average, kinds=None, spelling=None):
    average = np.array(average, dtype=float)
    return Posteriors(
        average,
        average,
        np.zeros(average.shape, dtype=np.uint8) if kinds is None else np.array(kinds, dtype=np.uint8),
        np.zeros(average.shape, dtype=np.float32)
        if spelling is None
        else np.array(spelling, dtype=np.float32),
        average,
    )


RULES = FreeWordRules(threshold=0.6, unequal=0.75, minimum=0.3, spelling=0.75)
TWO = ["a", "b"], ["c", "d"]


def test_links_above_the_threshold_are_drawn():
    assert RULES.links(*TWO, posteriors([[0.7, 0.65], [0.6, 0.1]])) == [(0, 0), (0, 1)]


def test_free_words_of_one_stem_or_spelled_alike_are_linked():
    average = [[0.7, 0.0], [0.0, 0.4]]
    assert RULES.links(*TWO, posteriors(average)) == [(0, 0)]
    assert RULES.links(*TWO, posteriors(average, kinds=[[0, 0], [0, STEM]])) == [(0, 0), (1, 1)]
    assert RULES.links(*TWO, posteriors(average, spelling=[[0, 0], [0, 0.8]])) == [(0, 0), (1, 1)]


def test_words_that_are_linked_stay_as_they_are():
    found = posteriors([[0.7, 0.4], [0.0, 0.0]], kinds=[[0, STEM], [0, 0]])
    assert RULES.links(*TWO, found) == [(0, 0)]


def test_the_likelier_of_two_partners_is_taken():
    found = posteriors([[0.35, 0.4], [0.0, 0.0]], kinds=[[STEM, STEM], [0, 0]])
    assert RULES.links(*TWO, found) == [(0, 1)]


def test_sentences_of_unequal_length_are_linked_by_form():
    source, target = ["x", "y", "z"], ["z", "y"]
    kinds = [[0, 0], [0, IDENTICAL], [IDENTICAL, 0]]
    found = posteriors([[0.9, 0.0], [0.0, 0.5], [0.2, 0.0]], kinds)
    # 0-0 is no more than likely; 2-0 is below the least posterior.
    assert RULES.links(source, target, found) == [(1, 1)]


def test_a_sentence_without_words_has_no_links():
    assert RULES.links([], ["a"], posteriors(np.zeros((0, 1)))) == []


def test_related_words_in_unequal_sentences_need_a_high_posterior():
    source, target = ["car"], ["automobile", "in", "the", "street"]
    kinds = [[SYNONYM, 0, 0, 0]]
    assert RULES.links(source, target, posteriors([[0.92, 0, 0, 0]], kinds)) == [(0, 0)]
    assert RULES.links(source, target, posteriors([[0.88, 0, 0, 0]], kinds)) == []
    never = FreeWordRules(meaning=1.1)
    assert never.links(source, target, posteriors([[0.92, 0, 0, 0]], kinds)) == []


def test_signature_names_all_parameters():
    assert RULES.signature == "threshold=0.6,unequal=0.75,minimum=0.3,spelling=0.75,meaning=0.9"
