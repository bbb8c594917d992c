"""Tables of alignment error rates: training sets and aligners against test sets."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from corpus.models import Dataset
from jobs.models import Job
from paragold.aligners.aligner import Aligner, transfer_in_words
from paragold.aligners.registry import aligner_label, stored_aligner
from paragold.metrics.links import links_of
from projects.models import Project, Removable

from .alignment import GoldAlignmentSet


class Experiment(Removable):
    """Aligners trained on several sets of pairs, each scored on several sets of gold links.

    `comparisons` are {gold set id: {words: {best, others, better}}}, shares from 0 to 1, empty until the job
    has ended. `others` are {row number: {difference, interval, p}} of the row with the lowest AER, `best`,
    against every other one; `better`, of small tables only, {row number: [rows it is significantly better
    than]}.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="experiments")
    job = models.OneToOneField(Job, models.CASCADE, related_name="experiment")
    name = models.CharField(max_length=80)
    gold_sets = models.ManyToManyField(GoldAlignmentSet, related_name="experiments")
    test_sentences = models.BooleanField(
        help_text="Whether the sentences of the gold sets, never their links, are training text too."
    )
    held_out_sentences = models.BooleanField(
        default=False,
        help_text="Whether these sentences include pairs of held-out clusters, which are left out of "
        "all other training text.",
    )
    comparisons = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], condition=Q(deleted_at=None), name="experiment_name"
            )
        ]

    def __str__(self) -> str:
        return self.name


class ExperimentRow(models.Model):
    """One training: an aligner and what it learns from; without dataset it learns nothing.

    `taught_by` are the gold links that the aligner learned from, if any, `other_gold` those that were used
    beside them as far as they help, and `transfers` says whether they do, as of a TrainedAligner.
    """

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="rows")
    number = models.PositiveIntegerField()
    dataset = models.ForeignKey(Dataset, models.PROTECT, null=True, related_name="experiment_rows")
    aligner = models.CharField(max_length=40, help_text="Name of the aligner in the registry.")
    learns_from_gold = models.BooleanField(default=False, help_text="Whether it is trained on gold links")
    parameters = models.JSONField(default=dict, help_text="Values of the parameters by name.")
    taught_by = models.ForeignKey(
        GoldAlignmentSet, models.PROTECT, null=True, related_name="experiment_rows_taught"
    )
    other_gold = models.ManyToManyField(GoldAlignmentSet, related_name="experiment_rows_besides")
    transfers = models.JSONField(
        default=list, help_text="What gold links said of the starting point and of other gold links"
    )
    pairs = models.PositiveIntegerField(
        default=0, help_text="How many sentence pairs of the dataset it is trained on."
    )
    pairs_held_out = models.PositiveIntegerField(
        default=0, help_text="Pairs of held-out clusters that were left out of its training text."
    )
    signature = models.TextField(blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["experiment", "number"], name="experiment_row_once"),
            models.CheckConstraint(
                condition=Q(taught_by=None) | Q(learns_from_gold=True), name="experiment_row_taught"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.aligner} on {self.dataset}" if self.dataset else self.aligner

    @property
    def estimator(self) -> Aligner:
        return stored_aligner(self.parameters)

    @property
    def transfers_in_words(self) -> list[str]:
        """Whether that which was learned elsewhere helps, with figures; [] where there was no choice."""
        return [transfer_in_words(step) for step in self.transfers]

    @property
    def aligner_label(self) -> str:
        """The aligner and what tells it from others of its name."""
        gold = f", learned from {self.taught_by}" if self.taught_by else ""
        if others := ", ".join(map(str, self.other_gold.all())) if gold else "":
            gold += f" besides {others}"
        return f"{aligner_label({**self.parameters, 'aligner': self.aligner})}{gold}"


class ExperimentCell(models.Model):
    """What one training scored on one set of gold links.

    `links` are those that were drawn for each pair, in the order of the gold set, as `0-0 1-2`. `counts`
    are |A|, |S|, |A n P| and |A n S| of each pair, by words. `scores` are precision, recall and aer with
    their intervals, shares from 0 to 1, by words. `errors` counts errors by kind, as
    `link_comparison.errors_by_kind` has them, shares from 0 to 1. `reasons` say why wrong links were drawn
    or not, by the number of the pair from 1: {"3": {"0-1": "same stem; ..."}}; {} of aligners without any.
    """

    row = models.ForeignKey(ExperimentRow, models.CASCADE, related_name="cells")
    gold_set = models.ForeignKey(GoldAlignmentSet, models.PROTECT, related_name="experiment_cells")
    links = models.JSONField()
    counts = models.JSONField()
    scores = models.JSONField()
    errors = models.JSONField(default=list)
    reasons = models.JSONField(default=dict)

    class Meta:
        ordering = ["row", "gold_set"]
        constraints = [models.UniqueConstraint(fields=["row", "gold_set"], name="experiment_cell_once")]

    def __str__(self) -> str:
        return f"{self.row} against {self.gold_set}"

    @property
    def link_lists(self) -> list[list[tuple[int, int]]]:
        """The links of each pair as token indices from 0, in ascending order."""
        return [links_of(text) for text in self.links]

    @property
    def aer(self) -> Any:
        """The AER of all words, from 0 to 1; None where it is undefined."""
        return self.scores["all"]["aer"]
