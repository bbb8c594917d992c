"""Read a whole project from an archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from jobs.management.project_argument import ProjectCommand
from ops.archive.storing import import_project


class Command(ProjectCommand):
    help = "Import a file from export_project as a new project: all of it, or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path, metavar="FILE.zip")
        parser.add_argument("--slug", default="", help="another short name than the archive's")
        parser.add_argument(
            "--account",
            action="append",
            default=[],
            metavar="THEIRS=OURS",
            help="the account here for a user of the archive; may be repeated",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        accounts = {}
        for given in options["account"]:
            theirs, equals, ours = given.partition("=")
            if not theirs or not equals or not ours:
                raise CommandError(f"--account {given}: write NAME_IN_ARCHIVE=NAME_HERE.")
            accounts[theirs] = ours
        imported = import_project(path=options["archive"], slug=options["slug"], accounts=accounts)
        self.stdout.write(f"{imported.project.slug}: {imported.rows:,} rows")
        for what, names in (
            ("found here", imported.accounts_found),
            ("made, cannot log in yet", imported.accounts_made),
        ):
            if names:
                self.stdout.write(f"accounts {what}: {', '.join(names)}")
