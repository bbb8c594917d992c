"""Lexicons of word pairs, built from a dataset, and what people said of the pairs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from jobs.models import Job, MadeByJob
from projects.models import Project, Removable

from .candidate_pair import Dataset


class LexiconKind(models.TextChoices):
    ASSOCIATION = "association", _("Word association")
    MORPHOLOGY = "morphology", _("Morphological variants")
    WORDNET = "wordnet", _("WordNet synonyms and hypernyms")


class Lexicon(MadeByJob, Removable):
    """One version of a lexicon of a project. What it holds never changes once its job is done."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="lexicons")
    job = models.OneToOneField(Job, models.CASCADE, related_name="lexicon")
    dataset = models.ForeignKey(
        Dataset,
        models.RESTRICT,
        null=True,
        related_name="lexicons",
        help_text="Dataset of the pairs that it is learned from; null for all imported pairs.",
    )
    kind = models.CharField(max_length=11, choices=LexiconKind.choices)
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    parameters = models.JSONField(default=dict)
    size = models.PositiveIntegerField(default=0, help_text="How many word pairs it has.")
    figures = models.JSONField(default=dict, help_text="Share of the word pairs that is in WordNet, by rank.")
    signature = models.TextField(
        blank=True,
        help_text="Method, version and parameters that made it, as one line; empty until it is built.",
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name", "version"], condition=Q(deleted_at=None), name="lexicon_version"
            ),
            models.CheckConstraint(condition=Q(kind__in=LexiconKind.values), name="lexicon_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @property
    def in_words(self) -> str:
        """Its name with what it holds, for choices."""
        source = self.dataset.name if self.dataset else "imported pairs"
        return f"{self} ({self.size:,} word pairs from {source})"


class LexiconEntry(models.Model):
    """A pair of words in alphabetical order, or a word and its translation, which may be spelt alike.

    `rank` counts from 1, the best pair first.
    """

    lexicon = models.ForeignKey(Lexicon, models.CASCADE, related_name="entries")
    rank = models.PositiveIntegerField()
    first = models.TextField()
    second = models.TextField()
    score = models.FloatField(help_text="Log-likelihood ratio; of other kinds as `together`")
    together = models.PositiveIntegerField(
        help_text="Sentence pairs that have the words on opposite sides, identical words removed."
    )
    linked = models.PositiveIntegerField(
        null=True,
        help_text="In how many of them the two words are linked (Moore 2001); null without a second pass.",
    )
    in_wordnet = models.BooleanField(
        null=True, help_text="Whether WordNet has the pair; null where WordNet is not installed."
    )
    trivial = models.BooleanField(
        default=False, help_text="Whether the words differ in spelling or ending alone, or one is a number."
    )

    class Meta:
        ordering = ["rank"]
        constraints = [
            models.UniqueConstraint(fields=["lexicon", "rank"], name="lexicon_entry_rank"),
            models.UniqueConstraint(fields=["lexicon", "first", "second"], name="lexicon_entry_words"),
        ]

    def __str__(self) -> str:
        return f"{self.first}|{self.second}"


class Verdict(models.TextChoices):
    """The verdict of a rater: words that can replace each other are good.

    Parts of phrases (where | in which, reported | according to) are neither good nor bad.
    """

    GOOD = "good", _("Good")
    BAD = "bad", _("Bad")
    PHRASE = "phrase", _("Phrase")


class LexiconRating(models.Model):
    """A person's rating of a word pair."""

    entry = models.ForeignKey(LexiconEntry, models.CASCADE, related_name="ratings")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=6, choices=Verdict.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "rater"], name="lexicon_rating_once"),
            models.CheckConstraint(condition=Q(verdict__in=Verdict.values), name="lexicon_rating_verdict"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} is {self.verdict} to {self.rater}"
