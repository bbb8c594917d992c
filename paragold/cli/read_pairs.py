"""Write the pairs of an extraction in shards as one file of tab-separated lines."""

from argparse import ArgumentParser
from pathlib import Path

from paragold.cli.console import Console, Options, add_output
from paragold.shards.finished import read_pairs

HELP = "Check the folder that extract-pairs wrote in shards, and write its pairs as one file."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="that of extract-pairs")
    add_output(parser, "--output", required=True, help="pairs as tab-separated lines")


def run(options: Options, console: Console) -> None:
    count = read_pairs(options["folder"], options["output"])
    console.write(f"{count:,} pairs written to {options['output']}.")
