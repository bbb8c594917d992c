"""Write the pairs of a dataset to files."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from alignment.management.export_arguments import add_card_arguments, card_options
from alignment.models import Export
from alignment.services.dataset_exports import export_dataset
from alignment.services.export_store import export_path
from jobs.management.project_argument import add_project_arguments, project_and_user, row_called, run_to_end
from paragold.formats.pairs.files import PAIR_FORMATS
from projects.errors import PublicError


class Command(BaseCommand):
    help = "Write all pairs of a dataset, judged or not, to a zip archive with manifest and data card."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--dataset", required=True, help="its name")
        parser.add_argument("--output", type=Path, required=True, help="the archive to write, FILE.zip")
        parser.add_argument("--formats", nargs="+", choices=PAIR_FORMATS.ids())
        add_card_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_and_user(options)
        dataset = row_called(project.datasets.all(), options["dataset"])
        try:
            job = export_dataset(
                dataset=dataset, by=user, formats=options["formats"], **card_options(options)
            )
        except PublicError as error:
            raise CommandError(str(error)) from error
        run_to_end(job)
        job.refresh_from_db()
        export = Export.objects.get(pk=job.parameters["export"])
        shutil.copyfile(export_path(project, export.sha256), options["output"])
        self.stdout.write(f"{job.counts['pairs']:,} pairs, {export.bytes:,} bytes, sha256 {export.sha256}")
