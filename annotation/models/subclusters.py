"""Sub-clusters: where annotators put headlines, and what was frozen as gold."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from projects.models import Project, Removable

from .item import Assignment, Batch, Item, ItemHeadline


class Placement(models.Model):
    """Where an annotator put a headline: into group `group`, or (None) into none. Without a row it is open.

    The numbers of groups are the annotator's own: only who shares a group with whom is compared.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="placements")
    headline = models.ForeignKey(ItemHeadline, models.CASCADE, related_name="placements")
    group = models.PositiveSmallIntegerField(null=True, help_text="From 1; empty: in no group")

    class Meta:
        ordering = ["assignment", "headline__number"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "headline"], name="placement_once"),
            models.CheckConstraint(condition=Q(group=None) | Q(group__gte=1), name="placement_group"),
        ]

    def __str__(self) -> str:
        return f"{self.headline} in group {self.group}"


class SubclusterRule(models.TextChoices):
    ADJUDICATED = (
        "adjudicated",
        "Adjudicated: as an adjudicator decided where people differ; clusters that wait for a decision are "
        "left out.",
    )
    SHARED = "shared", "Shared: two headlines belong together only where every annotator put them together."


class GoldSubclusterSet(Removable):
    """Frozen, versioned sub-clusters, merged from the annotators of one batch by a named rule."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="gold_subcluster_sets")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="gold_subcluster_sets")
    rule = models.CharField(max_length=24, choices=SubclusterRule.choices)
    agreement = models.JSONField()
    counts = models.JSONField()
    lineage = models.JSONField(default=dict, help_text="Which clusters were drawn, and how")
    signature = models.CharField(max_length=500)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    frozen_at = models.DateTimeField(auto_now_add=True)

    already_frozen = False  # True where a freeze found nothing changed and returned this version

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name", "version"], name="gold_subclusters_version"),
            models.CheckConstraint(condition=Q(rule__in=SubclusterRule.values), name="gold_subclusters_rule"),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class GoldSubclusters(models.Model):
    """The gold sub-clusters of one cluster, and a copy of all they were decided from.

    `subclusters` are lists of two or more article keys; headlines in none of them stand alone. `versions`
    is a list of {annotator (pseudonym), subclusters, comment, flagged, at}; `adjudication` is {adjudicator
    (pseudonym), version, comment, at} where one decided, or null.
    """

    gold_set = models.ForeignKey(GoldSubclusterSet, models.CASCADE, related_name="clusters")
    item = models.ForeignKey(Item, models.PROTECT, related_name="gold_subclusters")
    subclusters = models.JSONField()
    versions = models.JSONField()
    adjudication = models.JSONField(null=True)

    class Meta:
        ordering = ["item__number"]
        constraints = [models.UniqueConstraint(fields=["gold_set", "item"], name="gold_subclusters_once")]

    def __str__(self) -> str:
        return f"gold sub-clusters of {self.item}"
