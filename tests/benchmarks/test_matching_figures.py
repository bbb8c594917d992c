"""A method of matching against an answer key: curves, scatter, time against n."""

from __future__ import annotations

from itertools import count

import pytest

from benchmarks import matching_figures
from benchmarks.matching_figures import StudyTexts
from paragold.matching.files import AnswerKey, answer_key

TEXTS = [
    *("harbour lay quiet under moon", "two boats came in at dawn", "nobody spoke"),
    *("under moon harbour lay quiet", "at dawn two boats came in laden", "why"),
]


@pytest.fixture
def texts() -> StudyTexts:
    return StudyTexts([text.split() for text in TEXTS], 3)


@pytest.fixture
def key() -> AnswerKey:
    return answer_key([[0, 3], [1, 4, 5]], 3)


def test_the_curve_is_that_of_its_definitions(texts: StudyTexts, key: AnswerKey) -> None:
    result = matching_figures.quality(texts, key, matching_figures.EXACT, seed=1)
    rows = {row[0]: row[1:] for row in result["curve"]}
    assert len(rows) == 91
    assert rows[0.5] == [2, 2, 1.0, pytest.approx(2 / 3, abs=1e-6), pytest.approx(0.8), 1.0, 1.0]
    assert rows[1.0][:3] == [1, 1, 1.0]
    assert result["best"]["threshold"] == 0.85
    assert result["best_by_rows"]["row_f"] == 1.0
    assert result["paper_one_partner"]["threshold"] == 0.33


def test_estimates_are_spread_as_theory_says() -> None:
    words = [[f"w{n}" for n in range(start, start + 20)] for start in range(40)]
    result = matching_figures.scatter(StudyTexts(words, 0), 256, seed=3)
    assert all(jaccard >= matching_figures.LOWEST_THRESHOLD for jaccard, _ in result["points"])
    assert abs(result["bias"]) < 0.01
    assert result["deviation"] == pytest.approx(result["expected"], rel=0.35)
    assert result == matching_figures.scatter(StudyTexts(words, 0), 256, seed=3)
    nothing = matching_figures.scatter(StudyTexts([["a"], ["b"]], 1), 16, seed=1)
    assert (nothing["points"], nothing["bias"]) == ([], None)


@pytest.mark.parametrize("method", [matching_figures.EXACT, "16"])
def test_times_are_the_least_of_three(texts: StudyTexts, method: str) -> None:
    ticks = count()
    rows = matching_figures.times(
        StudyTexts(texts.words * 4, 12), method, seed=1, clock=lambda: float(next(ticks))
    )
    assert rows == [[n, 1.0] for n in (4, 6, 12, 18, 24)]


def test_tables_hold_every_figure(texts: StudyTexts, key: AnswerKey) -> None:
    figures = {
        "quality": {"16": matching_figures.quality(texts, key, "16", seed=1)},
        "scatter": {"16": matching_figures.scatter(texts, 16, seed=1)},
        "times": {"16": [[6, 0.5]]},
    }
    tables = matching_figures.tables(figures)
    assert [len(tables[name]) for name in ("curves", "scatter", "times")] == [183, 3, 2]
    assert {len(row) for row in tables["curves"]} == {10}
    assert tables["times"][1] == ("16", 6, 0.5)
