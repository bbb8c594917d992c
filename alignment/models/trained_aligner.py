"""Word aligners that were trained in a project, and what they were used for."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from corpus.models import CandidatePair, Dataset
from jobs.models import Job
from paragold.aligners.aligner import Aligner, transfer_in_words
from paragold.aligners.best import encoder_in
from paragold.aligners.registry import stored_aligner
from paragold.metrics.links import links_of
from projects.models import Kept, Project, Removable, RemovableQuerySet

from .alignment import GoldAlignmentSet


class TrainedAlignerQuerySet(RemovableQuerySet):
    def ready(self) -> TrainedAlignerQuerySet:
        """The aligners whose training has ended."""
        return self.exclude(sha256="")

    def offered(self) -> TrainedAlignerQuerySet:
        """The aligners that may be chosen: trained and not archived."""
        return self.ready().current()


class TrainedAlignerManager(Kept, models.Manager.from_queryset(TrainedAlignerQuerySet)):  # type: ignore[misc]  # built at run time
    pass


class TrainedAligner(Removable):
    """One trained word aligner: what it was trained on and how, and the file that holds its numbers.

    The file is named by `sha256`, the hash over the numbers and their description, which is empty until
    the training has ended: equal inputs give equal hashes. `iterations` are {model, forward, backward},
    log-likelihoods (natural) of both directions before each M-step. `learning_curve` are {pairs, scores}
    by number of gold pairs that were learned from, scores on pairs that were held out, as an Evaluation has
    them; `held_out` are the links of the folds, until the curve is drawn.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="trained_aligners")
    job = models.OneToOneField(Job, models.CASCADE, related_name="trained_aligner")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    aligner = models.CharField(max_length=40, help_text="Name of the aligner in the registry.")
    learns_from_gold = models.BooleanField(default=False, help_text="Whether it is trained on gold links")
    parameters = models.JSONField(help_text="Values of the parameters by name.")
    datasets = models.ManyToManyField(Dataset, related_name="trained_aligners")
    texts = models.ManyToManyField(
        GoldAlignmentSet,
        related_name="text_of",
        help_text="Gold links whose sentences, never their links, are training text too.",
    )
    gold_set = models.ForeignKey(
        GoldAlignmentSet,
        models.PROTECT,
        null=True,
        related_name="taught",
        help_text="Gold links of the supervised step",
    )
    other_gold = models.ManyToManyField(
        GoldAlignmentSet,
        related_name="taught_besides",
        help_text="Other gold links, used as far as they help on those of `gold_set`",
    )
    pairs = models.PositiveIntegerField(help_text="How many sentence pairs it is trained on.")
    pairs_held_out = models.PositiveIntegerField(
        default=0, help_text="Pairs of held-out clusters that were left out of its training text."
    )
    iterations = models.JSONField(default=list)
    held_out = models.JSONField(default=dict)
    learning_curve = models.JSONField(default=list)
    transfers = models.JSONField(
        default=list, help_text="What gold links said of the starting point and of other gold links"
    )
    signature = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    bytes = models.PositiveBigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[TrainedAlignerManager] = TrainedAlignerManager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "version"],
                condition=Q(deleted_at=None),
                name="trained_aligner_version",
            ),
            models.CheckConstraint(
                condition=Q(sha256="", bytes=0) | (~Q(sha256="") & Q(bytes__gt=0)),
                name="trained_aligner_whole",
            ),
            models.CheckConstraint(
                condition=Q(gold_set=None) | Q(learns_from_gold=True), name="trained_aligner_gold"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def ready(self) -> bool:
        return bool(self.sha256)

    @property
    def transfers_in_words(self) -> list[str]:
        """Whether that which was learned elsewhere helps, with figures; [] where there was no choice."""
        return [transfer_in_words(step) for step in self.transfers]

    @property
    def encoder(self) -> str:
        """Name, licence and SHA-256 of the encoder that it uses; "" without one."""
        return encoder_in(self.signature)

    @property
    def estimator(self) -> Aligner:
        return stored_aligner(self.parameters)


class AlignerRun(Removable):
    """A trained aligner applied to the pairs of a dataset or of a set of gold links, by a job."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="aligner_runs")
    job = models.OneToOneField(Job, models.CASCADE, related_name="aligner_run")
    trained = models.ForeignKey(TrainedAligner, models.PROTECT, related_name="runs")
    dataset = models.ForeignKey(Dataset, models.PROTECT, null=True, related_name="aligner_runs")
    gold_set = models.ForeignKey(GoldAlignmentSet, models.PROTECT, null=True, related_name="aligner_runs")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(dataset=None, gold_set__isnull=False) | Q(dataset__isnull=False, gold_set=None),
                name="aligner_run_one_target",
            ),
            models.UniqueConstraint(
                fields=["trained", "dataset"],
                condition=Q(dataset__isnull=False, deleted_at=None),
                name="aligner_run_dataset_once",
            ),
            models.UniqueConstraint(
                fields=["trained", "gold_set"],
                condition=Q(gold_set__isnull=False, deleted_at=None),
                name="aligner_run_gold_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.trained} on {self.target}"

    @property
    def target(self) -> Any:
        """The dataset or the set of gold links."""
        return self.dataset or self.gold_set


class AutomaticAlignment(models.Model):
    """The links that a run drew for one pair, as `0-0 1-2`; empty where it drew none.

    The database holds no foreign key of the pair, as for findings (docs/adr/0004).
    """

    run = models.ForeignKey(AlignerRun, models.CASCADE, related_name="alignments")
    pair = models.ForeignKey(
        CandidatePair, models.CASCADE, related_name="automatic_alignments", db_constraint=False
    )
    links = models.TextField(blank=True)

    class Meta:
        ordering = ["pair_id"]
        constraints = [models.UniqueConstraint(fields=["run", "pair"], name="automatic_alignment_once")]

    def __str__(self) -> str:
        return f"links of pair {self.pair_id} by {self.run}"

    @property
    def link_list(self) -> list[tuple[int, int]]:
        """The links as token indices from 0, in ascending order."""
        return links_of(self.links)
