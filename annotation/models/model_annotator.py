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
    """A model as the annotator of a batch: a classifier or pair scorer of judgements, an aligner of links."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="model_annotators")
    job = models.OneToOneField(Job, models.CASCADE, related_name="model_annotator")
    classifier = models.ForeignKey(TrainedClassifier, models.RESTRICT, null=True, related_name="annotators")
    scorer = models.CharField(max_length=40, blank=True, help_text="Empty where another model answers.")
    aligner = models.CharField(
        max_length=40, blank=True, help_text="As the `suggester` of a batch; empty for judgements."
    )
    name = models.CharField(max_length=120, help_text="As pages and exports call it.")
    parameters = models.JSONField(
        help_text="`price` of an answer, `settings` of a scorer or aligner; of judgements `threshold` and "
        "`partial_from`."
    )
    signature = models.TextField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(classifier__isnull=False, scorer="", aligner="")
                | Q(classifier=None, aligner="") & ~Q(scorer="")
                | Q(classifier=None, scorer="") & ~Q(aligner=""),
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
    """A model's answer to an item: a label with its score, or links, or why there is none."""

    annotator = models.ForeignKey(ModelAnnotator, models.CASCADE, related_name="answers", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="model_answers")
    label = models.CharField(
        max_length=14, choices=Label.choices, blank=True, help_text="Empty: links, or the model failed."
    )
    score = models.FloatField(null=True, help_text="What the label was made from; empty without a label.")
    links = models.JSONField(null=True, help_text="[[a, b], ...] in order, all SURE; empty without links.")
    seconds = models.FloatField(help_text="How long the answer took.")
    problem = models.TextField(blank=True, help_text="Why there is no answer.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator", "item"], name="model_answer_once"),
            models.CheckConstraint(
                condition=Q(label__in=Label.values, score__isnull=False, links__isnull=True, problem="")
                | Q(label="", score=None, links__isnull=False, problem="")
                | Q(label="", score=None, links__isnull=True) & ~Q(problem=""),
                name="model_answer_or_problem",
            ),
        ]

    def __str__(self) -> str:
        answer = self.label or ("no answer" if self.links is None else "links")
        return f"{answer} to {self.item} by {self.annotator}"
