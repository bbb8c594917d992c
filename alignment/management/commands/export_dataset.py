"""Write the pairs of a dataset to files."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from alignment.models import Export
from alignment.services.dataset_exports import export_dataset
from alignment.services.exporting import export_path
from corpus.errors import PublicError
from corpus.management.project_argument import add_project_arguments, project_and_user
from corpus.services.running import run_here
from corpus.writers.files import FORMATS
from corpus.writers.rows import Splits


class Command(BaseCommand):
    help = "Write all pairs of a dataset, judged or not, to a zip archive with manifest and data card."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--dataset", required=True, help="its name")
        parser.add_argument("--output", type=Path, required=True, help="the archive to write, FILE.zip")
        parser.add_argument("--formats", nargs="+", choices=list(FORMATS), default=list(FORMATS))
        parser.add_argument("--splits", help="shares of clusters for train, dev and test, such as 80/10/10")
        parser.add_argument("--seed", type=int, default=1, help="of the splits (default 1)")
        parser.add_argument("--licence", default="", help="stands in the data card")
        parser.add_argument("--limits", default="", help="known limits, for the data card")

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_and_user(options)
        dataset = project.datasets.filter(name=options["dataset"]).first()
        if dataset is None:
            names = ", ".join(project.datasets.values_list("name", flat=True)) or "none yet"
            raise CommandError(f"There is no dataset {options['dataset']!r}; there are: {names}.")
        try:
            splits = None
            if options["splits"]:
                train, dev, test = (int(share) for share in options["splits"].split("/"))
                splits = Splits(train, dev, test, options["seed"])
            job = export_dataset(
                dataset=dataset,
                by=user,
                formats=options["formats"],
                splits=splits,
                licence=options["licence"],
                limits=options["limits"],
            )
        except ValueError as error:
            raise CommandError(f"--splits {options['splits']}: {error}") from error
        except PublicError as error:
            raise CommandError(str(error)) from error
        run_here(job=job)
        job.refresh_from_db()
        if job.error:
            raise CommandError(job.error)
        export = Export.objects.get(pk=job.parameters["export"])
        shutil.copyfile(export_path(project, export.sha256), options["output"])
        self.stdout.write(f"{job.counts['pairs']:,} pairs, {export.bytes:,} bytes, sha256 {export.sha256}")
