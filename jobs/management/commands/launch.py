"""Launch an operation in a project: `manage.py launch KIND --project SLUG`."""

import json
from argparse import ArgumentParser
from functools import partial
from typing import Any

from jobs.management.project_argument import ProjectCommand, row_named, run_to_end, version_named
from jobs.operations import Operation, job_of, operations
from paragold.cli.arguments import add_arguments, add_set, given, parse_values
from paragold.cli.console import counts_text


class Command(ProjectCommand):
    help = "Launch an operation in a project, as a job. `launch KIND --help` lists the options of a kind."

    def add_arguments(self, parser: ArgumentParser) -> None:
        kinds = parser.add_subparsers(dest="operation", metavar="KIND", required=True)
        for operation in operations().values():
            own = kinds.add_parser(operation.kind, help=operation.help, description=operation.help)
            super().add_arguments(own)
            for rows in operation.rows:
                several: dict[str, Any] = {"action": "append", "default": []} if rows.many else {}
                own.add_argument(
                    f"--{rows.name.replace('_', '-')}",
                    metavar="NAME",
                    required=rows.required,
                    help=f"{rows.help} May be repeated." if rows.many else rows.help,
                    **several,
                )
            add_arguments(own, operation.parameters())
            if operation.settings:
                add_set(own, operation.settings)
            own.add_argument("--wait", action="store_true", help="also run the job here until it ends")
            own.add_argument("--json", action="store_true", help="print id, job and counts as JSON")

    def run(self, options: dict[str, Any]) -> None:
        operation = operations()[options["operation"]]
        arguments = operation.arguments(given(operation.parameters(), options))
        if operation.settings:
            arguments["settings"] = parse_values(options["set"])
        made = operation.launch(
            project=self.project, by=self.user, **arguments, **self.rows(operation, options)
        )
        job = job_of(made)
        if options["wait"] and job is not None:
            run_to_end(job)
        if options["json"]:
            answer = {"id": made.pk, "name": str(made), "job": job and job.pk, "counts": job and job.counts}
            self.stdout.write(json.dumps(answer, indent=1))
        elif job is None:
            self.stdout.write(f"{made._meta.verbose_name.capitalize()} {made.pk}: {made}.")
        else:
            self.stdout.write(f"Job {job.pk}: {job.title}.")
            if options["wait"]:
                self.stdout.write(counts_text(job.counts))

    def rows(self, operation: Operation, options: dict[str, Any]) -> dict[str, Any]:
        """The rows that are named, `gold v1` or, for its latest version, `gold`. Raises CommandError."""
        chosen: dict[str, Any] = {}
        for rows in operation.rows:
            offered = rows.offered(self.project)
            has_versions = any(field.name == "version" for field in offered.model._meta.fields)
            find = version_named if has_versions else row_named
            if rows.key:
                find = partial(row_named, field=rows.key)
            if rows.many:
                chosen[rows.name] = [find(offered, name) for name in options[rows.name]]
            elif options[rows.name] is not None:
                chosen[rows.name] = find(offered, options[rows.name])
        return chosen
