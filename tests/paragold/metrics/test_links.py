import pytest

from paragold.metrics.links import Links, links_of_words


def test_possible_includes_sure():
    links = Links.of([(0, 0)], [(0, 0), (1, 2)])
    assert links.sure == {(0, 0)}
    assert links.possible == {(0, 0), (1, 2)}
    assert links.possible_only == {(1, 2)}


def test_sure_outside_possible_is_refused():
    with pytest.raises(ValueError, match=r"missing from possible: \[\(0, 0\)\]"):
        Links(frozenset({(0, 0)}), frozenset())


def test_negative_index_is_refused():
    with pytest.raises(ValueError, match="negative"):
        Links.of([(0, -1)])


def test_first_outside_names_the_first_link_that_does_not_fit():
    links = Links.of([(0, 0), (2, 1)], [(1, 3)])
    assert links.first_outside(3, 4) is None
    assert links.first_outside(3, 3) == (1, 3)
    assert links.first_outside(2, 3) == (1, 3)
    assert links.first_outside(2, 4) == (2, 1)


def test_restriction_keeps_strength():
    links = Links.of([(0, 0), (1, 1)], [(2, 2)])
    assert links.restricted_to({(0, 0), (2, 2), (5, 5)}) == Links.of([(0, 0)], [(2, 2)])


def test_identical_words_are_equal_when_lower_cased():
    links = {(0, 0), (1, 1), (1, 0)}
    assert links_of_words(links, ["The", "dog"], ["the", "hound"], identical=True) == {(0, 0)}
    assert links_of_words(links, ["The", "dog"], ["the", "hound"], identical=False) == {(1, 1), (1, 0)}
