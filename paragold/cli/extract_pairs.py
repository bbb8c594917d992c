"""Extract candidate pairs from a file of clusters into a file of pairs."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from paragold.cli.arguments import add_set, parse_settings
from paragold.cli.console import Console, Options, add_output
from paragold.extraction.files import extract_file
from paragold.extraction.presets import RECOMMENDED, get_preset, names_with_purposes

HELP = "Extract candidate pairs with a preset: --input FILE --output FILE."


def add_arguments(parser: ArgumentParser) -> None:
    add_preset_arguments(parser, presets=f"{names_with_purposes()} (default: {RECOMMENDED})")
    add_file_arguments(parser, required=True)


def add_preset_arguments(parser: ArgumentParser, *, presets: str) -> None:
    """The options of every extraction; `presets` says which presets there are."""
    parser.add_argument("--preset", default=RECOMMENDED, metavar="NAME", help=presets)
    add_set(parser, "change a parameter of the preset; may be repeated")


def add_file_arguments(parser: ArgumentParser, *, required: bool) -> None:
    """The options of an extraction from files."""
    parser.add_argument("--input", type=Path, required=required, metavar="FILE", help="clusters as JSONL")
    add_output(parser, "--output", required=required, help="pairs as tab-separated lines")
    parser.add_argument("--processes", type=int, help="of a file (default: one per core)")


def run(options: Options, console: Console) -> None:
    criteria = get_preset(options["preset"]).criteria.replace(**parse_settings(options["set"]))
    counts = extract_file(options["input"], criteria, options["output"], processes=options["processes"])
    write_counts(asdict(counts), console)


def write_counts(counts: Mapping[str, Any], console: Console) -> None:
    for name, count in counts.items():
        figure = f"{count:,.2f}" if isinstance(count, float) else f"{count:,}"
        console.write(f"{figure:>14}  {name.replace('_', ' ')}")
