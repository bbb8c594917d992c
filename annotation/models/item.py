"""Batches of items, and the assignments of items to annotators."""

from __future__ import annotations

from typing import ClassVar, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_noop as _

from corpus.models import Article, CandidatePair, Cluster, CorpusImport, Dataset
from projects.models import Kept, PhenomenaScope, Project, Removable, RemovableQuerySet, Scheme


class BatchKind(models.TextChoices):
    JUDGE = "judge", _("Judge pairs")
    LINK = "link", _("Link words")
    SPLIT = "split", _("Split clusters")


class BatchState(models.TextChoices):
    OPEN = "open", _("Open")
    CLOSED = "closed", _("Closed")


class HandingOut(models.TextChoices):
    AT_ONCE = "at_once", _("At once: every item is assigned when the batch is drawn")
    AS_THEY_COME = "as_they_come", _("On demand: each free annotator takes the next item")


class Measure(models.TextChoices):
    ACCURACY = "accuracy", _("Accuracy")
    KAPPA = "kappa", _("Cohen's kappa")


# Columns are OWN_BATCH_FIELDS and PROJECT_FIELDS, then `qualified` and `guidelines_read` of the batch.
OWN_BATCH = """
SELECT batch.id, batch.project_id, batch.name, batch.kind, batch.state, batch.scheme, batch.handing_out,
    batch.lease_minutes, batch.measure, batch.requires_id, batch.suggestions_pending, project.id,
    project.slug, project.name, project.language, project.second_language, project.guidelines_version,
    batch.requires_id IS NULL OR EXISTS (
        SELECT 1 FROM annotation_trainingtry attempt
        WHERE attempt.batch_id = batch.requires_id AND attempt.annotator_id = %(user)s AND attempt.passed
    ),
    member.guidelines_version >= project.guidelines_version
FROM annotation_batch batch JOIN projects_project project ON project.id = batch.project_id
JOIN projects_membership member
    ON member.project_id = project.id AND member.user_id = %(user)s AND member.role = 'annotator'
WHERE batch.id = %(batch)s AND batch.deleted_at IS NULL AND project.deleted_at IS NULL
AND (
    EXISTS (
        SELECT 1 FROM annotation_assignment mine JOIN annotation_item item ON item.id = mine.item_id
        WHERE item.batch_id = batch.id AND mine.annotator_id = %(user)s
    )
    OR batch.handing_out = 'as_they_come' AND EXISTS (
        SELECT 1 FROM annotation_batchannotator settled
        WHERE settled.batch_id = batch.id AND settled.annotator_id = %(user)s
    )
)
"""
# In the order of the model's fields, as `from_db` takes them.
COMMON_FIELDS = ("id", "project_id", "name", "kind", "state", "scheme", "handing_out")
BATCH_FIELDS = (*COMMON_FIELDS, "measure", "requires_id")
OWN_BATCH_FIELDS = (*COMMON_FIELDS, "lease_minutes", "measure", "requires_id", "suggestions_pending")
PROJECT_FIELDS = ("id", "slug", "name", "language", "second_language", "guidelines_version")


class BatchQuerySet(RemovableQuerySet):
    def assigned_to(self, user) -> BatchQuerySet:
        """Batches that hold items of the user, or that the user may take items of."""
        mine = Assignment.objects.filter(annotator=user).values("item__batch")
        return self.filter(Q(pk__in=mine) | Q(Exists(takes_part(user, "pk")) & Q(handing_out="as_they_come")))

    def own(self, user, pk: int) -> Batch | None:
        """A batch `assigned_to` the user, who still annotates its project, with the project; other fields are
        read when they are asked for."""
        with connection.cursor() as cursor:
            cursor.execute(OWN_BATCH, {"batch": pk, "user": user.pk})
            row = cursor.fetchone()
        if row is None:
            return None
        *columns, qualified, read = row
        batch = Batch.from_db(connection.alias, OWN_BATCH_FIELDS, columns[: len(OWN_BATCH_FIELDS)])
        batch.project = Project.from_db(connection.alias, PROJECT_FIELDS, columns[len(OWN_BATCH_FIELDS) :])
        batch.qualified, batch.guidelines_read = bool(qualified), bool(read)
        return batch


class BatchManager(Kept, models.Manager.from_queryset(BatchQuerySet)):  # type: ignore[misc]  # built at run time
    pass


