"""Write the pairs of a dataset to files."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from typing import Any

from alignment.models import Export
from alignment.services.dataset_exports import export_dataset
from alignment.services.export_store import export_path
from alignment.specs import DatasetExportSpec
from jobs.management.project_argument import ProjectCommand, row_named, run_to_end
from paragold.cli.arguments import add_arguments, spec_from
from paragold.cli.console import add_output
from paragold.formats.text_files import whole_file
from projects import storage


class Command(ProjectCommand):
    help = "Write all pairs of a dataset, judged or not, to a zip archive with manifest and data card."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--dataset", required=True, help="its name")
        add_output(parser, "--output", required=True, help="the archive to write, FILE.zip")
        add_arguments(parser, DatasetExportSpec)

    def run(self, options: dict[str, Any]) -> None:
        dataset = row_named(self.project.datasets.all(), options["dataset"])
        job = export_dataset(dataset=dataset, by=self.user, spec=spec_from(DatasetExportSpec, options))
        run_to_end(job)
        job.refresh_from_db()
        export = Export.objects.get(pk=job.parameters["export"])
        archive = storage.fetch(export_path(self.project, export.sha256), same=True)
        with archive.open("rb") as source, whole_file(options["output"]) as output:
            shutil.copyfileobj(source, output)
        held_out = export.manifest["details"]["held_out"]
        if held_out["pairs"]:
            where = "all in test" if held_out["split"] else "for testing only"
            self.stderr.write(f"{held_out['pairs']:,} pairs are of held-out clusters: {where}.")
        self.stdout.write(f"{job.counts['pairs']:,} pairs, {export.bytes:,} bytes, sha256 {export.sha256}")
