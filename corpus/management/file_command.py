"""A command of the library as one of manage.py: the same options, the same output, no database."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from typing import Any

from django.core.management.base import CommandError

from jobs.management.project_argument import own_standard_output
from paragold.cli.console import Console, failure_of
from projects.management.bounded import BoundedCommand


class FileCommand(BoundedCommand):
    """`module` names one of paragold.cli, with HELP, `add_arguments` and `run`."""

    requires_system_checks = ()
    module = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._program = import_module(self.module)
        self.help = self._program.HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        self._program.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with own_standard_output(self, options):
                self._program.run(options, Console(self.stdout.write, self.stderr.write))
        except Exception as error:
            message = failure_of(error)
            if not message:
                raise
            raise CommandError(message) from error
