"""`manage.py doctor`: is this installation well, and if not, what is to be done?"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from config.variables import VARIABLES
from ops.diagnosis import CHECKS, Finding, examine, never_started
from projects.management.bounded import BoundedCommand


class Command(BoundedCommand):
    help = "Checks the installation point by point; exit code 1 when something is wrong."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--variables", action="store_true", help="list the environment variables instead")
        parser.add_argument(
            "--only", nargs="+", choices=list(CHECKS), metavar="CHECK", help=", ".join(CHECKS)
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["variables"]:
            self._list_variables()
            return
        findings = []
        never = None if options["only"] else never_started()
        if never is not None:
            findings = [never]
            if not options["json"]:
                self.stdout.write(f"{never.found} {never.remedy}")
        else:
            for name in options["only"] or CHECKS:
                findings.append(examine(name))
                if not options["json"]:
                    self._show(findings[-1])
        ok = all(finding.ok for finding in findings)
        if options["json"]:
            report = {"ok": ok, "findings": [asdict(finding) for finding in findings]}
            self.stdout.write(json.dumps(report, indent=2))
        if not ok:
            sys.exit(1)

    def _list_variables(self) -> None:
        for name, variable in VARIABLES.items():
            now = (
                "set" if os.environ.get(name, "").strip() else variable.default or variable.unset or "not set"
            )
            from_file = f" (or {name}_FILE, a file with it)" if variable.secret else ""
            self.stdout.write(f"{name} ({now})\n    {variable.meaning}{from_file}")

    def _show(self, finding: Finding) -> None:
        mark = self.style.SUCCESS("ok   ") if finding.ok else self.style.ERROR("WRONG")
        self.stdout.write(f"{mark} {finding.check:<13} {finding.found}")
        if not finding.ok:
            self.stdout.write(f"      {'':<13} -> {finding.remedy}")
