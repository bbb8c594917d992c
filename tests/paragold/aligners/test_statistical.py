import pytest
from hypothesis import given, strategies as st

from paragold.aligners.statistical import HMM, IBM1
from paragold.aligners.symmetrisation import SYMMETRISATIONS

LINKS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=10)

# The intersection is (0, 0) and (3, 3).
FORWARD = [(0, 0), (0, 1), (3, 3), (5, 6), (7, 3)]
BACKWARD = [(0, 0), (1, 1), (3, 3), (3, 4), (7, 7)]


@pytest.mark.parametrize(
    ("name", "links"),
    [
        ("intersection", [(0, 0), (3, 3)]),
        ("union", [(0, 0), (0, 1), (1, 1), (3, 3), (3, 4), (5, 6), (7, 3), (7, 7)]),
        # (0, 1) touches (0, 0) and target 1 is free; (1, 1) touches it diagonally and source 1 is free.
        ("grow-diag", [(0, 0), (0, 1), (1, 1), (3, 3), (3, 4)]),
        # (7, 3) has the free source 7; then (7, 7) still has the free target 7.
        ("grow-diag-final", [(0, 0), (0, 1), (1, 1), (3, 3), (3, 4), (5, 6), (7, 3), (7, 7)]),
        # (7, 3) may not: target 3 has a link; (5, 6) and (7, 7) have both words free.
        ("grow-diag-final-and", [(0, 0), (0, 1), (1, 1), (3, 3), (3, 4), (5, 6), (7, 7)]),
        # (1, 1) would give (0, 1) neighbours of both kinds; (7, 3) touches nothing.
        ("refined", [(0, 0), (0, 1), (3, 3), (3, 4), (5, 6), (7, 7)]),
    ],
)
def test_worked_example(name, links):
    assert SYMMETRISATIONS[name](FORWARD, BACKWARD) == links


@pytest.mark.parametrize(
    ("name", "forward", "backward", "links"),
    [
        # Two free words without neighbours, a corner, and no free word.
        ("refined", [(0, 0), (2, 5)], [(0, 0)], [(0, 0), (2, 5)]),
        ("refined", [(0, 0), (0, 1), (1, 0)], [(0, 0)], [(0, 0), (0, 1)]),
        ("grow-diag", [(0, 0), (1, 1), (0, 1)], [(0, 0), (1, 1)], [(0, 0), (1, 1)]),
    ],
)
def test_small_examples(name, forward, backward, links):
    assert SYMMETRISATIONS[name](forward, backward) == links


@pytest.mark.parametrize("name", SYMMETRISATIONS)
@given(forward=LINKS, backward=LINKS)
def test_lies_between_intersection_and_union(name, forward, backward):
    links = SYMMETRISATIONS[name](forward, backward)
    assert links == sorted(set(links))
    assert forward & backward <= set(links) <= forward | backward


PAIRS = [
    (source.split(), target.split())
    for source, target in [
        ("das haus", "the house"),
        ("das buch", "the book"),
        ("ein buch", "a book"),
        ("das alte buch ist hier", "the old book is here"),
    ]
]


@pytest.mark.parametrize("kind", [IBM1, HMM])
@pytest.mark.parametrize("linking", ["posterior", *SYMMETRISATIONS])
def test_words_of_two_languages_are_linked(kind, linking):
    aligner = kind(one_language=False, linking=linking).fit(PAIRS)
    assert aligner.align(["das", "buch"], ["the", "book"]) == [(0, 0), (1, 1)]
    assert linking in aligner.signature
