"""Sending twice makes one thing: the first request with a key does the work, the others get its result."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from projects.errors import KeyReused, PublicError
from projects.models import Submission

KEPT = timedelta(days=2)
# A request that has no result after this was cut off with its process; the next one does the work.
CUT_OFF = timedelta(minutes=3)
WAIT_SECONDS = 20.0
POLL_SECONDS = 0.05


class StillRunning(PublicError):
    """The first request with the key is still at work."""


@dataclass(frozen=True)
class Claim:
    """The right to do the work of a submission. End it with `settle` or `release`."""

    submission: Submission

    def settle(self, result: Any) -> None:
        """Keep what the work led to (JSON, not None) for whoever sends the same again."""
        Submission.objects.filter(pk=self.submission.pk).update(result=result)

    def release(self) -> None:
        """Nothing was made: the next request with the key does the work."""
        Submission.objects.filter(pk=self.submission.pk).delete()


def claim(*, user: User, key: str, body_sha256: str, wait: float = WAIT_SECONDS) -> Claim | Any:
    """A Claim for the first request with a key; for the others its result, waiting for it if need be.

    Raises KeyReused where the key came with another body before, StillRunning after `wait` seconds.
    """
    deadline = time.monotonic() + wait
    while True:
        now = timezone.now()
        try:
            submission, first = Submission.objects.get_or_create(
                user=user, key=key, defaults={"body_sha256": body_sha256, "begun_at": now}
            )
        except IntegrityError:
            # Somebody else created it after this request looked, and released it before it looked again.
            continue
        if first:
            Submission.objects.filter(begun_at__lt=now - KEPT).delete()
            return Claim(submission)
        if submission.body_sha256 != body_sha256:
            raise KeyReused("This Idempotency-Key was used for another request. Send a new key.")
        if submission.result is not None:
            return submission.result
        if _take_over(submission, now):
            return Claim(submission)
        if time.monotonic() > deadline:
            raise StillRunning("The same request is still at work. Wait for its result.")
        time.sleep(POLL_SECONDS)


@transaction.atomic
def _take_over(submission: Submission, now: Any) -> bool:
    cut_off = Submission.objects.filter(pk=submission.pk, result__isnull=True, begun_at__lt=now - CUT_OFF)
    return cut_off.update(begun_at=now) == 1