class Batch(Removable):
    """Items that belong together: for judging drawn from a dataset, for linking from a gold set's
    paraphrases, for splitting from the project's clusters; or the pairs of a file that was imported with
    its labels or links."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="batches")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=5, choices=BatchKind.choices)
    state = models.CharField(max_length=6, choices=BatchState.choices, default=BatchState.OPEN)
    dataset = models.ForeignKey(Dataset, models.PROTECT, null=True, related_name="batches")
    gold_set = models.ForeignKey("annotation.GoldSet", models.PROTECT, null=True, related_name="link_batches")
    corpus_import = models.ForeignKey(CorpusImport, models.PROTECT, null=True, related_name="batches")
    scheme = models.CharField(max_length=12, choices=Scheme.choices)
    overlap = models.PositiveSmallIntegerField()
    handing_out = models.CharField(max_length=12, choices=HandingOut.choices, default=HandingOut.AT_ONCE)
    lease_minutes = models.PositiveIntegerField(
        default=60, help_text="Minutes after which an item that was not answered goes to somebody else."
    )
    seed = models.PositiveIntegerField()
    count_phenomena = models.CharField(
        max_length=11,
        choices=PhenomenaScope.choices,
        default=PhenomenaScope.NONE,
        help_text="In which pairs annotators count phenomena.",
    )
    sampling = models.JSONField(default=dict, help_text="Sampling method and source")
    third_judgement = models.BooleanField(
        default=False, help_text="Whether a pair gets a third annotator where its two annotators differ."
    )
    trial = models.BooleanField(
        default=False,
        help_text="A trial of one person, or a training: it is never frozen as gold, is no part of the "
        "project's progress, and its pairs are drawn again.",
    )
    measure = models.CharField(
        max_length=8,
        choices=Measure.choices,
        blank=True,
        help_text="Of a training: what is compared with its threshold; empty for every other batch.",
    )
    threshold = models.FloatField(
        null=True, help_text="Of a training: the minimum of the measure, 0 to 1, to pass it."
    )
    requires = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        related_name="required_by",
        help_text="The training that annotators must have passed.",
    )
    suggester = models.CharField(
        max_length=40, blank=True, help_text="Name of the aligner whose links are suggested; empty for none."
    )
    shows_decisions = models.BooleanField(
        default=False,
        help_text="Whether annotators see, once it is closed, decisions that differ from their answers.",
    )
    suggestions_pending = models.BooleanField(
        default=False, help_text="Whether nobody gets items, since the suggestions are not stored yet."
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[BatchManager] = BatchManager()

    # Of a person's own batch (`BatchQuerySet.own`): whether the training that it requires is passed, and the
    # present guidelines are confirmed.
    qualified = True
    guidelines_read = True

    @property
    def page(self) -> str:
        """The name of its page for those who may see everybody's answers."""
        return "batch" if self.kind == BatchKind.JUDGE else f"{self.kind}-detail"

    def get_absolute_url(self) -> str:
        return reverse(self.page, args=[self.project.slug, self.pk])

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], condition=Q(deleted_at=None), name="batch_name"
            ),
            models.CheckConstraint(
                condition=Q(kind="judge", dataset__isnull=False, gold_set=None, corpus_import=None)
                | Q(kind="link", dataset=None, gold_set__isnull=False, corpus_import=None)
                | Q(kind="split", dataset=None, gold_set=None, corpus_import=None)
                | Q(kind__in=["judge", "link"], dataset=None, gold_set=None, corpus_import__isnull=False)
                | Q(kind="judge", trial=True, threshold__isnull=False, dataset=None, gold_set=None),
                name="batch_source",
            ),
            models.CheckConstraint(
                condition=Q(measure="", threshold=None)
                | Q(measure__in=Measure.values, threshold__gte=0, threshold__lte=1, trial=True),
                name="batch_training",
            ),
            models.CheckConstraint(condition=Q(state__in=BatchState.values), name="batch_state"),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="batch_overlap"),
            models.CheckConstraint(condition=Q(handing_out__in=HandingOut.values), name="batch_handing_out"),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="batch_lease"),
            models.CheckConstraint(
                condition=Q(count_phenomena__in=PhenomenaScope.values), name="batch_count_phenomena"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class BatchAnnotator(models.Model):
    """Quota and pause of an annotator of a batch; without a row: no quota, not paused."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="annotators")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    quota = models.PositiveIntegerField(
        null=True, help_text="Maximum number of items of the batch for this person; empty for no limit."
    )
    paused = models.BooleanField(
        default=False, help_text="Whether the person gets no items until a manager resumes the work."
    )
    competence = models.FloatField(
        null=True,
        help_text="Balanced accuracy, 0 to 1, estimated from earlier batches when the batch was drawn; empty "
        "if unknown. By it third judgements are assigned.",
    )

    class Meta:
        ordering = ["batch", "annotator"]
        constraints = [models.UniqueConstraint(fields=["batch", "annotator"], name="batch_annotator_once")]

    def __str__(self) -> str:
        return f"{self.annotator} in {self.batch}"


def takes_part(user, batch: str) -> models.QuerySet[BatchAnnotator]:
    """The user's row in the batch that an outer query calls `batch`."""
    return BatchAnnotator.objects.filter(batch=OuterRef(batch), annotator=user)


class ItemManager(models.Manager["Item"]):
    """All items but those whose right answer is known: nothing is counted, estimated or learned from these.

    Annotators get them through `Assignment`, which does not tell them apart.
    """

    def get_queryset(self) -> models.QuerySet[Item]:
        return super().get_queryset().filter(known_label="")


class Item(models.Model):
    """A pair of a batch, or in a batch for splitting a cluster with its `headlines`.

    The right label of some is known: of all items of a training, where it is shown after the answer, and of
    the control items of other batches, where it is shown to managers alone.
    """

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="items")
    # None for an item of the other kind, which no page of this kind starts from: hence the narrower types.
    pair: models.ForeignKey[CandidatePair, CandidatePair] = models.ForeignKey(  # type: ignore[misc]  # narrower
        CandidatePair, models.PROTECT, null=True, related_name="items"
    )
    cluster: models.ForeignKey[Cluster, Cluster] = models.ForeignKey(  # type: ignore[misc]  # narrower
        Cluster, models.PROTECT, null=True, related_name="items"
    )
    number = models.PositiveIntegerField(help_text="Place in the batch, from 1")
    stratum = models.TextField(blank=True, default="", help_text="Empty in a plain random draw")
    flagged = models.BooleanField(default=False, help_text="By a manager; annotators do not see it")
    known_label = models.CharField(
        max_length=14, blank=True, default="", help_text="The right label, where it is known"
    )

    objects = ItemManager()
    everything = models.Manager()  # noqa: DJ012 - a second manager is taken for a field

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "pair"], name="item_pair_once"),
            models.UniqueConstraint(fields=["batch", "cluster"], name="item_cluster_once"),
            models.UniqueConstraint(fields=["batch", "number"], name="item_number"),
            models.CheckConstraint(
                condition=Q(pair__isnull=False, cluster=None) | Q(pair=None, cluster__isnull=False),
                name="item_subject",
            ),
        ]

    def __str__(self) -> str:
        return f"item {self.number} of {self.batch}"


