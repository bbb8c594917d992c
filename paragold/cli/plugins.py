"""List the plug-ins that are installed, with the errors of those that cannot be used."""

import json
from argparse import ArgumentParser
from dataclasses import asdict

from paragold.cli.console import CommandProblem, Console, Options
from paragold.plugins import installed_plugins

HELP = "List the plug-ins: what each adds, its distribution and version, and why one cannot be used."
COLUMNS = ("adds", "id", "label", "distribution", "version")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(options: Options, console: Console) -> None:
    plugins = installed_plugins()
    failed = [one for one in plugins if one.error]
    if options["json"]:
        console.write(json.dumps({"plugins": [asdict(one) for one in plugins]}, indent=2, ensure_ascii=False))
    elif not plugins:
        console.write("No plug-ins are installed. docs/plugins.md says how to write one.")
    else:
        rows = [COLUMNS] + [
            (
                plugin.kind,
                plugin.id or plugin.name,
                plugin.label or "cannot be used",
                plugin.distribution,
                plugin.version,
            )
            for plugin in plugins
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            console.write("  ".join(cells).rstrip())
        for one in failed:
            console.write(f"\n{one.kind} {one.name} ({one.value}): {one.error}\n  {one.remedy}")
    if failed:
        raise CommandProblem(f"{len(failed)} of {len(plugins)} plug-ins cannot be used.")
