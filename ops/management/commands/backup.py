"""Write the installation to one file while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils import timezone

from jobs.management.project_argument import ProjectCommand
from ops.backup.writing import back_up, folder
from projects import storage


class Command(ProjectCommand):
    help = "Write the database and its files to one file, while people keep working."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE.zip",
            help="a new file; by default one named by the time, in backups/ of data folder or shared store",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        place = options["output"]
        if place is not None:
            made = back_up(place)
        else:
            place = folder() / f"paragold-{timezone.now():%Y%m%dT%H%M%SZ}.zip"
            made = back_up(storage.workspace(place) / place.name)
            storage.put(made.path, place)
        self.stdout.write(f"{place}: {made.files:,} files, {made.bytes:,} bytes, sha256 {made.sha256}")
        self.stdout.write(
            "It contains everything except the secret key and open sessions. Copy it to another machine."
        )
