"""Bars of answers a day: a pause keeps its place, the latest two months are shown."""

from __future__ import annotations

from datetime import date, timedelta

from annotation.views.progress import days_plot

MONDAY = date(2026, 3, 2)


def test_days_without_answers_keep_their_place() -> None:
    plot = days_plot([(MONDAY, 10), (MONDAY + timedelta(days=3), 5)])
    assert plot is not None
    assert [(bar.day, bar.answers) for bar in plot.bars] == [
        ("2026-03-02", 10), ("2026-03-03", 0), ("2026-03-04", 0), ("2026-03-05", 5),
    ]  # fmt: skip
    first, *_, last = plot.bars
    assert first.height == 2 * last.height == plot.base - first.y
    assert [tick.value for tick in plot.ticks] == [0, 2, 4, 6, 8, 10]


def test_the_latest_sixty_days_are_shown() -> None:
    plot = days_plot([(MONDAY + timedelta(days=number), 1) for number in range(100)])
    assert plot is not None
    assert len(plot.bars) == 60
    assert plot.bars[-1].day == (MONDAY + timedelta(days=99)).isoformat()
    assert plot.bars[-1].x + plot.bars[-1].width <= plot.right
    assert sum(bar.labelled for bar in plot.bars) <= 8


def test_without_answers_there_is_nothing_to_draw() -> None:
    assert days_plot([]) is None
