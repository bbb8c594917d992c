"""Answers to an item: judgements, sub-clusters, second looks, phenomena; decisions and gold sets."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_noop as _

from annotation.schemes import Label
from projects.models import GoldRule, Project, Removable, Scheme

from .item import Assignment, Batch, Item, ItemHeadline

IMPORTED = "imported"
POSTERIOR = "posterior"
GOLD_SET_RULES = [
    *GoldRule.choices,
    (POSTERIOR, _("Posterior, the rest adjudicated")),
    (IMPORTED, _("Imported with its labels")),
]


class Judgement(models.Model):
    """An annotator's present answer to an assignment; its history is in `Answer`."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="judgement")
    label = models.CharField(max_length=14, choices=Label.choices)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(label__in=Label.values), name="judgement_label")]

    def __str__(self) -> str:
        return f"{self.label} by {self.assignment.annotator}"


class Decision(models.Model):
    """An adjudicator's decision on an item: the label of its pair, or its links or sub-clusters.

    Decisions are added and never changed: the one with the highest version is valid, those before it are its
    history. `content` are links, [[a, b, strength], ...] in order, or lists of the numbers of headlines.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="decisions")
    adjudicator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(help_text="Counts the changes, from 1.")
    label = models.CharField(max_length=14, choices=Label.choices, blank=True)
    content = models.JSONField(null=True, help_text="Links or sub-clusters; empty where a label was decided")
    comment = models.TextField(blank=True)
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["item", "version"]
        constraints = [
            models.UniqueConstraint(fields=["item", "version"], name="decision_version"),
            models.CheckConstraint(
                condition=Q(label__in=Label.values, content__isnull=True)
                | Q(label="", content__isnull=False),
                name="decision_content",
            ),
        ]

    def __str__(self) -> str:
        return f"decision {self.version} on {self.item}"


class Pseudonym(models.Model):
    """The number under which an annotator appears in a project's reviews and exports."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="pseudonyms")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="pseudonym_user"),
            models.UniqueConstraint(fields=["project", "number"], name="pseudonym_number"),
        ]

    def __str__(self) -> str:
        return f"annotator-{self.number}"


