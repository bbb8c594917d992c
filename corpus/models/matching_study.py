"""Studies of matching: methods scored against an answer key of uploaded texts."""

from __future__ import annotations

from typing import Any

from django.db import models

from jobs.models import Job, MadeByJob
from projects.models import Project, Removable


class MatchingStudy(MadeByJob, Removable):
    """Exact Jaccard and MinHash with several numbers of permutations on texts with an answer key.

    `texts` holds what was uploaded, packed, until the job is done; then it is None.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="matching_studies")
    job = models.OneToOneField(Job, models.CASCADE, related_name="matching_study")
    name = models.CharField(max_length=80)
    parameters = models.JSONField(
        help_text="Methods, seed and stop words, and the files and counts of texts and answer key."
    )
    texts = models.BinaryField(null=True)
    figures = models.JSONField(default=dict, help_text="Quality, scatter and times of each method.")
    signature = models.TextField()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "matching studies"
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="matching_study_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def ordered_figures(self) -> dict[str, Any]:
        """The figures of a finished study, methods in their order, which PostgreSQL does not keep."""
        methods = self.parameters["methods"]
        return {
            what: {method: self.figures[what][method] for method in methods if method in self.figures[what]}
            for what in ("quality", "scatter", "times")
        }
