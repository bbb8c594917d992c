"""Answers a day: a pause keeps its place, the latest two months are shown."""

from __future__ import annotations

from datetime import date, timedelta

from annotation.views.progress import days_shown

MONDAY = date(2026, 3, 2)


def test_days_without_answers_keep_their_place() -> None:
    assert days_shown([(MONDAY, 10), (MONDAY + timedelta(days=3), 5)]) == [
        ("2026-03-02", 10), ("2026-03-03", 0), ("2026-03-04", 0), ("2026-03-05", 5),
    ]  # fmt: skip
    assert days_shown([]) == []


def test_the_latest_sixty_days_are_shown() -> None:
    shown = days_shown([(MONDAY + timedelta(days=number), 1) for number in range(100)])
    assert len(shown) == 60
    assert shown[-1][0] == (MONDAY + timedelta(days=99)).isoformat()
