import sys

import pytest

from paragold.formats.links.registry import read_links
from paragold.metrics.link_agreement import directional_error
from paragold.metrics.links import Links


def test_worked_example():
    first = [Links.of([(0, 0), (1, 1)], [(2, 2)])]
    second = [Links.of([(0, 0)], [(1, 1), (3, 3)])]
    result = directional_error(first, second, seed=1)
    # First's three links against S = {0-0}, P = {0-0, 1-1, 3-3}: 1 - (2 + 1) / (3 + 1).
    assert result.first_against_second.aer == pytest.approx(1 / 4)
    # Second's three links against S = {0-0, 1-1}, P = {0-0, 1-1, 2-2}: 1 - (2 + 2) / (3 + 2).
    assert result.second_against_first.aer == pytest.approx(1 / 5)
    assert result.average == pytest.approx((1 / 4 + 1 / 5) / 2)
    assert result.agreement == pytest.approx(1 - (1 / 4 + 1 / 5) / 2)


def test_equal_annotations_agree_fully():
    links = [Links.of([(0, 0)], [(1, 0)]), Links.of([(2, 1)])]
    result = directional_error(links, links, seed=1)
    assert (result.average, result.agreement) == (0, 1)


def test_no_links_at_all_leave_agreement_undefined():
    result = directional_error([Links.of()], [Links.of()], seed=1)
    assert (result.average, result.agreement) == (None, None)


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="1 link sets"):
        directional_error([Links.of()], [], seed=1)


@pytest.mark.real_data
def test_three_annotators_of_rte2_agree_as_published_data_shows(alignment_data):
    annotators = [
        [pair.links for pair in read_links(alignment_data / f"RTE2_dev_{letter}.align.json")]
        for letter in "ABC"
    ]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        result = directional_error(annotators[first], annotators[second], seed=1)
        sys.stdout.write(f"{'ABC'[first]}-{'ABC'[second]}: {100 * result.agreement:.2f} %\n")
        assert 0.9 < result.agreement < 1
