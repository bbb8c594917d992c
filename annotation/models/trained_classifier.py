"""Trained classifiers, the datasets they were applied to, and the decision on each pair."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from corpus.models import CandidatePair, Dataset, Lexicon
from jobs.models import Job, JobState
from projects.models import Project, Removable

from .judgement import GoldSet


class TrainedClassifier(Removable):
    """One version of a project's classifier: plain numbers with a hash, and all they were made from.

    Trained on a gold set, or from labelled pairs of a file, kept in `imported_pairs` (JSON lines,
    compressed by zlib). `model` is the file that `paragold.classification.classifier` writes, or empty.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="classifiers")
    job = models.OneToOneField(Job, models.CASCADE, related_name="trained_classifier")
    gold_set = models.ForeignKey(GoldSet, models.RESTRICT, null=True, related_name="classifiers")
    imported_pairs = models.BinaryField(null=True)
    imported_from = models.CharField(
        max_length=200,
        blank=True,
        help_text="Name and SHA-256 of the file that it was imported from; empty for others.",
    )
    lexicon = models.ForeignKey(Lexicon, models.RESTRICT, null=True, related_name="classifiers")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    parameters = models.JSONField()
    model = models.BinaryField(null=True)
    sha256 = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the model; empty until it is trained."
    )
    figures = models.JSONField(default=dict, help_text="What cross-validation measured")
    notes = models.JSONField(default=list, help_text="Feature classes that are off, each with the reason.")
    signature = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], condition=Q(deleted_at=None), name="classifier_version"
            ),
            models.CheckConstraint(
                condition=Q(gold_set__isnull=False, imported_pairs__isnull=True)
                | Q(gold_set__isnull=True, imported_pairs__isnull=False),
                name="classifier_source",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def finished(self) -> bool:
        return self.job.state == JobState.DONE and bool(self.sha256)


class ClassifierRun(Removable):
    """A classifier applied to a dataset; `refined` are the datasets that were frozen from its decisions."""

    classifier = models.ForeignKey(TrainedClassifier, models.CASCADE, related_name="runs")
    dataset = models.ForeignKey(Dataset, models.RESTRICT, related_name="classifier_runs")
    job = models.OneToOneField(Job, models.CASCADE, related_name="classifier_run")
    threshold = models.FloatField(
        null=True,
        help_text="Probability from which on pairs are accepted, 0 to 1; null: decision value 0.",
    )
    name = models.CharField(max_length=80, help_text="Name of the refined dataset that is frozen at its end.")
    refined = models.ManyToManyField(Dataset, related_name="refining_runs")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(threshold__gte=0, threshold__lte=1), name="classifier_run_threshold"
            )
        ]

    def __str__(self) -> str:
        return f"{self.classifier} on {self.dataset}"

    @property
    def finished(self) -> bool:
        return self.job.state == JobState.DONE


class PairScore(models.Model):
    """The decision on a pair. As with findings the database holds no foreign key of the pair."""

    run = models.ForeignKey(ClassifierRun, models.CASCADE, related_name="scores", db_index=False)
    pair = models.ForeignKey(CandidatePair, models.CASCADE, related_name="+", db_constraint=False)
    decision = models.FloatField(help_text="Decision value of the classifier; a paraphrase from 0 on.")
    probability = models.FloatField(help_text="Calibrated probability of a paraphrase, 0 to 1.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "pair"], name="pair_score_once")]
        indexes = [models.Index(fields=["run", "probability"], name="pair_score_by_probability")]

    def __str__(self) -> str:
        return f"{self.probability:.3f} for pair {self.pair_id}"
