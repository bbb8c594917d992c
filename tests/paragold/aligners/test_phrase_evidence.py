import numpy as np
import pytest

from paragold.aligners.evidence import PHRASE_NAMES, phrase_evidence


def evidence(average):
    average = np.array(average, dtype=float)
    values, candidates = phrase_evidence(average, np.full(average.shape, -2.0))
    return dict(zip(PHRASE_NAMES, values, strict=True)), candidates


def test_a_free_word_beside_a_link_is_a_candidate():
    values, candidates = evidence([[0.9, 0.05], [0, 0.05]])
    beside = values["phrase, free word beside a link"]
    assert beside[0, 1] == pytest.approx(0.9 * 0.95)
    assert beside[1, 0] == pytest.approx(0.9 * 0.95)
    assert values["phrase, free word beside a link, association"][0, 1] == pytest.approx(-2 * 0.9 * 0.95)
    assert values["phrase, gap between links"].tolist() == [[0, 0], [0, 1]]
    assert candidates.tolist() == [[False, True], [True, True]]
    assert values["phrase, more of both words free"][0, 1] == pytest.approx(0.95)
    assert values["phrase, less of both words free"][0, 1] == pytest.approx(0.1)


def test_a_word_that_is_linked_is_no_part_of_its_neighbours_phrase():
    values, candidates = evidence(np.eye(3))
    assert not values["phrase, free word beside a link"].any()
    assert not candidates.any()


def test_gaps_have_links_at_both_corners_and_five_words_at_most():
    average = np.zeros((6, 5))
    average[0, 0] = average[3, 2] = 0.9
    gaps = evidence(average)[0]["phrase, gap between links"]
    assert gaps[1:3, 1].tolist() == [0.5, 0.5]
    assert gaps[4:, 3:].tolist() == [[0.5, 0.5]] * 2
    assert np.count_nonzero(gaps) == 6
    assert not evidence(np.zeros((6, 2)))[0]["phrase, gap between links"].any()
    crossed = np.zeros((4, 4))
    crossed[0, 2] = crossed[3, 0] = 0.9
    assert not evidence(crossed)[0]["phrase, gap between links"].any()


def test_the_same_when_the_sides_change_places():
    average = np.random.default_rng(1).random((7, 9)) ** 4
    there, back = evidence(average), evidence(average.T)
    for name in PHRASE_NAMES:
        assert np.array_equal(there[0][name], back[0][name].T)
    assert np.array_equal(there[1], back[1].T)
