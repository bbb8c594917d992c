"""Train a model of main text on marked pages."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.cli.console import Console, Options, add_output
from paragold.formats.text_files import write_text
from paragold.sources.main_text_model import (
    cross_validated,
    read_marked_pages,
    train_main_text_model,
)

HELP = (
    "Train a model that finds the main text of pages (docs/formats/sources.md) on pages that people have "
    "marked. Files are JSON Lines, a page a line: html, and paragraphs, those of the main text."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path)
    add_output(parser, "--output", required=True, metavar="MODEL", help="JSON, for --main-text-model")


def run(options: Options, console: Console) -> None:
    pages = read_marked_pages(options["files"])
    model = train_main_text_model(pages)
    write_text(options["output"], model.to_json())
    console.write(f"{model.pages:,} pages, {model.blocks:,} blocks.")
    if figures := cross_validated(pages):
        console.write(
            f"Words of pages left out of the training: precision {figures.precision}, "
            f"recall {figures.recall}, F {figures.f} %."
        )
