"""Pairs that stay outside the database: folders of parts, and the rows that were drawn from them."""

from __future__ import annotations

from django.db import models
from django.db.models import F

from jobs.models import Job, MadeByJob
from projects.models import Project, Removable

from .sources import CorpusImport


class ExternalDataset(MadeByJob, Removable):
    """A folder of pairs in Parquet parts that was attached, with its manifest as it was then.

    Only drawn pairs are in the database, apart from the corpus: their clusters name `source`. When the job is
    done, all parts had the hashes of the manifest.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="external_datasets")
    job = models.OneToOneField(Job, models.CASCADE, related_name="external_dataset")
    source = models.OneToOneField(CorpusImport, models.PROTECT, related_name="external_dataset")
    name = models.CharField(max_length=80)
    address = models.CharField(max_length=1000, help_text="Folder, or address such as s3://bucket/pairs.")
    manifest = models.JSONField(help_text="The folder's manifest.json when it was attached.")
    manifest_sha256 = models.CharField(max_length=64, help_text="SHA-256 of manifest.json.")
    size = models.PositiveBigIntegerField(help_text="Pairs in all parts.")
    distances = models.JSONField(default=dict, help_text="Pairs by word edit distance.")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="external_dataset_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def form_value(self) -> str:
        """What a form sends where a dataset may be external."""
        return f"external-{self.pk}"


class ExternalRow(models.Model):
    """Where in an external dataset a pair that a draw found stands."""

    extraction = models.ForeignKey(
        "corpus.Extraction", models.CASCADE, related_name="external_rows", db_index=False
    )
    pair = models.ForeignKey("corpus.CandidatePair", models.CASCADE, related_name="+", db_constraint=False)
    part = models.CharField(max_length=255, help_text="Name of the Parquet file.")
    row = models.PositiveBigIntegerField(help_text="Row in the part, from 0.")
    number = models.PositiveBigIntegerField(help_text="Row among those of all parts, from 0.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["extraction", "pair"], name="external_row_once"),
            models.CheckConstraint(condition=models.Q(row__lte=F("number")), name="external_row_number"),
        ]

    def __str__(self) -> str:
        return f"{self.part}, row {self.row}"
