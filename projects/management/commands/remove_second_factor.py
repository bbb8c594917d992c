"""Remove somebody's second factor on the server, such as that of the only administrator."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from projects.management.bounded import BoundedCommand
from projects.sign_on import remove_second_factor


class Command(BoundedCommand):
    help = "Remove the authenticator app, passkeys and recovery codes of a user: the password is enough then."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']!r}.")
        remove_second_factor(user=user, by=None)
        self.stdout.write(f"The second factor of {user.get_username()} is removed.")
