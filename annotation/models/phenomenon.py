"""How often a paraphrase phenomenon occurs in a pair, as an annotator counted it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .item import Assignment
from .judgement import Label


class Phenomenon(models.TextChoices):
    """Dolan, Quirk & Brockett (2004), section 5, in the order of table 2."""

    ELABORATION = "elaboration", "Elaboration"
    PHRASAL = "phrasal", "Phrasal"
    SPELLING = "spelling", "Spelling"
    SYNONYMY = "synonymy", "Synonymy"
    ANAPHORA = "anaphora", "Anaphora"
    REORDERING = "reordering", "Reordering"


GREATEST_COUNT = 99
# Labels of pairs in which there is something to count.
COUNTED_LABELS: frozenset[str] = frozenset({Label.PARAPHRASE, Label.PARTIAL})


class PhenomenonCount(models.Model):
    """One phenomenon of one judged pair; whoever counted has a row for each, 0 among them."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="phenomena")
    phenomenon = models.CharField(max_length=11, choices=Phenomenon.choices)
    count = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "phenomenon"], name="phenomenon_once"),
            models.CheckConstraint(condition=Q(phenomenon__in=Phenomenon.values), name="phenomenon_name"),
            models.CheckConstraint(condition=Q(count__lte=GREATEST_COUNT), name="phenomenon_count"),
        ]

    def __str__(self) -> str:
        return f"{self.count} {self.phenomenon} in {self.assignment}"
