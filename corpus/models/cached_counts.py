"""Numbers over millions of rows that are computed once, because what they describe never changes again."""

from __future__ import annotations

from django.db import models

from projects.models import Project


class KeptNumbers(models.Model):
    """What a query found out about finished extractions or frozen datasets, by a name that says of which."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="kept_numbers")
    name = models.CharField(max_length=200)
    numbers = models.JSONField()

    class Meta:
        verbose_name_plural = "kept numbers"
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="kept_numbers_once")]

    def __str__(self) -> str:
        return self.name
