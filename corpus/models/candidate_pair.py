"""Candidate pairs: presets, extractions, the pairs they found, and datasets of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import F, Max, Min, Q
from django.db.models.functions import Cast
from django.db.models.lookups import GreaterThanOrEqual
from django.urls import reverse
from django.utils.translation import gettext_noop as _

from jobs.models import Job, MadeByJob
from paragold.extraction.criteria import WITH_IMPORTED, Criteria, Selection
from paragold.extraction.presets import Preset, described_as_changed
from projects.models import Project, Removable

from .article import Cluster, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable


# Rows that are looked up at once; more of them are looked up one by one.
MANY = 5_000


def in_held_out_cluster(path: str = "") -> Q:
    """The condition for a pair to be of a held-out cluster, on one side at least: it is for testing only.

    `path` leads from the rows of the query to the pair, such as `item__pair__`. Whatever trains, and whatever
    writes a train or dev split, leaves these pairs out.
    """
    sides = ("cluster", "sentence_b__article__cluster")
    return Q(**{f"{path}{sides[0]}__held_out": True}) | Q(**{f"{path}{sides[1]}__held_out": True})


class Extraction(MadeByJob, Removable):
    """One run of a method over a project's clusters. Its findings never change once it is done."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="extractions")
    job = models.OneToOneField(Job, models.CASCADE, related_name="extraction")
    name = models.CharField(max_length=80)
    preset = models.CharField(max_length=40)
    criteria = models.JSONField()
    signature = models.TextField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], condition=Q(deleted_at=None), name="extraction_name"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def with_imported(self) -> bool:
        """Whether imported pairs were looked at, too."""
        parameters = self.criteria or self.job.parameters
        return bool(parameters.get("clusters") == WITH_IMPORTED)

    @property
    def same_article(self) -> bool:
        """Whether sentences of one article were paired, too."""
        return bool(self.criteria.get("same_article"))


class CandidatePairQuerySet(models.QuerySet["CandidatePair"]):
    def of_corpus(self) -> CandidatePairQuerySet:
        """Pairs of the corpus, without imported ones; few clusters, or none, are of those."""
        imported = Cluster.objects.exclude(pair_import=None).order_by().values("pk")
        return self.exclude(cluster_id__in=imported)

    def for_training(self) -> CandidatePairQuerySet:
        """The pairs that may be trained on: those that are not `in_held_out_cluster`."""
        return self.exclude(in_held_out_cluster())

    def of_clusters(self, clusters: str) -> CandidatePairQuerySet:
        """The pairs of held-out clusters only, of the rest, or of all: one of `HeldOut`."""
        if clusters == HeldOut.ONLY:
            return self.filter(in_held_out_cluster())
        return self.for_training() if clusters == HeldOut.REST else self

    def imported(self) -> CandidatePairQuerySet:
        return self.exclude(cluster__pair_import=None)

    def found_by(
        self, extractions: Iterable[int] | models.QuerySet[Extraction, Any]
    ) -> CandidatePairQuerySet:
        return self.filter(Q(pk__in=Finding.objects.filter(extraction__in=extractions).values("pair")))

    def found_by_one(self, extraction: int) -> CandidatePairQuerySet:
        """As `found_by`, for an extraction of many pairs of which the first are asked for."""
        findings = Finding.objects.filter(extraction=extraction, pair=models.OuterRef("pk"))
        return self.filter(models.Exists(findings))

    def of_dataset(self, dataset: Dataset) -> CandidatePairQuerySet:
        """The pairs of a dataset; where they are many, looked up one by one as they are listed."""
        if dataset.size < MANY:
            return self.filter(dataset.condition())
        if dataset.refined_from_id is not None:
            members = DatasetPair.objects.filter(dataset=dataset.pk, pair=models.OuterRef("pk"))
            return self.filter(models.Exists(members))
        extractions = list(dataset.extractions.values_list("pk", flat=True))
        findings = Finding.objects.filter(extraction__in=extractions, pair=models.OuterRef("pk"))
        return self.filter(models.Exists(findings), dataset.narrowing())

    def with_scores_of(self, extraction: int) -> CandidatePairQuerySet:
        """Annotated with `score` and `jaccard` of the extraction's finding; None where it keeps none."""
        finding = models.FilteredRelation("findings", condition=Q(findings__extraction=extraction))
        return self.annotate(found=finding).annotate(score=F("found__score"), jaccard=F("found__jaccard"))

    def with_sentences(self) -> CandidatePairQuerySet:
        return self.select_related("cluster", "sentence_a__article", "sentence_b__article__cluster")

    def with_text(self, text: str) -> CandidatePairQuerySet:
        """The pairs of which a sentence holds the text, whatever its case. Sentences are searched first."""
        holding = Sentence.objects.filter(text__icontains=text).order_by().values("pk")
        few = list(holding.values_list("pk", flat=True)[: MANY + 1])
        sentences = few if len(few) <= MANY else holding  # twice in the query, but searched once
        return self.filter(Q(sentence_a__in=sentences) | Q(sentence_b__in=sentences))

    def of_cluster(self, key: str) -> CandidatePairQuerySet:
        """The pairs that have a sentence of the cluster called `key`."""
        clusters = Cluster.objects.filter(key=key).order_by()
        sentences = Sentence.objects.filter(article__cluster__in=clusters).order_by()
        return self.filter(Q(cluster__in=clusters.values("pk")) | Q(sentence_b__in=sentences.values("pk")))


