"""Create a user; there is no open sign-up."""

import getpass
import secrets
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = (
        "Create a user. The password is asked for, read from standard input, or generated and printed once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--admin", action="store_true", help="an administrator of the installation")
        parser.add_argument("--generate", action="store_true", help="generate the password and print it once")

    def handle(self, *args: Any, **options: Any) -> None:
        username = options["username"]
        if User.objects.filter(username=username).exists():
            raise CommandError(f"There is a user {username!r} already.")
        user = User(username=username, is_superuser=options["admin"])
        password = secrets.token_urlsafe(12) if options["generate"] else asked_password()
        try:
            user.full_clean(exclude=["password"])
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        user.set_password(password)
        user.save()
        self.stdout.write(f"Created {username}.")
        if options["generate"]:
            self.stdout.write(f"Password, shown only now: {password}")


def asked_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Again: ") != password:
        raise CommandError("The two passwords differ.")
    return password
