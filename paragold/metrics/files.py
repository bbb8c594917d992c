"""Scoring files: gold links against links from a file or an aligner; the scores as JSON or a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragold.aligners.registry import Recipe, untrained_ids
from paragold.formats.link_files import read_links, read_parallel_text
from paragold.formats.manifest import sha256_of
from paragold.formats.whole_files import readable_again
from paragold.metrics.comparison_report import (
    TEST,
    comparison_as_json,
    interval_as_json,
    interval_text,
    rate_text,
    rates_as_json,
)
from paragold.metrics.error_rate import (
    WORDS,
    Comparison,
    CountArray,
    Intervals,
    Score,
    ScoreTable,
    compare,
    counts_by_words,
    intervals,
    score_table,
)
from paragold.statistics import RESAMPLES


@dataclass(frozen=True, slots=True)
class FileScore:
    """The scores of one link file or aligner against one gold file, and how they came about."""

    table: ScoreTable
    signature: str
    counts: Mapping[str, CountArray]
    """Of each pair, by words; see `error_rate.CountArray`."""
    against: Mapping[str, CountArray] | None
    """Those of the other system, where there is one."""
    seed: int
    resamples: int


def score_files(
    gold: Path,
    *,
    links: Path | None = None,
    aligner: str | None = None,
    source: Path | None = None,
    target: Path | None = None,
    gold_format: str | None = None,
    links_format: str | None = None,
    against: Path | None = None,
    seed: int,
    resamples: int = RESAMPLES,
) -> FileScore:
    """Score a link file, or the links that an aligner draws, against a gold file.

    `source` and `target` hold the sentences, one a line, tokens separated by spaces; formats that carry
    their own text go without. All links of the scored file count, whatever their strength. `against` is a
    second file of links, in the format of its extension, for the paired test. These files may be pipes, and
    `-` is standard input.
    Raises ValueError unless exactly one of `links` and `aligner` is given and `source` and `target` are
    given together, and for an unknown aligner; FileProblem (a ValueError) for files that do not fit.
    """
    if (links is None) == (aligner is None):
        raise ValueError("Give either a file of links or the name of an aligner.")
    if (source is None) != (target is None):
        raise ValueError("Give source and target together.")
    with ExitStack() as opened:
        # The signature hashes what was read, also of a pipe, which can be read only once.
        gold = opened.enter_context(readable_again(gold))
        links = links and opened.enter_context(readable_again(links))
        against = against and opened.enter_context(readable_again(against))
        text = read_parallel_text(source, target) if source is not None and target is not None else None
        reference = read_links(gold, gold_format, tokens=text)
        tokens, gold_links = [pair.tokens for pair in reference], [pair.links for pair in reference]
        if links is not None:
            scored = [pair.links.possible for pair in read_links(links, links_format, tokens=tokens)]
            origin = f"links:{_fingerprint(links)}"
        else:
            known = untrained_ids()
            if aligner not in known:
                raise ValueError(f"no aligner {aligner!r} without training; choose one of {', '.join(known)}")
            method = Recipe.of({"aligner": aligner}).train(())
            scored = [
                frozenset(links) for links in method.align_all([(one.source, one.target) for one in tokens])
            ]
            origin = f"aligner:{method.signature.replace('|', ',')}"
        table = score_table(scored, gold_links, tokens, seed=seed, resamples=resamples)
        other = None
        if against is not None:
            drawn = [pair.links.possible for pair in read_links(against, tokens=tokens)]
            other = counts_by_words(drawn, gold_links, tokens)
            origin += f"|against:{_fingerprint(against)}"
        return FileScore(
            table,
            f"{table.all.signature}|gold:{_fingerprint(gold)}|{origin}",
            counts_by_words(scored, gold_links, tokens),
            other,
            seed,
            resamples,
        )


def _fingerprint(path: Path) -> str:
    return f"{path.name}@sha256:{sha256_of(path)[:12]}"


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

    def row(score: Score, bounds: Intervals | None) -> dict[str, Any]:
        counts = score.counts
        return {
            **rates_as_json(score),
            **(
                {
                    "precision_interval": interval_as_json(bounds.precision),
                    "recall_interval": interval_as_json(bounds.recall),
                }
                if bounds
                else {}
            ),
            "counts": {
                "scored": counts.scored,
                "sure": counts.sure,
                "scored_possible": counts.scored_possible,
                "scored_sure": counts.scored_sure,
            },
        }

    intervals = intervals_of(result) if with_intervals else {}
    rows: dict[str, Any] = {words: row(getattr(result.table, words), intervals.get(words)) for words in WORDS}
    if result.against is not None:
        rows["against"] = {
            words: test and comparison_as_json(test) for words, test in comparisons_of(result).items()
        } | {"test": TEST}
    rows |= {"pairs": result.table.all.pairs, "signature": result.signature}
    return json.dumps(rows, ensure_ascii=False, indent=2)


def as_table(result: FileScore, *, with_intervals: bool = False) -> str:
    """The scores as a table for people, in percent, `-` where undefined, the signature below."""
    lines = [f"{'%':<20}{'precision':>10}{'recall':>8}{'AER':>8}   95% interval of AER"]
    for words, name in WORDS.items():
        score: Score = getattr(result.table, words)
        lines.append(
            f"{name:<20}{rate_text(score.precision):>10}{rate_text(score.recall):>8}{rate_text(score.aer):>8}"
            f"   {interval_text(score.aer_interval)}"
        )
    if with_intervals:
        lines.append(f"\n{'95% intervals':<20}{'precision':>20}{'recall':>20}")
        for words, bounds in intervals_of(result).items():
            lines.append(
                f"{WORDS[words]:<20}{interval_text(bounds.precision):>20}{interval_text(bounds.recall):>20}"
            )
        lines.append("")
    if result.against is not None:
        lines.append(f"\n{'minus the other':<20}{'AER':>8}{'95% interval':>20}{'p':>9}")
        for words, comparison in comparisons_of(result).items():
            if comparison is None:
                lines.append(f"{WORDS[words]:<20}{'-':>8}{'-':>20}{'-':>9}")
                continue
            lines.append(
                f"{WORDS[words]:<20}{rate_text(comparison.difference):>8}{interval_text(comparison.interval):>20}"
                f"{comparison.p:>9.4f}"
            )
        lines.append(f"p: {TEST}\n")
    return "\n".join([*lines, result.signature])
