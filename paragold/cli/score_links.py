"""Score word links against gold links."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragold.aligners.registry import untrained_ids
from paragold.cli.console import Console
from paragold.formats.links.registry import LINK_FORMATS
from paragold.metrics.files import as_json, as_table, score_files
from paragold.statistics import RESAMPLES

HELP = "Precision, recall and alignment error rate (AER) of word links against gold links, in percent."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--gold", type=Path, required=True, help="file of gold links")
    parser.add_argument("--gold-format", choices=LINK_FORMATS.ids(), help="default: recognised from content")
    parser.add_argument(
        "--source", type=Path, help="source sentences, one per line, tokens separated by spaces"
    )
    parser.add_argument("--target", type=Path, help="target sentences, likewise")
    scored = parser.add_mutually_exclusive_group(required=True)
    scored.add_argument("--links", type=Path, help="file of links to score")
    scored.add_argument(
        "--aligner", choices=untrained_ids(over_http=True), help="aligner whose links to score"
    )
    parser.add_argument("--links-format", choices=LINK_FORMATS.ids(), help="default: recognised from content")
    parser.add_argument("--seed", type=int, default=1, help="seed of the bootstrap interval (default 1)")
    parser.add_argument(
        "--resamples",
        type=int,
        default=RESAMPLES,
        help=f"resamples of the bootstrap interval (default {RESAMPLES}; 0 for none)",
    )
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


def run(options: Mapping[str, Any], console: Console) -> None:
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
