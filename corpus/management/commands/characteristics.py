"""Print the characteristics of a project's datasets side by side."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.services.characteristics import characteristics
from jobs.management.project_argument import add_project_arguments, project_and_user, row_called
from paragold.extraction.characteristics import as_csv, as_latex, as_markdown

FORMATS = {"markdown": as_markdown, "csv": as_csv, "latex": as_latex}


class Command(BaseCommand):
    help = "Print datasets side by side, in the shape of table 2 of Brockett and Dolan 2005."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument(
            "--dataset",
            action="append",
            default=[],
            metavar="NAME",
            dest="names",
            help="may be repeated (default: all, the oldest first)",
        )
        parser.add_argument("--format", choices=FORMATS, default="markdown")

    def handle(self, *args: Any, **options: Any) -> None:
        project, _ = project_and_user(options)
        known = project.datasets.order_by("pk").prefetch_related("extractions")
        chosen = [row_called(known, name) for name in options["names"]]
        chosen = chosen or list(known.filter(archived_at=None))
        if not chosen:
            raise CommandError("The project has no dataset yet. Extract candidate pairs first.")
        columns = [characteristics(dataset) for dataset in chosen]
        self.stdout.write(FORMATS[options["format"]](columns), ending="")
