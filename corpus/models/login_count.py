"""Failed logins, counted for all processes in one table."""

from __future__ import annotations

from django.db import models


class LoginCount(models.Model):
    """Failed logins of one account, device or address.

    `key` is a keyed hash: the table names neither people nor addresses.
    """

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField(default=0, help_text="Logins that are being checked included")
    last_at = models.DateTimeField(db_index=True, help_text="When the last login was tried")

    def __str__(self) -> str:
        return f"{self.failures} failures, the last at {self.last_at:%Y-%m-%d %H:%M:%S}"
