"""What was asked for with a key of its own, so that asking twice makes one thing."""

from django.conf import settings
from django.db import models


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
