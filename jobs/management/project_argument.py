"""What the commands that work on a project have in common."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db.models import QuerySet

from jobs.models import Job, JobState
from jobs.services.running import run_here
from paragold.cli.console import CommandProblem, writes_to_standard_output
from paragold.problems import FileProblem
from paragold.spec import SpecError
from projects.errors import PublicError
from projects.management.bounded import BoundedCommand
from projects.models import Project


class ProjectCommand(BoundedCommand):
    """A command of a project: `run` does it, as `user`. Its error is what a service, a Spec or a reader of
    files refuses, with `after_error` behind it."""

    project: Project
    user: User
    after_error = ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.project, self.user = project_and_user(options)
        with own_standard_output(self, options):
            self.run(options)

    def run(self, options: dict[str, Any]) -> None:
        raise NotImplementedError

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except (PublicError, SpecError, CommandProblem, FileProblem) as error:
            raise CommandError(f"{error} {self.after_error}".strip()) from error
        except OSError as error:
            if error.filename is None or isinstance(error, BrokenPipeError):
                raise
            raise CommandError(f"{error.filename}: {error.strerror}. {self.after_error}".strip()) from error


@contextmanager
def own_standard_output(command: BaseCommand, options: dict[str, Any]) -> Iterator[None]:
    """Where the result of a command goes to standard output, its messages go to standard error."""
    stdout = command.stdout
    if writes_to_standard_output(options):
        command.stdout = OutputWrapper(cast(TextIO, command.stderr._out))
    try:
        yield
    finally:
        command.stdout = stdout


def add_project_arguments(parser: ArgumentParser, *, required: bool = True) -> None:
    parser.add_argument("--project", required=required, metavar="SLUG", help="the project's short name")
    parser.add_argument("--user", help="user who acts (default: creator of the project)")


def project_and_user(options: dict[str, Any]) -> tuple[Project, User]:
    """The project and the user that the options name.

    Raises CommandError naming what there is, or saying that there is no installation.
    """
    # Commands that can also go from file to file run no system checks themselves.
    for problem in run_checks(tags=["installation"]):
        raise CommandError(problem.msg)
    project = Project.objects.filter(slug=options["project"]).select_related("created_by").first()
    if project is None:
        slugs = ", ".join(Project.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no project {options['project']!r}. Projects: {slugs}.")
    if options["user"] is None:
        return project, project.created_by
    return project, user_named(options["user"])


def user_named(name: str) -> User:
    """The user of that name. Raises CommandError."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no user {name!r}.")
    return user


def row_named(rows: QuerySet[Any], name: str, field: str = "name") -> Any:
    """The row of that name. Raises CommandError naming those there are."""
    row = rows.filter(**{field: name}).first()
    if row is None:
        raise _no(rows, name, rows.values_list(field, flat=True))
    return row


def version_named(rows: QuerySet[Any], name: str) -> Any:
    """The row of that name and version, such as 'gold v1'; of a bare name the latest. Raises CommandError."""
    there = list(rows.order_by("-version", "-pk"))
    for row in there:
        if name in (str(row), row.name):
            return row
    raise _no(rows, name, map(str, there))


def _no(rows: QuerySet[Any], name: str, there: Iterable[str]) -> CommandError:
    names = ", ".join(sorted(set(there))) or "none yet"
    return CommandError(f"There is no {rows.model._meta.verbose_name} {name!r}. Available: {names}.")


def run_to_end(job: Job) -> None:
    """Work on a job here, beside any workers, until it has ended. Raises CommandError unless it is done."""
    run_here(job=job)
    if job.state != JobState.DONE:
        raise CommandError(f"The job is {job.get_state_display().lower()}. {job.error}".strip())
