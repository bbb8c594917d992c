"""Compare two files of word links against gold links, link by link."""

import json
from argparse import ArgumentParser
from pathlib import Path

from paragold.cli.console import Console, Options, add_output
from paragold.cli.link_arguments import add_scoring, text_of
from paragold.formats.link_files import read_links
from paragold.formats.text_files import write_text
from paragold.metrics.comparison_report import as_table, pair_as_json, summary_as_json
from paragold.metrics.error_kinds import KINDS
from paragold.metrics.link_comparison import OUTCOMES, as_csv, by_difference, compare_links
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
    gold = read_links(options["gold"], options["gold_format"], tokens=text_of(options))
    if not gold:
        raise FileProblem("It has no pairs.", "Give a file with gold links.", file=str(options["gold"]))
    tokens = [pair.tokens for pair in gold]
    drawn = [
        [pair.links.possible for pair in read_links(options[side], options["links_format"], tokens=tokens)]
        for side in ("a", "b")
    ]
    comparison = compare_links(
        gold, *drawn, language=options["language"], seed=options["seed"], resamples=options["resamples"]
    )
    pairs = by_difference(comparison.pairs, outcome=options["outcome"], kind=options["kind"])
    if options["csv"] is not None:
        write_text(options["csv"], as_csv(pairs))
    if options["json"]:
        listed = {"listed": [pair_as_json(pair) for pair in pairs]} if options["pairs"] else {}
        console.write(json.dumps(summary_as_json(comparison) | listed, ensure_ascii=False, indent=2))
    else:
        console.write(as_table(comparison))
