"""What an adjudicator decided about the links of a pair."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from annotation.models import Item


class LinkAdjudication(models.Model):
    """The links of one pair as an adjudicator left them, [[a, b, strength], ...] in order.

    Decisions are added and never changed: the one with the highest version stands, those before it
    are its history.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="link_adjudications")
    adjudicator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(help_text="From 1")
    links = models.JSONField()
    comment = models.TextField(blank=True)
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["item", "version"]
        constraints = [models.UniqueConstraint(fields=["item", "version"], name="link_adjudication_version")]

    def __str__(self) -> str:
        return f"links of {self.item}, decision {self.version}"
