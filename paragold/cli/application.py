"""Commands of the web application, each in a process of its own: the library knows nothing of Django."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

APPLICATION: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "demo": ("start the web application with the demo project", ("-m", "ops.launcher", "--demo")),
    "run": ("start the web application: web server and worker", ("-m", "ops.launcher")),
    "backup": ("write database and files of the application to one file", ("manage.py", "backup")),
    "restore": ("restore a backup", ("-m", "ops.backup")),
    "doctor": ("check the installation and say what to repair", ("manage.py", "doctor")),
    "manage": ("any command of manage.py; `paragold manage help` lists them", ("manage.py",)),
}
"""What each command is for, and what Python is given for it."""


def application_folder() -> Path:
    """Where the web application is: beside the library in the package, around it in a clone.

    Raises FileNotFoundError where only the library is installed.
    """
    around = Path(__file__).resolve().parents[2]
    for folder in (around / "paragold_application", around):
        if (folder / "manage.py").is_file():
            return folder
    raise FileNotFoundError(f"The web application is not in {around}: install the whole package paragold.")


def run_application(name: str, arguments: Sequence[str]) -> None:
    """Become the command: the terminal, its signals and its exit status are the application's."""
    folder = application_folder()
    first, *more = APPLICATION[name][1]
    # A file is looked for in the application's folder; modules by PYTHONPATH and not, because of -P, in the
    # folder that the user is in.
    command = ["-P", first, *more] if first == "-m" else [str(folder / first), *more]
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    os.execve(sys.executable, [sys.executable, *command, *arguments], environment)  # noqa: S606 - no shell
