"""Write the installation to one file while it runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from jobs.management.project_argument import ProjectCommand
from ops.backup.writing import back_up


class Command(ProjectCommand):
    help = "Write the database and its files to one file, while people keep working."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE.zip",
            help="a new file; by default one with the time in its name, in the data folder's backups/",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["output"]
        if path is None:
            folder = Path(settings.VAR) / "backups"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = folder / f"paragold-{timezone.now():%Y%m%dT%H%M%SZ}.zip"
        made = back_up(path)
        self.stdout.write(f"{made.path}: {made.files:,} files, {made.bytes:,} bytes, sha256 {made.sha256}")
        self.stdout.write(
            "It contains everything except the secret key and open sessions. Copy it to another machine."
        )
