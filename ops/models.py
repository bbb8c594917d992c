"""What an installation does with archives of projects. None of it is in an archive itself."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from projects.models import Project

DAYS_KEPT = 7


class ProjectArchive(models.Model):
    """A project written out whole: a file that waits some days to be downloaded."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="archives")
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    rows = models.PositiveBigIntegerField()
    files = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    written_at = models.DateTimeField(default=timezone.now, help_text="When it was last asked for, in UTC.")

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["project", "sha256"], name="archive_once")]

    def __str__(self) -> str:
        return f"{self.project} ({self.sha256[:8]})"

    @property
    def filename(self) -> str:
        return f"{self.project.slug}-{self.sha256[:8]}.zip"

    @property
    def kept_until(self) -> datetime:
        return self.written_at + timedelta(days=DAYS_KEPT)
