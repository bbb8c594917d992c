"""Find the events in a stream of dated articles: from file to file."""

import time
from argparse import ArgumentParser
from pathlib import Path

from paragold.cli import arguments
from paragold.cli.arguments import spec_from
from paragold.cli.console import Console, Options, add_output
from paragold.events.clustering import EventScores
from paragold.events.files import cluster_file
from paragold.events.settings import EventSpec

HELP = (
    "Group dated articles into clusters by topic and time (docs/events.md). Articles are JSONL, CSV or TSV "
    "with id, published and text; the output is the same with cluster_id."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("articles", type=Path)
    add_output(parser, "--output", required=True, help="JSONL, or a table if it is called .tsv or .csv")
    parser.add_argument("--standing", type=Path, help="earlier output; articles may join its clusters")
    parser.add_argument(
        "--gold",
        nargs="?",
        const="cluster_id",
        metavar="KEY",
        help="score against the clusters under this key or column (default cluster_id)",
    )
    parser.add_argument("--ignore-dates", action="store_true", help="cluster all articles at once")
    parser.add_argument("--language", default=EventSpec().language, metavar="TAG", help="of the text: en, nl")
    add_event_arguments(parser)


def run(options: Options, console: Console) -> None:
    settings = event_spec(options, options["language"], ignore_dates=options["ignore_dates"])
    started = time.monotonic()
    report = cluster_file(
        options["articles"],
        options["output"],
        settings,
        existing=options["standing"],
        gold=options["gold"],
    )
    for note in report.notes:
        console.write(f"Note: {note}")
    seconds = time.monotonic() - started
    console.write(f"{report.articles:,} articles, {report.clusters:,} clusters, {seconds:.1f} seconds.")
    if report.scores:
        console.write("Percent:    clusters  precision  recall      F  adjusted Rand")
        for name, scores in report.scores.items():
            console.write(f"{name:<11}{_figures(scores)}")


def _figures(scores: EventScores) -> str:
    shares = (scores.precision, scores.recall, scores.f, scores.adjusted_rand)
    figures = "".join(f"{100 * x:{width}.1f}" for x, width in zip(shares, (11, 8, 7, 15), strict=True))
    return f"{scores.clusters:9,}{figures}"


def add_event_arguments(parser: ArgumentParser) -> None:
    arguments.add_arguments(parser, EventSpec, leave_out=("language", "window_days"))
    parser.add_argument(
        "--window",
        type=int,
        default=EventSpec().window_days,
        metavar="DAYS",
        help="compare with articles of at most this many days before. Default: %(default)s.",
    )


def event_spec(options: Options, language: str, *, ignore_dates: bool = False) -> EventSpec:
    """The settings of the options. Raises SpecError."""
    window_days = None if ignore_dates else options["window"]
    return spec_from(EventSpec, options, language=language, window_days=window_days)
