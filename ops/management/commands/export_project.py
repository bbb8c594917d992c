"""Write a whole project to an archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from jobs.management.project_argument import ProjectCommand, add_project_arguments, project_and_user
from ops.archive.writing import export_project


class Command(ProjectCommand):
    help = "Write a whole project to one zip file for import_project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--output", type=Path, required=True, metavar="FILE.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        project, _ = project_and_user(options)
        description = export_project(project=project, path=options["output"])
        rows = sum(table["rows"] for table in description["tables"].values())
        size = options["output"].stat().st_size
        self.stdout.write(f"{rows:,} rows, {len(description['files']):,} files, {size:,} bytes")