class ItemHeadline(models.Model):
    """A headline of an item's cluster: the title of one of its articles, fixed when the item was drawn."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="headlines")
    article = models.ForeignKey(Article, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(help_text="Place in the item, from 1")

    class Meta:
        ordering = ["item", "number"]
        constraints = [
            models.UniqueConstraint(fields=["item", "article"], name="item_headline_once"),
            models.UniqueConstraint(fields=["item", "number"], name="item_headline_number"),
        ]

    def __str__(self) -> str:
        return f"headline {self.number} of {self.item}"


class AssignmentState(models.TextChoices):
    OPEN = "open", _("Open")
    DONE = "done", _("Done")
    SKIPPED = "skipped", _("Skipped")


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def of(self, user) -> AssignmentQuerySet:
        """Blindness begins here: an annotator's pages and API start from this and nothing wider."""
        return self.filter(annotator=user)

    def with_sentences(self) -> AssignmentQuerySet:
        items = self.select_related("item__batch__project", "second_look__second_pass")
        return items.select_related("item__pair__sentence_a", "item__pair__sentence_b")

    def own_with_batch(self, user, pk: int) -> Assignment | None:
        """An assignment `of` the user, who still annotates its project, with item and batch; other fields of
        the three are read when they are asked for."""
        with connection.cursor() as cursor:
            cursor.execute(OWN_WITH_BATCH, [pk, user.pk])
            row = cursor.fetchone()
        if row is None or not row[-1]:
            return None
        place, item = len(PLACE_FIELDS), len(PLACE_FIELDS) + len(ITEM_FIELDS)
        assignment = Assignment.from_db(connection.alias, PLACE_FIELDS, row[:place])
        assignment.item = Item.from_db(connection.alias, ITEM_FIELDS, row[place:item])
        assignment.item.batch = Batch.from_db(connection.alias, BATCH_FIELDS, row[item:-2])
        assignment.item.batch.qualified = bool(row[-2])
        return assignment


