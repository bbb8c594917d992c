"""Criteria that a project keeps under a name of its own."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from paragold.extraction.criteria import Criteria
from paragold.extraction.presets import Preset, described_as_changed
from projects.models import Project


class ProjectPreset(models.Model):
    """Made from a preset of the papers (`base`) by changing parameters; written once and never changed.

    `criteria` are all parameters, as `Criteria.settings` gives them. An extraction keeps its own copy, so
    that a preset can be deleted without harm.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="presets")
    name = models.CharField(max_length=40)
    base = models.CharField(max_length=40)
    criteria = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="preset_name")]

    def __str__(self) -> str:
        return self.name

    def as_preset(self) -> Preset:
        """The same as extraction takes the presets of the papers."""
        return Preset(
            name=self.name,
            criteria=Criteria(**self.criteria),
            source=f"Saved on {self.created_at:%Y-%m-%d}"
            + (f" by {self.created_by.username}" if self.created_by else ""),
            description=described_as_changed(self.base, Criteria(**self.criteria)),
        )
