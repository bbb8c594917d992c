"""Write the audit log, or what its filters leave, as CSV or JSON Lines."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from projects.management.bounded import BoundedCommand
from projects.models import AuditEntry
from projects.services.audit import FORMATS, AuditFilters, exported, record


class Command(BoundedCommand):
    help = "Write the audit log to standard output, the oldest entry first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=FORMATS, default="jsonl", help="default: jsonl")
        for name, filter_ in AuditFilters.base_filters.items():
            if name != "sort":
                parser.add_argument(f"--{name}", help=filter_.extra.get("help_text") or filter_.label)

    def handle(self, *args: Any, **options: Any) -> None:
        given = {name: options.get(name) or "" for name in AuditFilters.base_filters}
        filters = AuditFilters(given, queryset=AuditEntry.objects.all())
        if not filters.is_valid():
            errors = (f"--{name}: {' '.join(problems)}" for name, problems in filters.errors.items())
            raise CommandError("\n".join(errors))
        record("file-downloaded", actor=None, target=f"audit-log.{options['format']}", asked=filters.query)
        for piece in exported(filters.qs, options["format"]):
            self.stdout.write(piece, ending="")