# What storing an answer needs, in the order of PLACE_FIELDS, ITEM_FIELDS and BATCH_FIELDS. In SQL, since
# Django compiles a query each time, and this is asked for with every answer.
OWN_WITH_BATCH = """
SELECT mine.id, mine.item_id, mine.annotator_id, mine.position, mine.state, mine.version,
    item.id, item.batch_id, item.pair_id, item.cluster_id, item.number,
    batch.id, batch.project_id, batch.name, batch.kind, batch.state, batch.scheme, batch.handing_out,
    batch.measure, batch.requires_id,
    batch.requires_id IS NULL OR EXISTS (
        SELECT 1 FROM annotation_trainingtry attempt
        WHERE attempt.batch_id = batch.requires_id AND attempt.annotator_id = mine.annotator_id
        AND attempt.passed
    ),
    EXISTS (
        SELECT 1 FROM projects_membership member
        JOIN projects_project project ON project.id = member.project_id
        WHERE project.id = batch.project_id AND project.deleted_at IS NULL
        AND member.user_id = mine.annotator_id AND member.role = 'annotator'
    )
FROM annotation_assignment mine
JOIN annotation_item item ON item.id = mine.item_id
JOIN annotation_batch batch ON batch.id = item.batch_id
WHERE mine.id = %s AND mine.annotator_id = %s AND batch.deleted_at IS NULL
"""
PLACE_FIELDS = ("id", "item_id", "annotator_id", "position", "state", "version")
ITEM_FIELDS = ("id", "batch_id", "pair_id", "cluster_id", "number")


class Assignment(models.Model):
    """One item for one annotator. `version` grows with every stored answer; an answer to an older one
    is refused, so nothing is overwritten unseen.

    In a batch that is assigned on demand it is a place that `annotator` has taken until
    `leased_until`, or that nobody has taken yet.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="assignments")
    # None for an untaken place, which nobody's pages or answers start from: hence the narrower type.
    annotator: models.ForeignKey[User, User] = models.ForeignKey(  # type: ignore[misc]  # narrower
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="assignments"
    )
    position = models.PositiveIntegerField(help_text="Place in the annotator's queue, from 1; 0 if untaken")
    leased_until = models.DateTimeField(null=True, help_text="After this another may take it, if unanswered")
    state = models.CharField(max_length=7, choices=AssignmentState.choices, default=AssignmentState.OPEN)
    version = models.PositiveIntegerField(default=0)
    flagged = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    milliseconds = models.PositiveIntegerField(default=0, help_text="From display of the item to the answer")
    answered_at = models.DateTimeField(null=True)
    context_opened = models.BooleanField(
        default=False, help_text="Whether the annotator has looked at the sentences around the pair"
    )

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="assignment_once"),
            models.CheckConstraint(condition=Q(state__in=AssignmentState.values), name="assignment_state"),
            models.CheckConstraint(
                condition=Q(annotator__isnull=False) | Q(state="open", version=0), name="assignment_untaken"
            ),
        ]
        indexes = [models.Index(fields=["annotator", "state", "position"], name="assignment_queue")]

    def __str__(self) -> str:
        return f"{self.item} for {self.annotator}"

    @property
    def person(self) -> int:
        """The id of the annotator of a place that somebody has taken."""
        return cast(int, self.annotator_id)


class Answer(models.Model):
    """Every answer that was ever acknowledged, in order: nothing here is changed or deleted.

    `key` is the client's idempotency key; the same answer with it again returns `response` and stores
    nothing.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="answers")
    key = models.UUIDField()
    version = models.PositiveIntegerField(help_text="The version that this answer made")
    body = models.JSONField()
    body_sha256 = models.CharField(max_length=64, blank=True, default="", help_text="Hash of the request")
    response = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "key"], name="answer_idempotent"),
            models.UniqueConstraint(fields=["assignment", "version"], name="answer_version"),
        ]

    def __str__(self) -> str:
        return f"answer {self.version} to {self.assignment}"


class TrainingTry(models.Model):
    """A training that an annotator has answered to the end, with its result."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="tries")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField(help_text="Counts the person's tries, from 1.")
    items = models.PositiveIntegerField(help_text="Answered pairs")
    right = models.PositiveIntegerField(help_text="Pairs with the right answer")
    value = models.FloatField(null=True, help_text="Value of the measure; empty where it is undefined")
    passed = models.BooleanField()
    ended_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["batch", "annotator", "number"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "annotator", "number"], name="training_try_number")
        ]

    def __str__(self) -> str:
        return f"try {self.number} of {self.batch}"
