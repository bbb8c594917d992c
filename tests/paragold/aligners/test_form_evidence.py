import numpy as np
import pytest

from paragold.aligners.form_evidence import FORM_NAMES, form_evidence


def of(source, target, *, english=True):
    """The values of every cell, I x J x names."""
    rows, columns = (index.ravel() for index in np.indices((len(source), len(target))))
    result = form_evidence([(source, target)], rows, columns, english=english)
    assert result.shape == (len(rows), len(FORM_NAMES))
    return result.reshape(len(source), len(target), -1)


def test_parts_and_beginnings_of_words():
    result = of(["news", "well-known", "sent"], ["newspaper", "known", "sentence"])
    assert result[0, 0].tolist() == [0.5, pytest.approx(4 / 9), 0, 0]
    assert result[1, 1].tolist() == [1, 0, 0, 0]
    assert result[2, 2, 0] == 0.5
    assert not result[0, 1:].any()
    assert not of(["Two", "news"], ["two", "News"]).any()


def test_one_number_written_in_two_ways():
    result = of(["Two", "$1,000", "5th", "%"], ["2", "1000", "fifth", "two", "million"])
    assert result[:, :, 2].tolist() == [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0] * 5]
    assert of(["two"], ["2"], english=False)[0, 0, 2] == 0


@pytest.mark.parametrize("name", ["UN", "U.N."])
def test_initials_of_a_name_from_either_side(name):
    words = ["the", "United", "Nations"]
    assert of([name], words)[0, :, 3].tolist() == [0, 1, 1]
    assert of(words, [name])[:, 0, 3].tolist() == [0, 1, 1]
    assert not of(["un"], words).any()


def test_initials_stay_in_their_sentence_pair():
    pairs = [(["U.N."], ["the", "United"]), (["UN"], ["Nations", "United", "Nations"])]
    rows, columns = np.repeat([0, 1], 5), np.tile(np.arange(5), 2)
    initials = form_evidence(pairs, rows, columns, english=True)[
        :, FORM_NAMES.index("spelling, initials of a name")
    ]
    assert initials.reshape(2, 5).tolist() == [[0] * 5, [0, 0, 0, 1, 1]]
