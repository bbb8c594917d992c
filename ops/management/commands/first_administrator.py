"""Where the first administrator's account is created."""

from typing import Any

from projects.management.bounded import BoundedCommand
from projects.services.people import first_administrator_code, has_administrator


class Command(BoundedCommand):
    help = (
        "Print the path of the page that creates the first administrator, while there is none. It is secret "
        "and works once."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not has_administrator():
            # Not by `reverse`, which would load every page: a second of each start.
            self.stdout.write(f"/first-administrator/{first_administrator_code()}/")
