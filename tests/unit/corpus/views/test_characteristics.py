from __future__ import annotations

from corpus.views.characteristics import PARTS_AT_MOST, upset


def test_bars_stand_over_the_dots_of_their_sets():
    plot = upset(
        [("L12", 30), ("F2", 25), ("F3", 5)],
        [(frozenset({0}), 20), (frozenset({0, 2}), 10), (frozenset({1}), 5)],
    )
    assert [part.count for part in plot.parts] == [20, 10, 5] and plot.left_out == 0
    assert plot.parts[0].height == 2 * plot.parts[1].height == 4 * plot.parts[2].height
    assert all(part.y + part.height == plot.base for part in plot.parts)
    assert [inside for _, inside in plot.parts[1].dots] == [True, False, True]
    assert plot.parts[1].names == "L12 and F3"
    assert (plot.parts[1].low, plot.parts[1].high) == (plot.rows[0].y, plot.rows[2].y)


def test_what_does_not_fit_is_counted():
    sets = [(f"a set with a long name, number {n}", 9) for n in range(5)]
    parts = [(frozenset({n % 5, n // 5 % 5}), 99 - n) for n in range(25)]
    plot = upset(sets, parts)
    assert len(plot.parts) == PARTS_AT_MOST and plot.left_out == 25 - PARTS_AT_MOST
    assert plot.rows[0].shown == "a set with a long nam…" and plot.rows[0].name == sets[0][0]
    assert max(part.x for part in plot.parts) < plot.width and plot.rows[-1].y < plot.height
    assert upset(sets, []) is None
