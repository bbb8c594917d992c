"""Write the installation to one file while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from jobs.management.project_argument import ProjectCommand, own_standard_output
from ops.backup.writing import Backup, back_up, back_up_in_folder
from paragold.cli.console import add_output
from paragold.formats.text_files import regular_file


class Command(ProjectCommand):
    help = "Write the database and its files to one file, while people keep working."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_output(
            parser,
            "--output",
            metavar="FILE.zip",
            help="a new file; by default one named by the time, in backups/ of data folder or shared store",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        place = options["output"]
        if place is not None:
            with regular_file(place) as path:
                made = back_up(path)
        else:
            made = back_up_in_folder()
            place = made.path
        with own_standard_output(self, options):
            self.report(place, made)

    def report(self, place: Path, made: Backup) -> None:
        self.stdout.write(f"{place}: {made.files:,} files, {made.bytes:,} bytes, sha256 {made.sha256}")
        self.stdout.write(
            "It contains everything except the secret key and open sessions. Copy it to another machine."
        )
