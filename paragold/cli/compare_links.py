"""Compare two files of word links against gold links, link by link."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paragold.cli.console import Console, Options, add_output
from paragold.cli.link_arguments import add_scoring, interval_text, rate_text, text_of
from paragold.formats.link_files import read_links
from paragold.formats.text_files import write_text
from paragold.metrics.error_rate import TEST, WORDS, percent
from paragold.metrics.link_comparison import (
    KINDS,
    OUTCOMES,
    as_csv,
    by_difference,
    compare_links,
    row_label,
)
from paragold.problems import FileProblem

HELP = (
    "Compare two files of word links (A and B) against gold links: AER with intervals and a paired test, "
    "who is right where, and the errors of both by kind."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("a", type=Path, metavar="A", help="links of the first aligner")
    parser.add_argument("b", type=Path, metavar="B", help="links of the second aligner, of the same pairs")
    add_scoring(parser)
    parser.add_argument(
        "--language", default="en", help="of the sentences, for their function words (default en)"
    )
    parser.add_argument("--outcome", choices=list(OUTCOMES), default="", help="of links in --csv, --pairs")
    parser.add_argument("--kind", choices=list(KINDS), default="", help="kind of error, likewise")
    add_output(
        parser, "--csv", metavar="FILE", help="write every link of those pairs, largest difference first"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--pairs", action="store_true", help="in JSON, the pairs with a wrong link as well")


def run(options: Options, console: Console) -> None:
    gold = read_links(options["gold"], options["gold_format"], tokens=text_of(options), predictions=False)
    if not gold:
        raise FileProblem("It has no pairs.", "Give a file with gold links.", file=str(options["gold"]))
    tokens = [pair.tokens for pair in gold]
    drawn = [
        [pair.links.possible for pair in read_links(options[side], options["links_format"], tokens=tokens)]
        for side in ("a", "b")
    ]
    compared, summary = compare_links(
        gold, *drawn, language=options["language"], seed=options["seed"], resamples=options["resamples"]
    )
    pairs = by_difference(compared, outcome=options["outcome"], kind=options["kind"])
    if options["csv"] is not None:
        write_text(options["csv"], as_csv(pairs))
    if options["json"]:
        listed = {"listed": [pair.as_json() for pair in pairs]} if options["pairs"] else {}
        console.write(json.dumps(percent(summary) | listed, ensure_ascii=False, indent=2))
    else:
        console.write(_as_text(summary))


def _as_text(summary: Mapping[str, Any]) -> str:
    """Tables for people, rates in percent."""
    lines = [f"{'AER, %':<20}{'A':>8}{'95% interval':>18}{'B':>8}{'95% interval':>18}{'A - B':>8}{'p':>9}"]
    for words, name in WORDS.items():
        test = summary["tests"][words] or {}
        line = f"{name:<20}"
        for table in summary["scores"].values():
            line += f"{rate_text(table[words]['aer']):>8}{interval_text(table[words]['aer_interval']):>18}"
        p = f"{test['p']:.4f}" if test else "-"
        lines.append(f"{line}{rate_text(test.get('aer_difference')):>8}{p:>9}")
    lines += [f"p: {TEST}", "", f"{'links':<42}" + "".join(f"{name:>15}" for name in OUTCOMES.values())]
    rows = [(row_label(row), row) for row in summary["links"]]
    for label, counts in [*rows, ("all", summary["totals"])]:
        lines.append(f"{label:<42}" + "".join(f"{counts[outcome]:>15,}" for outcome in OUTCOMES))
    drawn = summary["possible"]
    lines += [
        f"POSSIBLE links are right either way: {drawn['both']:,} drawn by both, "
        f"{drawn['only_a']:,} by A only, {drawn['only_b']:,} by B only, {drawn['none']:,} by neither.",
        "",
        *_kinds(summary["errors"]["a"], "errors of A"),
        "",
        *_kinds(summary["errors"]["b"], "errors of B"),
        "",
        summary["signature"],
    ]
    return "\n".join(lines)


def _kinds(rows: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    """Errors by kind, shares in percent."""
    lines = [f"{name:<32}{'missing':>9}{'%':>8}{'false':>9}{'%':>8}"]
    for row in rows:
        line = f"{row['label']:<32}"
        for way in ("missing", "false"):
            share = row[f"{way}_share"]
            line += f"{row[way]:>9,}{'-' if share is None else f'{100 * share:.1f}':>8}"
        lines.append(line)
    return lines
