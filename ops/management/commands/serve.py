"""`manage.py serve`: web server and worker together, as `make run` and `make demo` start them."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from typing import Any

from ops.launcher.installation import REPOSITORY
from projects.management.bounded import BoundedCommand


class Command(BoundedCommand):
    help = "Starts the web server and a worker in this terminal; Ctrl-C stops both."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="load the demo project first")

    def handle(self, *args: Any, **options: Any) -> None:
        """Becomes the launcher, so that no second Python with all of Django in it stays in memory."""
        command = [sys.executable, "-m", "ops.launcher", *(["--demo"] if options["demo"] else [])]
        os.chdir(REPOSITORY)
        os.execv(sys.executable, command)  # noqa: S606 - our own module, without a shell
