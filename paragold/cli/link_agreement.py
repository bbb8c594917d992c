"""Agreement of annotators on word links, files only: no database is touched."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paragold.cli.console import Console, Options
from paragold.cli.link_arguments import add_format, rate_text
from paragold.formats.link_files import LINK_FORMATS
from paragold.metrics.error_rate import WORDS, percent
from paragold.metrics.link_agreement import MEASURE, VERSION, agreement_of_files

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
    if options["json"]:
        rows = {"files": percent(agreements), "signature": f"{MEASURE}|version:{VERSION}"}
        console.write(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        console.write(_as_text(agreements))


COLUMNS = {
    "agreement": "1 - AER",
    "first_against_second": "AER 1|2",
    "second_against_first": "AER 2|1",
    "f1_sure": "F1 sure",
    "f1_all": "F1 all",
}


def _as_text(agreements: Sequence[Mapping[str, Any]]) -> str:
    """A table for people, in percent, `-` where undefined."""
    lines = []
    for files in agreements:
        lines.append(f"1 = {files['first']}, 2 = {files['second']}, {files['all']['pairs']} pairs")
        heads = "".join(f"{head:>9}" for head in COLUMNS.values())
        lines.append(f"{'%':<20}{heads}{'links':>8}{'same':>8}")
        for words, name in WORDS.items():
            row = files[words]
            rates = "".join(f"{rate_text(row[column]):>9}" for column in COLUMNS)
            lines.append(f"{name:<20}{rates}{row['drawn']:>8}{row['same']:>8}")
    return "\n".join(lines)
