"""A project: one corpus, its people, and the rules by which it is judged."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse


class Scheme(models.TextChoices):
    BINARY = "binary", "Binary: paraphrase or not"
    THREE_WAY = "three_way", "Three-way: paraphrase, partial paraphrase, unrelated"


class GoldRule(models.TextChoices):
    DISAGREEMENT_NEGATIVE = "disagreement_negative", "Disagreement counts as not a paraphrase"
    MAJORITY = "majority", "Majority; a tie counts as not a paraphrase"
    ADJUDICATED = "adjudicated", "Adjudicated where people disagree"


class Role(models.TextChoices):
    MANAGER = "manager", "Manager"
    ADJUDICATOR = "adjudicator", "Adjudicator"
    ANNOTATOR = "annotator", "Annotator"
    VIEWER = "viewer", "Viewer"


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user) -> ProjectQuerySet:
        """The projects in which `user` has any role; all of them for an administrator."""
        if user.is_superuser:
            return self
        return self.filter(memberships__user_id=user.pk).distinct()


class ProjectManager(models.Manager.from_queryset(ProjectQuerySet)):  # type: ignore[misc]  # built at run time
    """All projects but those that only hold the rows of an unfinished import."""

    def get_queryset(self) -> ProjectQuerySet:
        return super().get_queryset().filter(staging=False)


class Project(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    language = models.CharField(max_length=35, default="en", help_text="BCP 47 tag of the text, such as en")
    scheme = models.CharField(max_length=12, choices=Scheme.choices, default=Scheme.BINARY)
    overlap = models.PositiveSmallIntegerField(default=2, help_text="Annotators for each pair")
    gold_rule = models.CharField(
        max_length=24, choices=GoldRule.choices, default=GoldRule.DISAGREEMENT_NEGATIVE
    )
    asks_phenomena = models.BooleanField(
        default=False, help_text="New judging batches have phenomena counted in paraphrases"
    )
    held_out_share = models.FloatField(default=0.0, help_text="Share of clusters kept apart, 0 to 0.9")
    seed = models.PositiveIntegerField(default=1, help_text="Decides which clusters are held out")
    near_duplicate_share = models.FloatField(
        null=True,
        blank=True,
        help_text="An article that shares this much of its text with one of its cluster is left out at the "
        "import, 0.1 to 1; empty: none is",
    )
    guidelines = models.TextField(blank=True, help_text="Markdown, shown to annotators")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    staging = models.BooleanField(
        default=False, help_text="Holds the rows of an unfinished import, out of sight"
    )

    objects = ProjectManager()
    everything = models.Manager()  # noqa: DJ012 - a second manager is taken for a field

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=1) & Q(overlap__lte=20), name="project_overlap"),
            models.CheckConstraint(
                condition=Q(held_out_share__gte=0) & Q(held_out_share__lte=0.9), name="project_held_out"
            ),
            models.CheckConstraint(
                condition=Q(near_duplicate_share=None)
                | Q(near_duplicate_share__gte=0.1, near_duplicate_share__lte=1),
                name="project_near_duplicates",
            ),
            models.CheckConstraint(condition=Q(scheme__in=Scheme.values), name="project_scheme"),
            models.CheckConstraint(condition=Q(gold_rule__in=GoldRule.values), name="project_gold_rule"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("project", args=[self.slug])

    def holds_out(self, cluster_key: str) -> bool:
        """Whether the cluster is held out: its hash under the project's seed falls below the share.

        The decision depends on seed and key alone, so a cluster imported later never moves another.
        """
        digest = hashlib.blake2b(f"{self.seed}\x1f{cluster_key}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.held_out_share * 2**64


class Membership(models.Model):
    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)

    class Meta:
        ordering = ["user__username", "role"]
        constraints = [
            models.UniqueConstraint(fields=["project", "user", "role"], name="membership_unique"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.project}"


class AuditEntry(models.Model):
    """Who did or saw what; what people may see only with a trace is among it."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="audit_entries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.user} {self.action} {self.target}"
