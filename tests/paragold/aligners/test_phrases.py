from itertools import product

from hypothesis import given, strategies as st

from paragold.aligners.phrases import PhraseSpec, as_columns, consistent_boxes, phrase_table
from paragold.metrics.links import LinkedPair, Links

LENGTHS = st.tuples(st.integers(0, 6), st.integers(0, 6))


def every_box(links, lengths, *, longest, unaligned):
    """The definition: at least one link inside, none with one end inside only."""
    found = set()
    for start, end in product(range(lengths[0]), repeat=2):
        for low, high in product(range(lengths[1]), repeat=2):
            if not (start <= end < start + longest and low <= high < low + longest):
                continue
            ends = [(start <= i <= end, low <= j <= high) for i, j in links]
            edges_linked = all(any(i == edge for i, _ in links) for edge in (start, end)) and all(
                any(j == edge for _, j in links) for edge in (low, high)
            )
            if any(map(all, ends)) and all(a == b for a, b in ends) and (unaligned or edges_linked):
                found.add((start, end, low, high))
    return found


@given(lengths=LENGTHS, longest=st.integers(1, 7), unaligned=st.booleans(), data=st.data())
def test_the_boxes_are_those_of_the_definition(lengths, longest, unaligned, data):
    cells = [*product(range(lengths[0]), range(lengths[1]))]
    links = data.draw(st.sets(st.sampled_from(cells), max_size=8)) if cells else set()
    boxes = list(consistent_boxes(links, lengths, longest=longest, unaligned=unaligned))
    assert len(boxes) == len(set(boxes))
    assert set(boxes) == every_box(links, lengths, longest=longest, unaligned=unaligned)


def linked(source, target, links, possible=""):
    sure, more = ([(int(link[0]), int(link[2])) for link in text.split()] for text in (links, possible))
    return LinkedPair("1", tuple(source.split()), tuple(target.split()), Links.of(sure, more))


PAIRS = [
    linked("it Burned down", "it was destroyed", "0-0 1-2 2-2"),
    linked("it burned down", "it was destroyed .", "0-0 1-2 2-2"),
    linked("it was destroyed", "it burned", "0-0 2-1"),
]


def rows(table):
    return [(count, first, second) for count, first, second, *_ in table[0]]


def test_phrase_tables_by_hand():
    table = phrase_table(PAIRS, PhraseSpec())
    assert table[1] == 3
    # Reading ends at the bound.
    bounded = [phrase_table(PAIRS, PhraseSpec(), max_phrases=most)[1] for most in (3, 4)]
    assert bounded == [1, 2] and phrase_table([], PhraseSpec()) == ([], 0)
    assert rows(table) == [
        (2, "burned down", "destroyed"),
        (2, "it burned down", "it was destroyed"),
        (1, "destroyed", "burned"),
        (1, "it was destroyed", "it burned"),
    ]
    assert table[0][0] == (2, "burned down", "destroyed", 1.0, 1.0)
    assert as_columns(table[0][0]) == ["2", "burned down", "destroyed", "1.000000", "1.000000"]
    both = phrase_table([*PAIRS, linked("it", "he", "0-0")], PhraseSpec(identical=True, either_order=True))
    shares = {(first, second): shares for _, first, second, *shares in both[0]}
    assert shares["it", "it"][0] == 3 / 4
    assert shares["he", "it"][1] == 1 / 4
    assert shares["burned down", "destroyed"][1] == 2 / 3
    pair = linked("a b .", "x y !", "0-0", "2-2")
    assert rows(phrase_table([pair], PhraseSpec(longest=1))) == [(1, "a", "x")]
    assert (1, ".", "!") in rows(phrase_table([pair], PhraseSpec(symbols=True)))
    assert rows(phrase_table([pair], PhraseSpec(sure_only=True))) == [(1, "a", "x")]
    wider = phrase_table([pair], PhraseSpec(sure_only=True, unaligned=True, longest=2))
    assert rows(wider) == [(1, "a", "x"), (1, "a", "x y"), (1, "a b", "x"), (1, "a b", "x y")]
