"""Make the installation what it was when a backup was written."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ops.backup.restoring import check_backup, restore
from projects.errors import PublicError


class Command(BaseCommand):
    help = "Put a backup in the place of this installation: all of it, or nothing is changed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", type=Path, metavar="FILE.zip")
        parser.add_argument("--check", action="store_true", help="hold it against its hashes; change nothing")
        parser.add_argument(
            "--replace", action="store_true", help="even where there are projects or people already"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["check"]:
                manifest = check_backup(options["backup"])
                self.stdout.write(f"Whole: {_described(manifest)}")
                return
            done = restore(options["backup"], replace=options["replace"])
        except PublicError as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        self.stdout.write(f"Restored: {_described(done.manifest)}")
        if done.kept:
            self.stdout.write(
                f"The database that was here is kept as {done.kept}; delete it when all is well."
            )
        self.stdout.write(
            "Now start Paragold, which brings the database up to date, and run `manage.py doctor`. Everybody "
            "logs in again; passwords are those of the backup."
        )


def _described(manifest: dict[str, Any]) -> str:
    size = sum(file["bytes"] for file in manifest["files"].values())
    return f"{len(manifest['files']):,} files, {size:,} bytes, as of {manifest['written_at']}"
