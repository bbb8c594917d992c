"""Rows of the whole installation: its settings, failed logins, what was sent with a key of its own."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class InstallationSettings(models.Model):
    """The settings as somebody left them; the latest row counts, and rows are never changed.

    `fetch_delay_seconds` lie between two requests to a host, `fetch_seconds` are the most that a request may
    take, `fetch_megabytes` the most that a page may hold.
    """

    fetching = models.BooleanField(default=False)
    fetch_contact = models.CharField(max_length=200, blank=True)
    fetch_delay_seconds = models.FloatField(default=1.0)
    fetch_seconds = models.PositiveSmallIntegerField(default=45)
    fetch_megabytes = models.PositiveSmallIntegerField(default=5)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "installation settings"
        constraints = [
            models.CheckConstraint(
                condition=Q(fetching=False) | ~Q(fetch_contact=""), name="fetching_has_a_contact"
            ),
            models.CheckConstraint(
                condition=Q(
                    fetch_delay_seconds__gte=1,
                    fetch_delay_seconds__lte=60,
                    fetch_seconds__gte=5,
                    fetch_seconds__lte=60,
                    fetch_megabytes__gte=1,
                    fetch_megabytes__lte=10,
                ),
                name="fetch_limits",
            ),
        ]

    def __str__(self) -> str:
        return f"Settings of {self.decided_at:%Y-%m-%d %H:%M}"


class LoginCount(models.Model):
    """Failed logins of one account, device or address.

    `key` is a keyed hash: the table names neither people nor addresses.
    """

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField(default=0, help_text="Logins that are being checked included")
    last_at = models.DateTimeField(db_index=True, help_text="When the last login was tried")

    def __str__(self) -> str:
        return f"{self.failures} failures, the last at {self.last_at:%Y-%m-%d %H:%M:%S}"


class Submission(models.Model):
    """A form or an API request that a person sent with a key, and what it led to.

    `result` is None while the first of them is at work: the address a form led to, or the answer of the API.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    body_sha256 = models.CharField(max_length=64)
    result = models.JSONField(null=True)
    begun_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="submission_once")]

    def __str__(self) -> str:
        return f"submission {self.key} of {self.user}"
