"""Agreement of two annotators' links, worked by hand and on the three annotators of RTE-2."""

from __future__ import annotations

from pathlib import Path

import pytest

from paragold.metrics.link_agreement import (
    WORD_CLASSES,
    Annotated,
    agreement_of_files,
    class_heat_map,
    directional_error,
    disputed,
    link_agreement,
    link_agreement_table,
    most_disputed,
    word_class,
)
from paragold.metrics.links import Links, TokenPair

TOKENS = TokenPair(("The", "dam", "broke", "."), ("A", "dam", "burst", "."))
FIRST = Links.of([(1, 1), (3, 3)], [(0, 0), (2, 2)])
SECOND = Links.of([(1, 1), (2, 2)], [(3, 3)])
PAIR = Annotated(TOKENS, FIRST, SECOND)


def test_both_directions_and_f1() -> None:
    found = link_agreement([PAIR])
    # First's four links against second's S (2) and P (3): 1 - (3 + 2) / (4 + 2).
    assert found.first_against_second == pytest.approx(1 / 6)
    # Second's three links against first's S (2) and P (4): 1 - (3 + 2) / (3 + 2).
    assert found.second_against_first == 0
    assert found.agreement == pytest.approx(11 / 12)
    assert found.f1_sure == pytest.approx(2 * 1 / 4)
    assert found.f1_all == pytest.approx(2 * 3 / 7)
    assert (found.shared, found.same, found.drawn, found.pairs) == (3, 1, 4, 1)


def test_identical_and_other_words_apart_add_up() -> None:
    table = link_agreement_table([PAIR])
    assert table["identical"].drawn == 2
    assert table["non_identical"].drawn == 2
    assert table["identical"].f1_all == 1
    assert table["non_identical"].f1_all == pytest.approx(2 / 3)


def test_nothing_drawn_is_undefined() -> None:
    found = link_agreement([Annotated(TOKENS, Links.of(), Links.of())])
    assert (found.agreement, found.f1_sure, found.f1_all) == (None, None, None)
    result = directional_error([Links.of()], [Links.of()], seed=1)
    assert (result.average, result.agreement) == (None, None)
    with pytest.raises(ValueError, match="1 link sets"):
        directional_error([Links.of()], [], seed=1)


def test_the_heat_map_counts_by_the_classes_of_the_words() -> None:
    classes = ("punctuation", "number", "short word", "capitalised", "other word")
    assert [word_class(token) for token in ("--", "3.5", "of", "Fazio", "council")] == [*classes]
    cells = {(cell.source, cell.target): cell for row in class_heat_map([PAIR]) for cell in row}
    assert len(cells) == len(WORD_CLASSES) ** 2
    assert (cells["punctuation", "punctuation"].drawn, cells["punctuation", "punctuation"].disputed) == (1, 1)
    assert cells["short word", "short word"].share == pytest.approx(1 / 2)
    assert cells["number", "number"].share is None


def test_the_most_disputed_words_come_first() -> None:
    once = Annotated(TOKENS, FIRST, FIRST)
    assert disputed(PAIR) == {(0, 0), (2, 2), (3, 3)}
    found = most_disputed([PAIR, once], limit=2)
    assert [(words.source, words.target, words.disputed, words.drawn) for words in found] == [
        (".", ".", 1, 2),
        ("broke", "burst", 1, 2),
    ]


def test_worked_example() -> None:
    first = [Links.of([(0, 0), (1, 1)], [(2, 2)])]
    second = [Links.of([(0, 0)], [(1, 1), (3, 3)])]
    result = directional_error(first, second, seed=1)
    # First's three links against S = {0-0}, P = {0-0, 1-1, 3-3}: 1 - (2 + 1) / (3 + 1).
    assert result.first_against_second.aer == pytest.approx(1 / 4)
    # Second's three links against S = {0-0, 1-1}, P = {0-0, 1-1, 2-2}: 1 - (2 + 2) / (3 + 2).
    assert result.second_against_first.aer == pytest.approx(1 / 5)
    assert result.average == pytest.approx((1 / 4 + 1 / 5) / 2)
    assert result.agreement == pytest.approx(1 - (1 / 4 + 1 / 5) / 2)


@pytest.mark.real_data
def test_the_three_annotators_of_rte2(alignment_data: Path) -> None:
    """The agreement known for these files: 99.16, 92.81 and 92.75 %."""
    found = agreement_of_files([alignment_data / f"RTE2_dev_{name}.align.json" for name in "ABC"])
    assert [round(100 * pair.table["all"].agreement or 0, 2) for pair in found] == [99.16, 92.81, 92.75]
    assert [round(100 * pair.table["non_identical"].agreement or 0, 2) for pair in found] == [
        95.47, 72.07, 72.34,
    ]  # fmt: skip
