from __future__ import annotations

import pytest

from jobs.templatetags.jobs import duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0.2, "0 s"),
        (89, "89 s"),
        (90, "2 min"),
        (2 * 3600 + 21 * 60, "2 h 20 min"),
        (30 * 3600 + 600, "30 h"),
        (2000 * 3600, "2,000 h"),
    ],
)
def test_durations(seconds: float | None, words: str) -> None:
    assert duration(seconds) == words
