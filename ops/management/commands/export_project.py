"""Write a whole project to an archive."""

from argparse import ArgumentParser
from typing import Any

from jobs.management.project_argument import ProjectCommand
from ops.archive.writing import export_project
from paragold.cli.console import add_output
from paragold.formats.text_files import regular_file


class Command(ProjectCommand):
    help = "Write a whole project to one zip file for import_project."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_output(parser, "--output", required=True, metavar="FILE.zip")

    def run(self, options: dict[str, Any]) -> None:
        with regular_file(options["output"]) as path:
            description = export_project(project=self.project, path=path)
            size = path.stat().st_size
        rows = sum(table["rows"] for table in description["tables"].values())
        self.stdout.write(f"{rows:,} rows, {len(description['files']):,} files, {size:,} bytes")
