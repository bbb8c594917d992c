"""The second pass: annotators look again at the items on which they differ."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from .item import Assignment, Batch
from .judgement import Label


class SecondPass(models.Model):
    """A batch's second pass, with the agreement before it and, once it has ended, after it."""

    batch = models.OneToOneField(Batch, models.CASCADE, related_name="second_pass")
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    before = models.JSONField(help_text="Agreement, by figure")
    after = models.JSONField(null=True)
    signature = models.CharField(max_length=500)

    def __str__(self) -> str:
        return f"second pass of {self.batch}"


class SecondLook(models.Model):
    """An annotator's disputed item: the answer of the first pass, and that of the second, if there is one."""

    second_pass = models.ForeignKey(SecondPass, models.CASCADE, related_name="looks")
    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="second_look")
    first_label = models.CharField(max_length=14, choices=Label.choices)
    label = models.CharField(max_length=14, choices=Label.choices, blank=True, help_text="Empty: not yet")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(first_label__in=Label.values), name="second_look_first"),
            models.CheckConstraint(condition=Q(label__in=["", *Label.values]), name="second_look_label"),
        ]

    def __str__(self) -> str:
        return f"second look at {self.assignment}"
