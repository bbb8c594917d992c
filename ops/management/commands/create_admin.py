"""Create the first administrator, once."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand
from django.db import transaction

from ops.demo import create_login


class Command(BaseCommand):
    help = "Create the user `admin` if there is no administrator yet; prints the password once."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        if User.objects.filter(is_superuser=True).exists():
            return
        login = create_login("administrator", "admin")
        if login is not None:
            User.objects.filter(username=login.username).update(is_superuser=True)
            self.stdout.write(f"{login.role}\t{login.username}\t{login.password}")
