"""Create a user; there is no open sign-up."""

import getpass
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from projects.errors import PublicError
from projects.management.bounded import BoundedCommand
from projects.services.people import create_account


class Command(BoundedCommand):
    help = (
        "Create a user. The password is prompted for, read from standard input, or generated and printed "
        "once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--admin", action="store_true", help="an administrator of the installation")
        parser.add_argument("--generate", action="store_true", help="generate the password and print it once")

    def handle(self, *args: Any, **options: Any) -> None:
        username = options["username"]
        password = "" if options["generate"] else read_password()
        if not (password or options["generate"]):
            raise CommandError("The password is empty.")
        try:
            user, password = create_account(
                by=None, username=username, password=password, administrator=options["admin"]
            )
        except PublicError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Created {user.get_username()}.")
        if options["generate"]:
            self.stdout.write(f"Password, shown only now: {password}")


def read_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != password:
        raise CommandError("The two passwords differ. Start again.")
    return password
