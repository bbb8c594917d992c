"""Word links: what each annotator drew, what was merged into gold, how aligners scored against it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from annotation.models import Assignment, Batch, FrozenGold, Item, ModelAnnotator
from projects.models import Project, Removable


class Strength(models.TextChoices):
    SURE = "sure", _("Sure")
    POSSIBLE = "possible", _("Possible")


class Origin(models.TextChoices):
    DRAWN = "drawn", _("Drawn")
    ACCEPTED = "accepted", _("Accepted suggestion")
    IMPORTED = "imported", _("Imported")


class Alignment(models.Model):
    """An annotator's present link set for one pair; its history is in `annotation.Answer`.

    `null_a` and `null_b` are the token indices marked as having no counterpart. `offered` are the suggestions
    that the annotator was shown from the beginning to the end; null: none.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="alignment")
    offered = models.ForeignKey("SuggestedLinks", models.SET_NULL, null=True, related_name="+")
    null_a = models.JSONField(default=list)
    null_b = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"alignment of {self.assignment}"


class SuggestedLinks(models.Model):
    """What one aligner suggested for an item, [[a, b], ...] in order; never changed.

    `setting` is the batch's setting they were drawn for, `signature` that of the aligner. Of the rows with
    the setting that the batch has now, the one with the highest id stands. `reasons` tell for each link
    what spoke for it, in words; [] where its aligner tells none.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="suggested_links")
    setting = models.CharField(max_length=40)
    signature = models.TextField()
    links = models.JSONField()
    reasons = models.JSONField(default=list)
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["item", "setting", "signature"], name="suggested_links_once")
        ]

    def __str__(self) -> str:
        return f"links suggested for {self.item} by {self.setting}"


class WordLink(models.Model):
    """A link between token `a` of the pair's first sentence and token `b` of its second, from 0.

    `suggested_by` are the suggestions that an accepted link was among; its signature names the aligner.
    """

    alignment = models.ForeignKey(Alignment, models.CASCADE, related_name="links")
    a = models.PositiveIntegerField()
    b = models.PositiveIntegerField()
    strength = models.CharField(max_length=8, choices=Strength.choices)
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.DRAWN)
    suggested_by = models.ForeignKey(SuggestedLinks, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["a", "b"]
        constraints = [
            models.UniqueConstraint(fields=["alignment", "a", "b"], name="word_link_once"),
            models.CheckConstraint(condition=Q(strength__in=Strength.values), name="word_link_strength"),
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="word_link_origin"),
            models.CheckConstraint(
                condition=Q(suggested_by=None) | Q(origin=Origin.ACCEPTED), name="word_link_suggested"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.a}-{self.b} {self.strength}"


class GoldAlignmentSet(FrozenGold):
    """Frozen, versioned gold word links, merged from the annotators of one batch by a named rule."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="gold_alignment_sets")
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="gold_alignment_sets")
    rule = models.CharField(max_length=24)
    model_annotators = models.ManyToManyField(
        ModelAnnotator,
        related_name="gold_links",
        help_text="Models whose links counted as those of further annotators.",
    )
    address = "gold-links"
    lineage = models.JSONField(default=dict, help_text="Origin of the pairs and links.")

    class Meta:
        verbose_name = "set of gold links"
        verbose_name_plural = "sets of gold links"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], condition=Q(deleted_at=None), name="gold_links_version"
            )
        ]


class GoldAlignment(models.Model):
    """The gold links of one pair, [[a, b, strength], ...] in order, and a copy of every annotator's own.

    `versions` is a list of {annotator (pseudonym), links, null_a, null_b, comment, flagged, at};
    `adjudication` is {adjudicator (pseudonym), version, comment, at} where one decided, or null.
    """

    gold_set = models.ForeignKey(GoldAlignmentSet, models.CASCADE, related_name="alignments")
    item = models.ForeignKey(Item, models.PROTECT, related_name="gold_alignments")
    links = models.JSONField()
    versions = models.JSONField()
    adjudication = models.JSONField(null=True)

    class Meta:
        ordering = ["item__number"]
        constraints = [models.UniqueConstraint(fields=["gold_set", "item"], name="gold_alignment_once")]

    def __str__(self) -> str:
        return f"gold links of {self.item}"


class Evaluation(models.Model):
    """An aligner's scores on a set of gold links, as `paragold.metrics` returns them, in shares 0 to 1."""

    gold_set = models.ForeignKey(GoldAlignmentSet, models.CASCADE, related_name="evaluations")
    aligner = models.CharField(max_length=40)
    trained = models.ForeignKey(
        "TrainedAligner", models.SET_NULL, null=True, related_name="evaluations", help_text="If it was one"
    )
    scores = models.JSONField()
    signature = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["gold_set", "signature"], name="evaluation_once")]

    def __str__(self) -> str:
        return f"{self.aligner} on {self.gold_set}"


class Export(Removable):
    """A data set that was written out: one zip file, the same bytes whenever made from the same gold."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="exports")
    name = models.CharField(max_length=120)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    manifest = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "sha256"], condition=Q(deleted_at=None), name="export_once"
            )
        ]

    def __str__(self) -> str:
        return self.name
