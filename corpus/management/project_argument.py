"""What the commands that work on a project have in common."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from corpus.models import Project


def add_project_arguments(parser: ArgumentParser, *, required: bool = True) -> None:
    parser.add_argument("--project", required=required, metavar="SLUG", help="the project's short name")
    parser.add_argument("--user", help="in whose name (default: whoever created the project)")


def project_and_user(options: dict[str, Any]) -> tuple[Project, User]:
    """The project and the user that the options name. Raises CommandError naming what there is."""
    project = Project.objects.filter(slug=options["project"]).select_related("created_by").first()
    if project is None:
        slugs = ", ".join(Project.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no project {options['project']!r}. Projects: {slugs}.")
    if options["user"] is None:
        return project, project.created_by
    user = User.objects.filter(username=options["user"]).first()
    if user is None:
        raise CommandError(f"There is no user {options['user']!r}.")
    return project, user
