"""Create the demo project, once."""

from typing import Any

from ops.demo import load_demo
from projects.management.bounded import BoundedCommand


class Command(BoundedCommand):
    help = (
        "Create the demo project and its users; prints role, user name and password, separated by tabs, once."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        for login in load_demo():
            self.stdout.write(f"{login.role}\t{login.username}\t{login.password}")