class CandidatePair(models.Model):
    """Two sentences, mostly of different articles, with the numbers the papers filter on.

    A pair is unique in its project in either order: `sentence_a` is the one that was imported first or, of a
    pair in two languages, the one in the project's language.
    `cluster` is that sentence's; a pair that was matched across the project may have another one on its other
    side, which is held out if and only if this one is (docs/adr/0013).
    The database holds no foreign keys of pairs and findings and no index that another one covers: at the
    papers' scale they make bulk loading several times slower (docs/adr/0004).
    """

    project = models.ForeignKey(
        Project, models.CASCADE, related_name="pairs", db_constraint=False, db_index=False
    )
    cluster = models.ForeignKey(Cluster, models.CASCADE, related_name="pairs", db_constraint=False)
    sentence_a = models.ForeignKey(
        Sentence, models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    sentence_b = models.ForeignKey(
        Sentence, models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    content_key = models.UUIDField(help_text="Hash of the two lower-cased token sequences, in either order")
    edit_distance = models.PositiveIntegerField(
        help_text="Word edit distance (Levenshtein) of the sentences in lower case."
    )
    length_a = models.PositiveIntegerField(help_text="How many words the sentence has.")
    length_b = models.PositiveIntegerField(help_text="How many words the sentence has.")
    shared_words = models.PositiveIntegerField(
        help_text="How many distinct words of 4 or more characters both sentences have."
    )
    position_a = models.PositiveIntegerField(help_text="Index of the sentence in its article, from 0")
    position_b = models.PositiveIntegerField()

    objects = CandidatePairQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "sentence_a", "sentence_b"], name="pair_unique"),
            models.CheckConstraint(condition=~Q(sentence_a=F("sentence_b")), name="pair_two_sentences"),
        ]
        indexes = [models.Index(fields=["project", "edit_distance"], name="pair_by_distance")]

    def __str__(self) -> str:
        return f"pair {self.pk}"

    @property
    def other_cluster(self) -> Cluster | None:
        """The cluster of `sentence_b` where it is another one."""
        cluster = self.sentence_b.article.cluster
        return None if cluster.pk == self.cluster_id else cluster


class Finding(models.Model):
    """An extraction found a pair.

    Methods that score pairs keep the score they went by, and the exact Jaccard of the words they compared.
    """

    extraction = models.ForeignKey(
        Extraction, models.CASCADE, related_name="findings", db_constraint=False, db_index=False
    )
    pair = models.ForeignKey(CandidatePair, models.CASCADE, related_name="findings", db_constraint=False)
    score = models.FloatField(null=True, help_text="Score by the method, 0 to 1, such as an estimate")
    jaccard = models.FloatField(null=True, help_text="Exact Jaccard of the words compared, 0 to 1")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["extraction", "pair"], name="finding_unique"),
            models.CheckConstraint(
                condition=Q(score__gte=0, score__lte=1) | Q(score=None), name="finding_score"
            ),
            models.CheckConstraint(
                condition=Q(jaccard__gte=0, jaccard__lte=1) | Q(jaccard=None), name="finding_jaccard"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.extraction} found {self.pair_id}"


class HeldOut(models.TextChoices):
    ALL = "all", _("All clusters")
    ONLY = "only", _("Held-out clusters only")
    REST = "rest", _("Clusters that are not held out")


