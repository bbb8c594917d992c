"""Score word links against gold links: a file of links, or those of an aligner."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paragold.aligners.registry import aligner_of, untrained_ids
from paragold.cli.console import Console, Options
from paragold.cli.link_arguments import add_scoring, interval_text, rate_text
from paragold.formats.link_files import read_links, read_parallel_text
from paragold.formats.publishing import sha256_of
from paragold.formats.text_files import readable_again
from paragold.metrics.error_rate import (
    TEST,
    WORDS,
    Comparison,
    Score,
    compare,
    counts_by_words,
    percent,
    table_of,
)
from paragold.statistics import RESAMPLES

HELP = "Precision, recall and alignment error rate (AER) of word links against gold links, in percent."


def add_arguments(parser: ArgumentParser) -> None:
    add_scoring(parser)
    scored = parser.add_mutually_exclusive_group(required=True)
    scored.add_argument("--links", type=Path, help="file of links to score")
    scored.add_argument("--aligner", choices=untrained_ids(), help="aligner whose links to score")
    parser.add_argument(
        "--intervals", action="store_true", help="bootstrap intervals of precision and recall as well"
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="OTHER",
        help="another file of links on the same pairs: paired test of the AERs' difference",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(options: Options, console: Console) -> None:
    names = ("links", "aligner", "source", "target", "gold_format", "links_format", "against")
    result = score_files(
        options["gold"],
        **{name: options[name] for name in names},
        seed=options["seed"],
        resamples=options["resamples"],
    )
    if options["json"]:
        rows = as_json(result, with_intervals=options["intervals"])
        console.write(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        console.write(_as_text(result, with_intervals=options["intervals"]))


@dataclass(frozen=True, slots=True)
class FileScore:
    """The scores of one link file or aligner against one gold file by words, and how they came about.

    `against` is the paired test against the other file by words, empty where there is none.
    """

    table: Mapping[str, Score]
    against: Mapping[str, Comparison | None]
    signature: str


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
        reference = read_links(gold, gold_format, tokens=text, predictions=False)
        tokens, gold_links = [pair.tokens for pair in reference], [pair.links for pair in reference]
        if links is not None:
            scored = [pair.links.possible for pair in read_links(links, links_format, tokens=tokens)]
            origin = f"links:{_fingerprint(links)}"
        else:
            known = untrained_ids()
            if aligner not in known:
                raise ValueError(f"no aligner {aligner!r} without training; choose one of {', '.join(known)}")
            method = aligner_of({"aligner": aligner})
            drawn = method.align_all([(pair.source, pair.target) for pair in tokens])
            scored = [frozenset(of_pair) for of_pair in drawn]
            origin = f"aligner:{method.signature.replace('|', ',')}"
        counts = counts_by_words(scored, gold_links, tokens)
        table = table_of(counts, seed=seed, resamples=resamples)
        tests: dict[str, Comparison | None] = {}
        if against is not None:
            others = [pair.links.possible for pair in read_links(against, tokens=tokens)]
            origin += f"|against:{_fingerprint(against)}"
            tests = {
                words: compare(counts[words], other, seed=seed, resamples=resamples)
                for words, other in counts_by_words(others, gold_links, tokens).items()
            }
        return FileScore(table, tests, f"{table['all'].signature}|gold:{_fingerprint(gold)}|{origin}")


def _fingerprint(path: Path) -> str:
    return f"{path.name}@sha256:{sha256_of(path)[:12]}"


def as_json(result: FileScore, *, with_intervals: bool = False) -> dict[str, Any]:
    """The scores in percent, None where undefined, with the counts they are made of.

    `with_intervals` adds those of precision and recall. Where there is another file, `against` has the AER
    minus the other one's, its interval and p.
    """
    names = ["precision", "recall", "aer", "aer_interval"]
    names += ["precision_interval", "recall_interval"] * with_intervals
    counts = ("scored", "sure", "scored_possible", "scored_sure")
    rows: dict[str, Any] = {
        words: percent({name: getattr(row, name) for name in names})
        | {"counts": {name: getattr(row, name) for name in counts}}
        for words, row in result.table.items()
    }
    if result.against:
        tests = {words: test and percent(test.as_json()) for words, test in result.against.items()}
        rows["against"] = tests | {"test": TEST}
    return rows | {"pairs": result.table["all"].pairs, "signature": result.signature}


def _as_text(result: FileScore, *, with_intervals: bool) -> str:
    """A table for people, in percent, `-` where undefined, the signature below."""
    lines = [f"{'%':<20}{'precision':>10}{'recall':>8}{'AER':>8}   95% interval of AER"]
    lines += [
        f"{WORDS[words]:<20}{rate_text(row.precision):>10}{rate_text(row.recall):>8}{rate_text(row.aer):>8}"
        f"   {interval_text(row.aer_interval)}"
        for words, row in result.table.items()
    ]
    if with_intervals:
        lines.append(f"\n{'95% intervals':<20}{'precision':>20}{'recall':>20}")
        lines += [
            f"{WORDS[words]:<20}{interval_text(row.precision_interval):>20}"
            f"{interval_text(row.recall_interval):>20}"
            for words, row in result.table.items()
        ]
        lines.append("")
    if result.against:
        lines.append(f"\n{'minus the other':<20}{'AER':>8}{'95% interval':>20}{'p':>9}")
        lines += [
            f"{WORDS[words]:<20}{rate_text(test.difference if test else None):>8}"
            f"{interval_text(test.interval if test else None):>20}{f'{test.p:.4f}' if test else '-':>9}"
            for words, test in result.against.items()
        ]
        lines.append(f"p: {TEST}\n")
    return "\n".join([*lines, result.signature])
