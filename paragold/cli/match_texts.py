"""Match the texts of one file, or of two, by the words they share: from file to file."""

import time
from argparse import ArgumentParser
from pathlib import Path

from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.matching.files import (
    KeyScores,
    Score,
    best_f,
    best_row_f,
    match_files,
    write_curve,
)
from paragold.matching.settings import MatchingSpec

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
    report = match_files(options["files"], spec, options["output"], options["key"])
    if report.scores and options["curve"]:
        write_curve(options["curve"], report.scores.curve)
    texts = " and ".join(f"{count:,}" for count in report.texts)
    seconds = time.monotonic() - started
    console.write(f"{texts} texts, {report.pairs:,} pairs, {seconds:.1f} seconds.")
    if report.scores:
        _write_scores(report.scores, console)


def _write_scores(scores: KeyScores, console: Console) -> None:
    console.write(f"The key has {scores.pairs:,} pairs in {scores.rows:,} rows. Percent:")
    console.write("                   threshold  proposed  precision  recall      F  row recall  row F")
    console.write(f"at the threshold {_figures(scores.at_threshold)}")
    console.write(f"best F           {_figures(best_f(scores.curve))}")
    console.write(f"best row F       {_figures(best_row_f(scores.curve))}")


def _figures(score: Score) -> str:
    shares = (score.precision, score.recall, score.f, score.row_recall, score.row_f)
    widths = (11, 8, 7, 12, 7)
    figures = "".join(f"{100 * share:{width}.1f}" for share, width in zip(shares, widths, strict=True))
    return f"{score.threshold:11.2f}{score.proposed:10,}{figures}"
