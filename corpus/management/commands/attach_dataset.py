"""Attach a folder of pairs in parts to a project as an external dataset."""

from argparse import ArgumentParser
from typing import Any

from corpus.services.external_datasets import attach
from jobs.management.project_argument import ProjectCommand, run_to_end


class Command(ProjectCommand):
    help = "Attach the output folder of an extraction in shards to a project, and check its hashes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "address", metavar="FOLDER", help="absolute path, or address such as s3://bucket/pairs"
        )
        parser.add_argument("--name", default="", help="default: that of the folder")

    def run(self, options: dict[str, Any]) -> None:
        dataset = attach(project=self.project, by=self.user, address=options["address"], name=options["name"])
        run_to_end(dataset.job)
        parts = len(dataset.manifest["files"])
        self.stdout.write(f"{dataset.name}: {dataset.size:,} pairs in {parts:,} parts, as in the manifest.")
