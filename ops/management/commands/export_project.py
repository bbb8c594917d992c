"""Write a whole project to an archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from jobs.management.project_argument import ProjectCommand
from ops.archive.writing import export_project


class Command(ProjectCommand):
    help = "Write a whole project to one zip file for import_project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--output", type=Path, required=True, metavar="FILE.zip")

    def run(self, options: dict[str, Any]) -> None:
        description = export_project(project=self.project, path=options["output"])
        rows = sum(table["rows"] for table in description["tables"].values())
        size = options["output"].stat().st_size
        self.stdout.write(f"{rows:,} rows, {len(description['files']):,} files, {size:,} bytes")
