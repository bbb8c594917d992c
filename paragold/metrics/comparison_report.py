"""The comparison of two aligners and their errors by kind, as JSON and as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paragold.metrics.error_kinds import KindCounts
from paragold.metrics.error_rate import WORDS, Comparison, Score, percent
from paragold.metrics.link_comparison import OUTCOMES, ComparedPair, LinkComparison
from paragold.statistics import SHUFFLES, Interval

TEST = f"approximate randomisation of pairs, {SHUFFLES} shuffles, two-sided"
Rate = Callable[[float | None], float | None]


def interval_as_json(interval: Interval | None, rate: Rate = percent) -> list[float | None] | None:
    return None if interval is None else [rate(bound) for bound in interval]


def rates_as_json(score: Score, rate: Rate = percent) -> dict[str, Any]:
    """Precision, recall and AER with its interval; rates are written by `rate`, by default in percent."""
    return {
        "precision": rate(score.precision),
        "recall": rate(score.recall),
        "aer": rate(score.aer),
        "aer_interval": interval_as_json(score.aer_interval, rate),
    }


def comparison_as_json(test: Comparison, rate: Rate = percent) -> dict[str, Any]:
    """The AER minus the other one's, its interval and p."""
    return {
        "aer_difference": rate(test.difference),
        "difference_interval": interval_as_json(test.interval, rate),
        "p": round(test.p, 4),
    }


def rate_text(rate: float | None) -> str:
    """A rate for people, in percent; `-` where it is undefined."""
    return "-" if rate is None else f"{100 * rate:.2f}"


def interval_text(bounds: Interval | None) -> str:
    return "-" if bounds is None else f"{100 * bounds[0]:.2f} to {100 * bounds[1]:.2f}"


def kinds_as_json(kinds: Sequence[KindCounts], rate: Rate = percent) -> list[dict[str, Any]]:
    """Errors by kind; shares are written by `rate`, by default in percent."""
    return [
        {
            "kind": one.kind,
            "label": one.label,
            "missing": one.missing,
            "missing_share": rate(one.missing_share),
            "missing_interval": interval_as_json(one.missing_interval, rate),
            "false": one.false,
            "false_share": rate(one.false_share),
            "false_interval": interval_as_json(one.false_interval, rate),
        }
        for one in kinds
    ]


def summary_as_json(comparison: LinkComparison, rate: Rate = percent) -> dict[str, Any]:
    """Everything but the pairs, as the API and the command give it; rates are written by `rate`."""
    both = {"a": comparison.scores_a, "b": comparison.scores_b}
    return {
        "pairs": len(comparison.pairs),
        "scores": {
            side: {words: rates_as_json(getattr(table, words), rate) for words in WORDS}
            for side, table in both.items()
        },
        "tests": {words: test and comparison_as_json(test, rate) for words, test in comparison.tests.items()},
        "test": TEST,
        "links": [
            {"strength": row.strength, "identical": row.identical, **row.counts} for row in comparison.rows
        ],
        "possible": {
            "both": comparison.possible["AB"],
            "only_a": comparison.possible["A"],
            "only_b": comparison.possible["B"],
            "none": comparison.possible[""],
        },
        "errors": {
            "a": kinds_as_json(comparison.kinds_a, rate),
            "b": kinds_as_json(comparison.kinds_b, rate),
        },
        "signature": comparison.signature,
    }


def pair_as_json(pair: ComparedPair) -> dict[str, Any]:
    """A pair with the links on which at least one aligner is wrong; indices are from 0."""
    return {
        "number": pair.number,
        "key": pair.gold.key,
        "difference": pair.difference,
        "links": [
            {
                "link": list(one.link),
                "strength": one.strength,
                "a": one.a,
                "b": one.b,
                "outcome": one.outcome,
                "kind_a": one.kind_a,
                "kind_b": one.kind_b,
            }
            for one in pair.links
            if one.outcome != "both_right"
        ],
    }


def kinds_as_table(kinds: Sequence[KindCounts], name: str) -> str:
    """Errors by kind for people, shares in percent."""

    def cell(number: int, share: float | None) -> str:
        return f"{number:>9,}{'-' if share is None else f'{100 * share:.1f}':>8}"

    lines = [f"{name:<32}{'missing':>9}{'%':>8}{'false':>9}{'%':>8}"]
    lines += [
        f"{one.label:<32}{cell(one.missing, one.missing_share)}{cell(one.false, one.false_share)}"
        for one in kinds
    ]
    return "\n".join(lines)


def as_table(comparison: LinkComparison) -> str:
    """The comparison for people, rates in percent."""
    lines = [f"{'AER, %':<20}{'A':>8}{'95% interval':>18}{'B':>8}{'95% interval':>18}{'A - B':>8}{'p':>9}"]
    for words, name in WORDS.items():
        a, b = getattr(comparison.scores_a, words), getattr(comparison.scores_b, words)
        test = comparison.tests[words]
        lines.append(
            f"{name:<20}{rate_text(a.aer):>8}{interval_text(a.aer_interval):>18}"
            f"{rate_text(b.aer):>8}{interval_text(b.aer_interval):>18}"
            + (f"{rate_text(test.difference):>8}{test.p:>9.4f}" if test else f"{'-':>8}{'-':>9}")
        )
    lines += [f"p: {TEST}", "", f"{'links':<42}" + "".join(f"{name:>15}" for name in OUTCOMES.values())]
    lines += [
        f"{row.label:<42}" + "".join(f"{row.counts[outcome]:>15,}" for outcome in OUTCOMES)
        for row in comparison.rows
    ]
    drawn = comparison.possible
    lines += [
        f"{'all':<42}" + "".join(f"{total:>15,}" for total in comparison.totals.values()),
        f"POSSIBLE links are right either way: {drawn['AB']:,} drawn by both, {drawn['A']:,} by A only, "
        f"{drawn['B']:,} by B only, {drawn['']:,} by neither.",
        "",
        kinds_as_table(comparison.kinds_a, "errors of A"),
        "",
        kinds_as_table(comparison.kinds_b, "errors of B"),
        "",
        comparison.signature,
    ]
    return "\n".join(lines)
