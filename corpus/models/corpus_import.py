"""A file of articles on its way in: checked, stored out of sight, then moved into its project at once."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from jobs.models import Job
from projects.models import Kept, Project, Removable, RemovableQuerySet


class ImportState(models.TextChoices):
    CHECKING = "checking", "Being checked"
    CHECKED = "checked", "Checked; nothing is written yet"
    REFUSED = "refused", "Refused; nothing was written"
    STORING = "storing", "Being stored"
    IMPORTED = "imported", "Imported"
    UNCHANGED = "unchanged", "All of it was there already"


class ImportQuerySet(RemovableQuerySet):
    def imported(self) -> ImportQuerySet:
        """Those that brought something into the corpus."""
        return self.filter(state=ImportState.IMPORTED)


class ImportManager(Kept, models.Manager.from_queryset(ImportQuerySet)):  # type: ignore[misc]  # built at run time
    pass


class CorpusImport(Removable):
    """One file, what was found in it and what became of it.

    While rows are stored they hang on `staging`, a project that nobody sees; the last step moves them.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="imports")
    state = models.CharField(max_length=10, choices=ImportState.choices, default=ImportState.IMPORTED)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict, help_text="How the file is read: format, encoding, columns")
    counts = models.JSONField(default=dict)
    notes = models.JSONField(default=list)
    problems = models.JSONField(default=list, help_text="Why it was refused")
    sample = models.JSONField(default=list, help_text="The first articles, as they were cut")
    near = models.JSONField(default=dict, help_text="Near duplicates, as `NearReport` has them")
    signature = models.CharField(max_length=200, help_text="Segmentation and tokenisation that were used")
    token = models.CharField(max_length=32, blank=True, help_text="Names its files in the uploads folder")
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="corpus_import")
    staging = models.OneToOneField(Project, models.SET_NULL, null=True, related_name="+")
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    imported_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[ImportManager] = ImportManager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ImportState.values), name="import_state"),
            models.CheckConstraint(
                condition=Q(staging=None) | Q(state=ImportState.STORING), name="import_staging_while_storing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename} into {self.project}"

    @property
    def refused(self) -> bool:
        return self.state == ImportState.REFUSED

    @property
    def report_notes(self) -> list[str]:
        """The notes, and how many near duplicates there are in a sentence, where there are any."""
        if not self.near:
            return list(self.notes)
        near = (
            "{pairs:,} pairs of articles in {clusters:,} clusters share {least:.0%} of the shorter one's "
            "text or more."
        )
        return [*self.notes, near.format(**self.near)]

    @property
    def found_by(self) -> dict[str, Any] | None:
        """How the clusters were found, with the method's version; None where they were given."""
        found: dict[str, Any] | None = self.options.get("events")
        return found
