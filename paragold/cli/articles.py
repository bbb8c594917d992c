"""Commands for articles: train-main-text and cluster-articles."""

import time
from argparse import ArgumentParser

from paragold.cli.arguments import add_arguments, add_file, add_flag, spec_from
from paragold.cli.console import Console, Options, Report, add_output, figures, percent
from paragold.events.files import cluster_file
from paragold.events.settings import EventSpec
from paragold.formats.text_files import write_text
from paragold.sources.main_text_model import cross_validated, read_marked_pages, train_main_text_model

SHARES = ("precision", "recall", "f", "adjusted_rand")


def _main_text_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "files", nargs="+")
    add_output(parser, "--output", required=True, metavar="MODEL", help="JSON, for --main-text-model")


def _train_main_text(options: Options, console: Console) -> Report:
    """Train a model that finds the main text of pages (docs/formats/sources.md) on pages that people have
    marked. Files are JSON Lines, a page a line: html, and paragraphs, those of the main text."""
    pages = read_marked_pages(options["files"])
    model = train_main_text_model(pages)
    write_text(options["output"], model.to_json())
    text = f"{model.pages:,} pages, {model.blocks:,} blocks."
    if measured := cross_validated(pages):
        text += (
            f"\nWords of pages left out of the training: precision {measured['precision']}, "
            f"recall {measured['recall']}, F {measured['f']} %."
        )
    return {"pages": model.pages, "blocks": model.blocks, "left_out": measured}, text


def _cluster_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "articles")
    add_output(parser, "--output", required=True, help="JSONL, or a table if it is called .tsv or .csv")
    add_file(parser, "--standing", "earlier output; articles may join its clusters")
    parser.add_argument(
        "--gold",
        nargs="?",
        const="cluster_id",
        metavar="KEY",
        help="score against the clusters under this key or column (default cluster_id)",
    )
    add_flag(parser, "--ignore-dates", "cluster all articles at once")
    add_arguments(parser, EventSpec, also={"window_days": "--window"})


def _cluster_articles(options: Options, console: Console) -> Report:
    """Group dated articles into clusters by topic and time (docs/events.md). Articles are JSONL, CSV or
    TSV with id, published and text; the output is the same with cluster_id."""
    without_dates = {"window_days": None} if options["ignore_dates"] else {}
    spec = spec_from(EventSpec, options, **without_dates)
    started = time.monotonic()
    report = cluster_file(
        options["articles"], options["output"], spec, existing=options["standing"], gold=options["gold"]
    )
    seconds = time.monotonic() - started
    lines = [f"Note: {note}" for note in report["notes"]]
    lines.append(f"{report['articles']:,} articles, {report['clusters']:,} clusters, {seconds:.1f} seconds.")
    if report["scores"]:
        rows = [
            [name, f"{row['clusters']:,}", *(percent(row[share], 1) for share in SHARES)]
            for name, row in report["scores"].items()
        ]
        lines.append(figures(["Percent", "clusters", "precision", "recall", "F", "adjusted Rand"], rows))
    return report, "\n".join(lines)


COMMANDS = {
    "train-main-text": (_main_text_arguments, _train_main_text),
    "cluster-articles": (_cluster_arguments, _cluster_articles),
}
