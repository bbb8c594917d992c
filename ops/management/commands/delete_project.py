"""Delete a project."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from jobs.management.project_argument import ProjectCommand, add_project_arguments, project_and_user
from ops.deletion.projects import delete_project, remove_now


class Command(ProjectCommand):
    help = "Delete a project: it is hidden at once, and removed with its files after PARAGOLD_UNDO_DAYS."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)
        parser.add_argument("--confirm", required=True, metavar="NAME", help="the project's name")
        parser.add_argument("--now", action="store_true", help="remove it now; it cannot be restored")

    def handle(self, *args: Any, **options: Any) -> None:
        project, user = project_and_user(options)
        delete_project(project=project, by=user, confirmed=options["confirm"])
        if options["now"] or not settings.UNDO_DAYS:
            remove_now(project=project)
            self.stdout.write(f"{project.name} is removed.")
        else:
            self.stdout.write(f"{project.name} is deleted; it can be restored for {settings.UNDO_DAYS} days.")
