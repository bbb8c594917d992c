"""Pages whose blocks people have marked as main text or not, and the models that were trained on them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from projects.models import Project


class MarkedPage(models.Model):
    """A page of which somebody has marked every block.

    `blocks` are rows of tag, tags around, text and linked characters, as those of
    `paragold.sources.pages.blocks` are; `marks` says of each, in order, whether it is main text.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="marked_pages")
    name = models.CharField(max_length=400)
    sha256 = models.CharField(max_length=64, help_text="Of the blocks, by which the page is known again")
    blocks = models.JSONField()
    marks = models.JSONField()
    marked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    marked_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "sha256"], name="marked_page_once"),
        ]

    def __str__(self) -> str:
        return self.name


class TrainedStoryModel(models.Model):
    """A hidden Markov model of main text, counted from a project's marked pages; never changed.

    `numbers` is what `MainTextModel.to_json` writes; `figures` are precision, recall and F of words, in
    percent, each page found by a model of others; empty where the pages were too few for that.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="story_models")
    version = models.PositiveIntegerField()
    numbers = models.JSONField()
    sha256 = models.CharField(max_length=64, help_text="Of the numbers")
    pages = models.PositiveIntegerField()
    blocks = models.PositiveIntegerField()
    figures = models.JSONField(default=dict)
    trained_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    trained_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="story_model_version"),
        ]

    def __str__(self) -> str:
        return f"HMM, version {self.version}"
