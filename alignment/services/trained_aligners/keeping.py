"""Retiring and deleting trained aligners."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from alignment.models import TrainedAligner
from annotation.models import Batch
from corpus.errors import PublicError

from .choosing import reference
from .files import model_path, remove_states


def retire(*, trained: TrainedAligner, retired: bool = True) -> TrainedAligner:
    """Offer an aligner no more, or again; what it did stays as it is."""
    trained.retired_at = timezone.now() if retired else None
    trained.save(update_fields=["retired_at"])
    return trained


@transaction.atomic
def delete_aligner(*, trained: TrainedAligner) -> None:
    """Remove an aligner and its file. Its scores stay.

    Raises PublicError while it is being trained, and when runs or linking batches hold on to it: retire it
    then, or delete those runs first.
    """
    job = trained.job
    if job.active:
        raise PublicError(f"{job.title} is under way. Cancel it first.")
    if trained.runs.exists():
        raise PublicError(f"{trained} was applied to pairs. Delete those runs first, or retire it.")
    if Batch.objects.filter(project=trained.project, suggester=reference(trained)).exists():
        raise PublicError(
            f"{trained} suggests links in a batch. Choose another suggester there, or retire it."
        )
    sha256 = trained.sha256
    job.delete()

    def remove() -> None:
        remove_states(job)
        if sha256 and not TrainedAligner.objects.filter(sha256=sha256).exists():
            model_path(sha256).unlink(missing_ok=True)

    transaction.on_commit(remove)
