"""Models that answered a batch, in quarantine: no query for people's answers reads these tables."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.urls import reverse

from annotation.schemes import Label
from jobs.models import Job, JobState
from projects.models import Removable

from .item import Batch, Item
from .trained_classifier import TrainedClassifier


class ModelAnnotator(Removable):
    """A model, a classifier of the project or a pair scorer, as the annotator of a judging batch."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="model_annotators")
    job = models.OneToOneField(Job, models.CASCADE, related_name="model_annotator")
    classifier = models.ForeignKey(TrainedClassifier, models.RESTRICT, null=True, related_name="annotators")
    scorer = models.CharField(max_length=40, blank=True, help_text="Empty where a classifier answers.")
    name = models.CharField(max_length=120, help_text="As pages and exports call it.")
    parameters = models.JSONField(
        help_text="`threshold`, `partial_from`, `price` of an answer, and `settings` of a scorer."
    )
    signature = models.TextField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(classifier__isnull=False, scorer="") | Q(classifier=None) & ~Q(scorer=""),
                name="model_annotator_source",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("model-annotator", args=[self.batch.project.slug, self.pk])

    @property
    def finished(self) -> bool:
        return self.job.state == JobState.DONE


class ModelAnswer(models.Model):
    """A model's answer to an item: a label with its score, or why there is none."""

    annotator = models.ForeignKey(ModelAnnotator, models.CASCADE, related_name="answers", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="model_answers")
    label = models.CharField(
        max_length=14, choices=Label.choices, blank=True, help_text="Empty: the model failed."
    )
    score = models.FloatField(null=True, help_text="What the label was made from; empty: the model failed.")
    seconds = models.FloatField(help_text="How long the answer took.")
    problem = models.TextField(blank=True, help_text="Why there is no answer.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator", "item"], name="model_answer_once"),
            models.CheckConstraint(
                condition=Q(label__in=Label.values, score__isnull=False, problem="")
                | Q(label="", score=None) & ~Q(problem=""),
                name="model_answer_or_problem",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label or 'no answer'} to {self.item} by {self.annotator}"
