"""What every command begins with: its error is bounded, whatever of a file or an argument it quotes."""

from __future__ import annotations

from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from paragold.problems import REPORT_BYTES, bounded


class BoundedParser(CommandParser):
    def error(self, message: str) -> NoReturn:
        super().error(bounded(message, REPORT_BYTES))
        raise AssertionError("The framework exits or raises.")


class BoundedCommand(BaseCommand):
    """A command whose error takes a few kilobytes at most."""

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **options)
        parser.__class__ = BoundedParser
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except CommandError as error:
            raise CommandError(bounded(str(error), REPORT_BYTES), returncode=error.returncode) from error
