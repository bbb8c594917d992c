"""Brings the database and the static files up to date, then makes the logins of the demo.

`python -m ops.launcher.preparation [--demo]`: a process of its own, so that the launcher stays small.
Prints new logins, one `role<TAB>username<TAB>password` a line; without the demo, the path of the page that
creates the first administrator, where there is none; before them, how long a new database takes and what an
upgrade drops. A terminal is asked.
"""

from __future__ import annotations

import io
import os
import sys


def prepare(*, demo: bool) -> str:
    """Safe to repeat: what is there already is left alone. Returns what the last command printed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.management import CommandError, call_command

    django.setup()
    from django.db import connection

    from ops.migrating import one_host

    if not connection.introspection.table_names():
        more = ", the demo project 10 more" if demo else ""
        print(f"The database is new: its tables take about 10 seconds{more}.", flush=True)  # noqa: T201 - for the terminal
    call_command("collectstatic", interactive=False, verbosity=0)
    printed = io.StringIO()
    with one_host():
        try:
            call_command("migrate", verbosity=0)
        except CommandError as error:
            sys.exit(str(error))
        call_command("load_demo" if demo else "first_administrator", stdout=printed)
    return printed.getvalue()


if __name__ == "__main__":
    sys.stdout.write(prepare(demo="--demo" in sys.argv[1:]))