class Dataset(Removable):
    """A named, frozen selection of the pairs that one or more finished extractions found.

    `criteria` are those of a `Selection`, so that several datasets come out of one database of candidates.
    A refined dataset holds those pairs of another one that a classifier accepted, which `refinement` names.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="datasets")
    name = models.CharField(max_length=80)
    extractions = models.ManyToManyField(Extraction, related_name="datasets")
    held_out = models.CharField(max_length=4, choices=HeldOut.choices, default=HeldOut.ALL)
    criteria = models.JSONField(
        default=dict, blank=True, help_text="Criteria that the pairs were selected by; empty for none."
    )
    refined_from = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, related_name="refined")
    refinement = models.JSONField(
        default=dict,
        blank=True,
        help_text="Classifier, its SHA-256 and threshold, if one refined it; else empty.",
    )
    size = models.PositiveIntegerField()
    signature = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], condition=Q(deleted_at=None), name="dataset_name"
            ),
            models.CheckConstraint(condition=Q(held_out__in=HeldOut.values), name="dataset_held_out"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("dataset", args=[self.project.slug, self.pk])

    def pairs(self) -> CandidatePairQuerySet:
        return CandidatePair.objects.filter(self.condition(), project_id=self.project_id)

    def pairs_among(self, ids: range) -> CandidatePairQuerySet:
        """Its pairs that have one of these ids, without looking at its other pairs."""
        among = Q(pair__gte=ids.start, pair__lt=ids.stop)
        own = Q(pk__gte=ids.start, pk__lt=ids.stop)
        return CandidatePair.objects.filter(own, self.condition(among), project_id=self.project_id)

    def pair_ids(self) -> range:
        """From its first pair's id to its last one's, those of other pairs between them; empty if it is."""
        bounds = [
            bound for rows in self._sources() for bound in rows.aggregate(Min("pair"), Max("pair")).values()
        ]
        known = [bound for bound in bounds if bound is not None]
        return range(min(known), max(known) + 1) if known else range(0)

    def _sources(self) -> list[models.QuerySet[Any]]:
        """The rows that name its pairs, each in a query that an index answers."""
        if self.refined_from_id is not None:
            return [DatasetPair.objects.filter(dataset=self.pk)]
        return [
            Finding.objects.filter(extraction=extraction)
            for extraction in self.extractions.values_list("pk", flat=True)
        ]

    def condition(self, among: Q | None = None) -> Q:
        """The condition for a pair of the project to be in the dataset; `among` limits where to look."""
        among = among or Q()
        if self.refined_from_id is not None:
            return Q(pk__in=DatasetPair.objects.filter(among, dataset=self.pk).values("pair"))
        findings = Finding.objects.filter(among, extraction__in=self.extractions.values("pk"))
        return Q(pk__in=findings.values("pair")) & self.narrowing()

    def narrowing(self) -> Q:
        """The part of the condition beyond its extractions: the numbers of a pair, and its cluster."""
        condition = pairs_admitted(self.selection)
        if self.held_out != HeldOut.ALL:
            condition &= Q(cluster__held_out=self.held_out == HeldOut.ONLY)
        return condition

    @property
    def selection(self) -> Selection:
        return Selection(**self.criteria)


class DatasetPair(models.Model):
    """A pair that a refined dataset holds. As with findings the database holds no foreign key of the pair."""

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="members", db_index=False)
    pair = models.ForeignKey(CandidatePair, models.CASCADE, related_name="+", db_constraint=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["dataset", "pair"], name="dataset_pair_once")]

    def __str__(self) -> str:
        return f"pair {self.pair_id} of {self.dataset}"


def pairs_admitted(selection: Selection) -> Q:
    """The condition of `Selection.admits` for the columns of a candidate pair."""
    condition = Q()
    # What limits nothing would mislead the planner of SQLite.
    if selection.min_edit_distance:
        condition &= Q(edit_distance__gte=selection.min_edit_distance)
    if selection.min_shared_words:
        condition &= Q(shared_words__gte=selection.min_shared_words)
    if selection.min_length > 1:
        condition &= Q(length_a__gte=selection.min_length, length_b__gte=selection.min_length)
    if selection.max_edit_distance is not None:
        condition &= Q(edit_distance__lte=selection.max_edit_distance)
    if selection.max_length is not None:
        condition &= Q(length_a__lte=selection.max_length, length_b__lte=selection.max_length)
    if selection.first_n is not None:
        condition &= Q(position_a__lt=selection.first_n, position_b__lt=selection.first_n)
    if selection.min_length_ratio:
        # Neither length may be too short beside the other; whole numbers, wide enough for any ratio.
        part, whole = selection.min_length_ratio.as_integer_ratio()
        a, b = (Cast(name, models.BigIntegerField()) for name in ("length_a", "length_b"))
        for shorter, longer in ((a, b), (b, a)):
            minimum = longer * part + int(selection.ratio_strict)
            condition &= Q(GreaterThanOrEqual(shorter * whole, minimum))
    return condition


class ProjectPreset(models.Model):
    """Made from a preset of the papers (`base`) by changing parameters; written once and never changed.

    `criteria` are all parameters, as `Criteria.as_json` gives them. An extraction keeps its own copy, so
    that a preset can be deleted without harm.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="presets")
    name = models.CharField(max_length=40)
    base = models.CharField(max_length=40)
    criteria = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="preset_name")]

    def __str__(self) -> str:
        return self.name

    def as_preset(self) -> Preset:
        """The same as extraction takes the presets of the papers."""
        return Preset(
            name=self.name,
            criteria=Criteria(**self.criteria),
            source=f"Saved on {self.created_at:%Y-%m-%d}"
            + (f" by {self.created_by.username}" if self.created_by else ""),
            description=described_as_changed(self.base, Criteria(**self.criteria)),
        )


class KeptNumbers(models.Model):
    """Cached counts over finished extractions or frozen datasets, by a name that says of which."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="kept_numbers")
    name = models.CharField(max_length=200)
    numbers = models.JSONField()

    class Meta:
        verbose_name_plural = "cached counts"
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="kept_numbers_once")]

    def __str__(self) -> str:
        return self.name
