"""The keys that a person has chosen in place of the default ones."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.shortcuts import PAGES


class KeyBindings(models.Model):
    """A person's own keys on one page: action -> chord, for the actions whose key is not the default."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="key_bindings")
    page = models.CharField(max_length=8, choices=[(name, page.title) for name, page in PAGES.items()])
    keys = models.JSONField()

    class Meta:
        ordering = ["user", "page"]
        constraints = [
            models.UniqueConstraint(fields=["user", "page"], name="key_bindings_once"),
            models.CheckConstraint(condition=Q(page__in=list(PAGES)), name="key_bindings_page"),
        ]

    def __str__(self) -> str:
        return f"keys of {self.user} for {self.page}"