class FrozenGold(Removable):
    """A version of a gold standard, with the figures that it came with; it never changes."""

    address: ClassVar[str]
    """The name of the address of its page."""

    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    agreement = models.JSONField()
    counts = models.JSONField()
    signature = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    frozen_at = models.DateTimeField(auto_now_add=True)

    already_frozen = False  # True where a freeze found nothing changed and returned this version

    class Meta:
        abstract = True

    def get_absolute_url(self) -> str:
        project: Project = self.project  # type: ignore[attr-defined]  # every subclass has one
        return reverse(self.address, args=[project.slug, self.pk])

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class GoldSet(FrozenGold):
    """A frozen, versioned gold standard of judgements, with the rule and the agreement it came from."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="gold_sets")
    batches = models.ManyToManyField(Batch, related_name="gold_sets")
    rule = models.CharField(max_length=24, choices=GOLD_SET_RULES)
    model_annotators = models.ManyToManyField(
        "annotation.ModelAnnotator",
        related_name="gold_sets",
        help_text="Models whose answers counted as those of further annotators.",
    )
    address = "gold-set"
    scheme = models.CharField(max_length=12, choices=Scheme.choices)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], condition=Q(deleted_at=None), name="gold_set_version"
            )
        ]


class GoldJudgement(models.Model):
    """The gold label of one item and a copy of all it was decided from.

    `votes` is a list of {annotator (pseudonym), label, comment, flagged, milliseconds, at};
    `adjudication` is {label, comment, at} or null.
    """

    gold_set = models.ForeignKey(GoldSet, models.CASCADE, related_name="judgements")
    item = models.ForeignKey(Item, models.PROTECT, related_name="gold_judgements")
    label = models.CharField(max_length=14, choices=Label.choices)
    votes = models.JSONField()
    adjudication = models.JSONField(null=True)

    class Meta:
        ordering = ["item__batch_id", "item__number"]
        constraints = [
            models.UniqueConstraint(fields=["gold_set", "item"], name="gold_judgement_once"),
            models.CheckConstraint(condition=Q(label__in=Label.values), name="gold_judgement_label"),
        ]

    def __str__(self) -> str:
        return f"{self.label} for {self.item}"


class SecondPass(models.Model):
    """The second pass of a batch of judgements or links, with the agreement before it and, once it has ended,
    after it."""

    batch = models.OneToOneField(Batch, models.CASCADE, related_name="second_pass")
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    before = models.JSONField(help_text="Agreement, by figure")
    after = models.JSONField(null=True)
    signature = models.TextField()

    def __str__(self) -> str:
        return f"second pass of {self.batch}"


class SecondLook(models.Model):
    """An annotator's disputed item: the answer of the first pass, and whether it was given again.

    Of a judgement `label` is the second answer, "" until there is one. Of links, `links` holds `first` and,
    until it is submitted, the `draft` of the second answer, each {links: [[a, b, strength, origin], ...],
    null_a, null_b}, and the cells that are `disputed`, [[a, b], ...].
    """

    second_pass = models.ForeignKey(SecondPass, models.CASCADE, related_name="looks")
    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="second_look")
    done = models.BooleanField(default=False)
    first_label = models.CharField(max_length=14, choices=Label.choices, blank=True)
    label = models.CharField(max_length=14, choices=Label.choices, blank=True, help_text="Empty: not yet")
    links = models.JSONField(null=True, help_text="Empty for a judgement")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first_label__in=Label.values, links__isnull=True)
                | Q(first_label="", links__isnull=False),
                name="second_look_first",
            ),
            models.CheckConstraint(
                condition=Q(label__in=Label.values, done=True, links__isnull=True)
                | Q(label="", done=False, links__isnull=True)
                | Q(label="", links__isnull=False),
                name="second_look_label",
            ),
        ]

    def __str__(self) -> str:
        return f"second look at {self.assignment}"


class Phenomenon(models.TextChoices):
    """Dolan, Quirk & Brockett (2004), section 5, in the order of table 2."""

    ELABORATION = "elaboration", _("Elaboration")
    PHRASAL = "phrasal", _("Phrasal")
    SPELLING = "spelling", _("Spelling")
    SYNONYMY = "synonymy", _("Synonymy")
    ANAPHORA = "anaphora", _("Anaphora")
    REORDERING = "reordering", _("Reordering")


MAX_COUNT = 99


class PhenomenonCount(models.Model):
    """The count of one phenomenon in one judged pair; who has counted has a row for each, also for 0."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="phenomena")
    phenomenon = models.CharField(max_length=11, choices=Phenomenon.choices)
    count = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "phenomenon"], name="phenomenon_once"),
            models.CheckConstraint(condition=Q(phenomenon__in=Phenomenon.values), name="phenomenon_name"),
            models.CheckConstraint(condition=Q(count__lte=MAX_COUNT), name="phenomenon_count"),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.phenomenon} in {self.assignment}"


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
        _("Adjudicated: the adjudicator decides where annotators disagree; undecided clusters are left out."),
    )
    SHARED = "shared", _("Shared: two headlines belong together only if every annotator put them together.")


class GoldSubclusterSet(FrozenGold):
    """Frozen, versioned sub-clusters, merged from the annotators of one batch by a named rule."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="gold_subcluster_sets")
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="gold_subcluster_sets")
    rule = models.CharField(max_length=24, choices=SubclusterRule.choices)
    address = "gold-subclusters"
    lineage = models.JSONField(default=dict, help_text="Which clusters were drawn, and how.")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "version"],
                condition=Q(deleted_at=None),
                name="gold_subclusters_version",
            ),
            models.CheckConstraint(condition=Q(rule__in=SubclusterRule.values), name="gold_subclusters_rule"),
        ]


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
