"""Print the characteristics of a project's datasets side by side."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from corpus.services.characteristics import characteristics
from jobs.management.project_argument import ProjectCommand, row_named
from paragold.extraction.selection import as_csv, as_latex, as_markdown, characteristics_table

FORMATS = {"markdown": as_markdown, "csv": as_csv, "latex": as_latex}


class Command(ProjectCommand):
    help = "Print datasets side by side, in the shape of table 2 of Brockett and Dolan 2005."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--dataset",
            action="append",
            default=[],
            metavar="NAME",
            dest="names",
            help="may be repeated (default: all, the oldest first)",
        )
        parser.add_argument("--format", choices=FORMATS, default="markdown")

    def run(self, options: dict[str, Any]) -> None:
        known = self.project.datasets.order_by("pk").prefetch_related("extractions")
        chosen = [row_named(known, name) for name in options["names"]]
        chosen = chosen or list(known.filter(archived_at=None))
        if not chosen:
            raise CommandError("The project has no dataset yet. Extract candidate pairs first.")
        table = characteristics_table({dataset.name: characteristics(dataset) for dataset in chosen})
        self.stdout.write(FORMATS[options["format"]](table), ending="")
