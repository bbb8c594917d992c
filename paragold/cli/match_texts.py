"""Match the texts of one file, or of two, by the words they share: from file to file."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.matching.files import best, match_files, write_curve
from paragold.matching.specs import MatchingSpec

if TYPE_CHECKING:
    from pandas import DataFrame, Series

HELP = (
    "Find pairs of texts with the same words, by MinHash or exactly. "
    "Files are TSV: id, text, or with a header."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="TSV", help="one file, or two to compare")
    arguments.add_arguments(parser, MatchingSpec)
    parser.add_argument(
        "--key", type=Path, metavar="TSV", help="answer key: ids TAB ids, separated by commas"
    )
    add_output(parser, "--curve", metavar="TSV", help="with --key: figures by threshold")
    add_output(parser, "--output", required=True, metavar="TSV")


def run(options: Options, console: Console) -> None:
    if len(options["files"]) > 2:
        raise CommandProblem("Give one file, or two.")
    if options["curve"] and not options["key"]:
        raise CommandProblem("--curve needs an answer key: --key TSV.")
    started = time.monotonic()
    spec = spec_from(MatchingSpec, options)
    files, pairs, scores = match_files(options["files"], spec, options["output"], options["key"])
    if scores is not None and options["curve"]:
        write_curve(options["curve"], scores)
    texts = " and ".join(f"{len(file):,}" for file in files)
    console.write(f"{texts} texts, {pairs:,} pairs, {time.monotonic() - started:.1f} seconds.")
    if scores is not None:
        _write_scores(scores, console)


def _write_scores(scores: DataFrame, console: Console) -> None:
    console.write(f"The key has {scores.attrs['pairs']:,} pairs in {scores.attrs['rows']:,} rows. Percent:")
    console.write("                   threshold  proposed  precision  recall      F  row recall  row F")
    console.write(f"at the threshold {_figures(scores.attrs['at_threshold'])}")
    console.write(f"best F           {_figures(best(scores))}")
    console.write(f"best row F       {_figures(best(scores, by='row_f'))}")


def _figures(score: Series) -> str:
    widths = {"precision": 11, "recall": 8, "f": 7, "row_recall": 12, "row_f": 7}
    figures = "".join(f"{100 * score[name]:{width}.1f}" for name, width in widths.items())
    return f"{score['threshold']:11.2f}{score['proposed']:10,.0f}{figures}"
