"""What an installation does with archives of projects. None of it is in an archive itself."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from jobs.models import Job
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


class ArchiveState(models.TextChoices):
    CHECKING = "checking", "Being checked"
    CHECKED = "checked", "Checked; nothing is written yet"
    REFUSED = "refused", "Refused; nothing was written"
    STORING = "storing", "Being stored"
    IMPORTED = "imported", "Imported"


class ArchiveImport(models.Model):
    """An archive on its way in: checked, shown, stored out of sight, then a project at once.

    `staging` is the project that its rows and jobs hang on; in the end it is the project itself.
    """

    state = models.CharField(max_length=10, choices=ArchiveState.choices, default=ArchiveState.CHECKING)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64, blank=True)
    token = models.CharField(max_length=32, blank=True, help_text="Name of its file in the uploads folder")
    description = models.JSONField(default=dict, help_text="The archive's description of itself")
    users = models.JSONField(default=list, help_text="People in the archive")
    accounts = models.JSONField(default=dict, help_text="Name in the archive to id of the account here")
    made = models.JSONField(default=list, help_text="Accounts made by the import")
    slug = models.CharField(max_length=60, blank=True, help_text="Short name of the new project")
    problem = models.TextField(blank=True, help_text="Why the file was refused, in words.")
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="+")
    staging = models.OneToOneField(Project, models.SET_NULL, null=True, related_name="+")
    project = models.ForeignKey(Project, models.SET_NULL, null=True, related_name="+")
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    imported_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ArchiveState.values), name="archive_import_state")
        ]

    def __str__(self) -> str:
        return self.filename
