"""Agreement of annotators on word links, files only: no database is touched."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.cli.console import Console, Options
from paragold.cli.link_arguments import add_format
from paragold.formats.link_files import LINK_FORMATS
from paragold.metrics.link_agreement import agreement_of_files, as_json, as_table

HELP = (
    "Agreement of every two link files of the same pairs: AER in both directions, 1 - its mean, "
    "and F1 of the links, for all, identical and non-identical words, in percent."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", type=Path, nargs="+", metavar="FILE", help="one annotator's links")
    add_format(parser, "--format", [one.id for one in LINK_FORMATS if one.carries_text])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(options: Options, console: Console) -> None:
    agreements = agreement_of_files(options["paths"], options["format"])
    console.write(as_json(agreements) if options["json"] else as_table(agreements))
