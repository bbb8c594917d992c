"""Scores of files as JSON and as a table for people."""

from __future__ import annotations

import json
from typing import Any

from paragold.metrics.error_rate import Score
from paragold.metrics.files import FileScore
from paragold.metrics.resampling import WORDS, Comparison, Intervals, compare, intervals
from paragold.statistics import SHUFFLES, Interval

_PLACES = 4
_NAMES = {"all": "all words", "identical": "identical words", "non_identical": "non-identical words"}


def percent(rate: float | None) -> float | None:
    """A rate as a percentage, rounded to four places; None stays None."""
    return None if rate is None else round(100 * rate, _PLACES)


def _percents(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [percent(bound) for bound in interval]


def intervals_of(result: FileScore) -> dict[str, Intervals]:
    """Intervals of all three rates, by words."""
    return {
        words: intervals(result.counts[words], seed=result.seed, resamples=result.resamples)
        for words in WORDS
    }


def comparisons_of(result: FileScore) -> dict[str, Comparison | None]:
    """The paired test against the other file, by words; empty where there is none."""
    if result.against is None:
        return {}
    return {
        words: compare(
            result.counts[words], result.against[words], seed=result.seed, resamples=result.resamples
        )
        for words in WORDS
    }


def as_json(result: FileScore, *, with_intervals: bool = False) -> str:
    """The scores as JSON, in percent, null where undefined, with the counts they are made of.

    `with_intervals` adds those of precision and recall. Where there is another file, `against` has the AER
    minus the other one's, its interval and p.
    """

    def row(score: Score, found: Intervals | None) -> dict[str, Any]:
        counts = score.counts
        more = (
            {"precision_interval": _percents(found.precision), "recall_interval": _percents(found.recall)}
            if found
            else {}
        )
        return {
            "precision": percent(score.precision),
            "recall": percent(score.recall),
            "aer": percent(score.aer),
            "aer_interval": _percents(score.aer_interval),
            **more,
            "counts": {
                "scored": counts.scored,
                "sure": counts.sure,
                "scored_possible": counts.scored_possible,
                "scored_sure": counts.scored_sure,
            },
        }

    found = intervals_of(result) if with_intervals else {}
    rows: dict[str, Any] = {words: row(getattr(result.table, words), found.get(words)) for words in WORDS}
    if result.against is not None:
        rows["against"] = {
            words: comparison
            and {
                "aer_difference": percent(comparison.difference),
                "difference_interval": _percents(comparison.interval),
                "p": round(comparison.p, _PLACES),
            }
            for words, comparison in comparisons_of(result).items()
        }
        rows["against"]["test"] = f"approximate randomisation of pairs, {SHUFFLES} shuffles, two-sided"
    rows |= {"pairs": result.table.all.pairs, "signature": result.signature}
    return json.dumps(rows, ensure_ascii=False, indent=2)


def as_table(result: FileScore, *, with_intervals: bool = False) -> str:
    """The scores as a table for people, in percent, `-` where undefined, the signature below."""

    def cell(rate: float | None) -> str:
        return "-" if rate is None else f"{100 * rate:.2f}"

    def interval(bounds: Interval | None) -> str:
        return "-" if bounds is None else f"{100 * bounds[0]:.2f} to {100 * bounds[1]:.2f}"

    lines = [f"{'%':<20}{'precision':>10}{'recall':>8}{'AER':>8}   95% interval of AER"]
    for words, name in _NAMES.items():
        score: Score = getattr(result.table, words)
        lines.append(
            f"{name:<20}{cell(score.precision):>10}{cell(score.recall):>8}{cell(score.aer):>8}"
            f"   {interval(score.aer_interval)}"
        )
    if with_intervals:
        lines.append(f"\n{'95% intervals':<20}{'precision':>20}{'recall':>20}")
        for words, found in intervals_of(result).items():
            lines.append(f"{_NAMES[words]:<20}{interval(found.precision):>20}{interval(found.recall):>20}")
        lines.append("")
    if result.against is not None:
        lines.append(f"\n{'minus the other':<20}{'AER':>8}{'95% interval':>20}{'p':>9}")
        for words, comparison in comparisons_of(result).items():
            if comparison is None:
                lines.append(f"{_NAMES[words]:<20}{'-':>8}{'-':>20}{'-':>9}")
                continue
            lines.append(
                f"{_NAMES[words]:<20}{cell(comparison.difference):>8}{interval(comparison.interval):>20}"
                f"{comparison.p:>9.4f}"
            )
        lines.append(f"p: approximate randomisation of pairs, {SHUFFLES} shuffles, two-sided\n")
    return "\n".join([*lines, result.signature])
