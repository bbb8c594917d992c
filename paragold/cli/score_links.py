"""Score word links against gold links."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.aligners.registry import untrained_ids
from paragold.cli.console import Console, Options
from paragold.cli.link_arguments import add_scoring
from paragold.metrics.files import as_json, as_table, score_files

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
    result = score_files(
        options["gold"],
        links=options["links"],
        aligner=options["aligner"],
        source=options["source"],
        target=options["target"],
        gold_format=options["gold_format"],
        links_format=options["links_format"],
        against=options["against"],
        seed=options["seed"],
        resamples=options["resamples"],
    )
    report = as_json if options["json"] else as_table
    console.write(report(result, with_intervals=options["intervals"]))
