"""`python -m ops.backup ...`: `manage.py restore ...` where there may be nothing yet, not even a key."""

from __future__ import annotations

import os
import sys

from ops.launcher.installation import PROGRAM, Installation, LauncherError


def main(arguments: list[str]) -> None:
    try:
        Installation.from_environment().create(again=f"{PROGRAM} restore")
    except LauncherError as error:
        sys.exit(str(error))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", "restore", *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
