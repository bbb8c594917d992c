"""Links that an aligner suggested, kept so that nobody's page has to draw them."""

from __future__ import annotations

from django.db import models

from annotation.models import Item


class SuggestedLinks(models.Model):
    """What one aligner suggested for an item, [[a, b], ...] in order; never changed.

    `setting` is the batch's setting they were drawn for, `signature` that of the aligner. Of the rows with
    the setting that the batch has now, the one with the highest id stands. `reasons` tell for each link
    what spoke for it, in words; [] where its aligner tells none.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="suggested_links")
    setting = models.CharField(max_length=40)
    signature = models.TextField()
    links = models.JSONField()
    reasons = models.JSONField(default=list)
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["item", "setting", "signature"], name="suggested_links_once")
        ]

    def __str__(self) -> str:
        return f"links suggested for {self.item} by {self.setting}"
