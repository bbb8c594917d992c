"""Make the installation what it was when a backup was written."""

from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from jobs.management.project_argument import ProjectCommand
from ops.backup.restoring import check_backup, restore
from ops.backup.writing import folder
from projects import storage


class Command(ProjectCommand):
    help = "Replace this installation by a backup: completely, or not at all."
    requires_system_checks: list[str] = []
    after_error = "Nothing was changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "backup",
            type=Path,
            metavar="FILE.zip",
            help="a file, or the name of a backup in the shared store",
        )
        parser.add_argument("--check", action="store_true", help="check its hashes; change nothing")
        parser.add_argument("--replace", action="store_true", help="replace existing projects and people")

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["backup"]
        if storage.shared() and not path.exists():
            with suppress(FileNotFoundError):
                path = storage.fetch(folder() / path.name)
        if options["check"]:
            manifest = check_backup(path)
            self.stdout.write(f"Complete: {_described(manifest)}")
            return
        done = restore(path, replace=options["replace"])
        self.stdout.write(f"Restored: {_described(done.manifest)}")
        if done.kept:
            self.stdout.write(f"The previous database is now {done.kept}. Delete it when all is well.")
        self.stdout.write(
            "Now start Paragold, which updates the database, then run `manage.py doctor`. Everybody must "
            "log in again, with the passwords in the backup."
        )


def _described(manifest: dict[str, Any]) -> str:
    size = sum(file["bytes"] for file in manifest["files"].values())
    return f"{len(manifest['files']):,} files, {size:,} bytes, as of {manifest['written_at']}"
