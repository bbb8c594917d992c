"""Aligners that are trained again by themselves as gold grows: off until a manager switches it on.

When annotators have finished so many pairs that an aligner has not learned from, a job freezes the next
version of its gold links and launches the next version of the aligner; once that is trained, open
batches in which it suggests links get those of the new version. Experiments name their gold sets and train
their own aligners: nothing here changes them.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from alignment.models import TrainedAligner
from annotation.models import AssignmentState, Batch, BatchState
from annotation.services.freezing import ADJUDICATED
from jobs.kinds import Runner
from jobs.models import ACTIVE, Job, JobChunk
from jobs.services import ledger
from projects.errors import PublicError

from .batches import set_suggester
from .gold_links import RULES, freeze_gold_alignments, merged_links
from .trained_aligners.launching import train_again
from .trained_aligners.stored import KIND as TRAINING
from .trained_aligners.stored import NEWEST, newest, reference

KIND = "retrain-aligner"
RECOMMENDED = 50
"""New gold pairs after which an aligner is trained again, unless the manager says otherwise."""
MAX_NEW_PAIRS = 100_000


@transaction.atomic
def set_retraining(*, trained: TrainedAligner, retrain_after: int | None) -> TrainedAligner:
    """Let an aligner's next versions be trained by themselves after so many new gold pairs; None for never.

    Raises PublicError for an older version, an aligner without gold links, and gold links that are not merged
    from annotators.
    """
    trained = _locked(trained.pk)
    if retrain_after is not None:
        if not 1 <= retrain_after <= MAX_NEW_PAIRS:
            message = f"The number of new pairs is from 1 to {MAX_NEW_PAIRS:,}."
            raise PublicError(message, field="retrain_after")
        if trained.gold_set is None or trained.gold_set.rule not in RULES:
            raise PublicError(
                f"{trained} does not learn from the links of this project's annotators, so new ones do not "
                "change it. Train an aligner on gold links first.",
                field="retrain_after",
            )
        if not _is_newest(trained):
            raise PublicError(f"{trained} has a newer version; choose that one.", field="retrain_after")
    trained.retrain_after = retrain_after
    trained.save(update_fields=["retrain_after"])
    if trained.gold_set is not None:
        retrain_if_due(trained.gold_set.batch)
    return trained


def new_finished_pairs(trained: TrainedAligner) -> int:
    """How many pairs a freeze of its batch would have now that the aligner has not learned from."""
    if trained.gold_set is None:
        return 0
    gold_set, batch = trained.gold_set, trained.gold_set.batch
    if gold_set.rule == ADJUDICATED:
        settled = len(merged_links(project=trained.project, batch=batch, rule=ADJUDICATED)[2])
    else:
        settled = _finished(batch)
    return max(0, settled - gold_set.alignments.count())


def _finished(batch: Batch) -> int:
    """How many pairs of a batch all their annotators have linked."""
    done = Count("assignments", filter=Q(assignments__state=AssignmentState.DONE))
    return batch.items.order_by().annotate(done=done).filter(done__gte=batch.overlap).count()


@transaction.atomic
def retrain_if_due(batch: Batch, *, besides: Job | None = None) -> Job | None:
    """Ask for the retraining of an aligner whose gold comes from this batch, if it is switched on and due.

    To be called after a pair was finished. In a project one training or retraining is under way at a time:
    the end of each asks again, which is the job `besides`.
    """
    watched = (
        TrainedAligner.objects.ready()
        .current()
        .filter(project=batch.project_id, retrain_after__isnull=False, gold_set__batch=batch)
    )
    # Every save comes here: without the switch, it is one short query.
    for pk in list(watched.order_by("pk").values_list("pk", flat=True)):
        trained = _locked(pk)
        new = _due(trained, besides=besides)
        if new:
            job = ledger.request_job(
                project=trained.project,
                by=None,
                kind=KIND,
                title=f"Retrain {trained.name} after {new} new gold pairs",
                parameters={"trained": trained.pk, "new_pairs": new, "units": "steps"},
                signature=f"retrain-aligner|{trained.sha256}",
                chunks=[ledger.ChunkPlan(units=1, payload={})],
                short=True,
            )
            ledger.hand_over(job)
            return job
    return None


def _due(trained: TrainedAligner, *, besides: Job | None = None) -> int:
    """The number of new pairs where the aligner is to be trained again now; else 0."""
    if trained.retrain_after is None or trained.gold_set is None or not _is_newest(trained):
        return 0
    # Cheap, and at least as many as the rule leaves.
    upper = _finished(trained.gold_set.batch) - trained.gold_set.alignments.count()
    others = _under_way(trained).exclude(pk=besides.pk) if besides else _under_way(trained)
    if upper < trained.retrain_after or others.exists():
        return 0
    new = new_finished_pairs(trained)
    return new if new >= trained.retrain_after else 0


def _locked(pk: int) -> TrainedAligner:
    rows = TrainedAligner.objects.select_for_update(of=("self",)).select_related("project", "gold_set__batch")
    return rows.get(pk=pk)


def _under_way(trained: TrainedAligner) -> QuerySet[Job]:
    return Job.objects.filter(project=trained.project_id, kind__in=(KIND, TRAINING), state__in=ACTIVE)


def _is_newest(trained: TrainedAligner) -> bool:
    versions = TrainedAligner.objects.filter(project=trained.project_id, name=trained.name)
    return not versions.filter(version__gt=trained.version).exists()


def versions_of(trained: TrainedAligner) -> QuerySet[TrainedAligner]:
    """All versions of an aligner, the newest first: the log of its trainings."""
    versions = TrainedAligner.objects.filter(project=trained.project_id, name=trained.name)
    return versions.select_related("gold_set", "job", "created_by").order_by("-version")


def _store(job: Job, result: None) -> dict[str, int]:
    """Freeze the gold and launch the training, unless that was switched off or done meanwhile."""
    trained = _locked(job.parameters["trained"])
    new = _due(trained, besides=job)
    if not new or trained.gold_set is None:
        return {"aligners_trained": 0}
    gold_set = trained.gold_set
    freeze_gold_alignments(
        project=trained.project, by=None, name=gold_set.name, batch=gold_set.batch, rule=gold_set.rule
    )
    train_again(trained=trained, by=None, new_pairs=new)
    return {"aligners_trained": 1, "new_gold_pairs": new}


def _compute(job: Job, chunk: JobChunk) -> None:
    """All is done in one transaction, when it is stored."""


def after_training(trained: TrainedAligner) -> None:
    """Have a version that was trained by itself suggest its links where the one before did; look for more.

    Batches that use the newest aligner, or an earlier version of this one, get the links of this version.
    """
    if trained.new_pairs:
        earlier = [reference(one) for one in versions_of(trained).filter(version__lt=trained.version)]
        settings = {one: reference(trained) for one in earlier}
        if newest(trained.project) == trained:
            settings[NEWEST] = NEWEST
        open_batches = Batch.objects.filter(
            project=trained.project_id, state=BatchState.OPEN, suggester__in=settings
        )
        for batch in open_batches.order_by("pk"):
            set_suggester(batch=batch, by=None, setting=settings[batch.suggester])
    if trained.gold_set is not None:
        retrain_if_due(trained.gold_set.batch, besides=trained.job)


def described(trained: TrainedAligner) -> dict[str, Any]:
    """What the page and the API say of the retraining of an aligner."""
    return {
        "retrain_after": trained.retrain_after,
        "new_finished_pairs": new_finished_pairs(trained),
        "under_way": _under_way(trained).filter(kind=KIND).exists(),
    }


RUNNER = Runner(compute=_compute, store=_store)
