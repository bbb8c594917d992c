"""Pages asked for by address: what became of each, and when each host may be asked again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from jobs.models import Job
from projects.models import Project

from .corpus_import import CorpusImport


class AddressState(models.TextChoices):
    WAITING = "waiting", "Waiting"
    KEPT = "kept", "Fetched"
    THERE = "there", "In the corpus already"
    REFUSED = "refused", "Refused"
    FAILED = "failed", "Not reached"


class Fetch(models.Model):
    """A list of addresses that was asked for, and the import that was made of its pages."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="fetches")
    filename = models.CharField(max_length=255)
    repeated = models.PositiveIntegerField(default=0, help_text="Lines that repeated another one")
    job = models.OneToOneField(Job, models.CASCADE, related_name="fetch")
    corpus_import = models.OneToOneField(CorpusImport, models.SET_NULL, null=True, related_name="fetch")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "fetches"

    def __str__(self) -> str:
        return self.filename


class FetchedAddress(models.Model):
    """One address of a list, and the page that was found there.

    `page` is compressed by zlib; `kind` ("html", "txt") and `encoding` say how to read it. `size` is in bytes
    as they came, `seconds` is that of the last request with its redirects.
    """

    fetch = models.ForeignKey(Fetch, models.CASCADE, related_name="addresses")
    number = models.PositiveIntegerField(help_text="Its place in the list, from 1")
    cluster = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    url = models.CharField(max_length=2000)
    host = models.CharField(max_length=255)
    state = models.CharField(max_length=8, choices=AddressState.choices, default=AddressState.WAITING)
    reason = models.CharField(max_length=400, blank=True)
    status = models.PositiveSmallIntegerField(null=True, help_text="Of HTTP; none without an answer")
    final_url = models.CharField(max_length=4000, blank=True)
    kind = models.CharField(max_length=4, blank=True)
    encoding = models.CharField(max_length=40, blank=True)
    size = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField(null=True, help_text="Not to be asked before")
    page = models.BinaryField(null=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "fetched addresses"
        constraints = [
            models.UniqueConstraint(fields=["fetch", "number"], name="fetched_number_unique"),
            models.UniqueConstraint(fields=["fetch", "cluster", "key"], name="fetched_key_unique"),
            models.CheckConstraint(condition=Q(state__in=AddressState.values), name="fetched_state"),
            models.CheckConstraint(
                condition=Q(state=AddressState.KEPT, page__isnull=False)
                | (~Q(state=AddressState.KEPT) & Q(page__isnull=True)),
                name="fetched_page_when_kept",
            ),
        ]
        indexes = [models.Index(fields=["fetch", "state", "host"], name="fetched_by_state")]

    def __str__(self) -> str:
        return self.url


class FetchHost(models.Model):
    """A host of any project: nobody asks it before `free_at`, which is moved on with each request."""

    host = models.CharField(max_length=255, unique=True)
    free_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.host


class FetchSite(models.Model):
    """A site's robots.txt, as it was had at `fetched_at`."""

    site = models.CharField(max_length=300, unique=True, help_text="Scheme, host and port")
    robots = models.TextField()
    fetched_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.site
