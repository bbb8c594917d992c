"""Having the links of a batch suggested: at once where that is quick, by a job where it is not."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from alignment.models import SuggestedLinks
from annotation.models import Batch, BatchKind, Item
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import dispatch, ledger
from paragold.aligners.registry import Pair
from projects.errors import PublicError

from .suggestions import NONE, Suggestions, suggest_links, suggester_of
from .watching import PATIENCE, watched

KIND = "suggest"
ROWS_AT_ONCE = 1_000


@transaction.atomic
def set_suggester(*, batch: Batch, by: User | None, setting: str) -> Job | None:
    """Set what suggests links in a batch and have them drawn for all its pairs; the job, if it takes one.

    What was suggested before stays in the database, as the origin of links that were accepted. Raises
    PublicError for a batch that is not for linking, and for a setting that the project does not have.
    """
    if batch.kind != BatchKind.LINK:
        raise PublicError(f"{batch.name} is for judging; links are suggested in linking batches.")
    suggester = suggester_of(batch.project, setting) if setting != NONE else None
    batch.suggester = setting
    batch.save(update_fields=["suggester"])
    if suggester is None:
        return None
    if suggester.at_once:
        items, pairs = items_and_pairs(batch)
        keep(items, setting, suggester.suggest(batch.project, setting, pairs))
        return None
    units = batch.items.count()
    job = ledger.request_job(
        project=batch.project,
        by=by,
        kind=KIND,
        title=f"Suggest links in {batch.name}",
        parameters={"batch": batch.pk, "setting": setting, "units": "pairs"} | PATIENCE,
        signature=f"suggest|{setting}|batch:{batch.name}",
        chunks=[ledger.ChunkPlan(units=units, payload={})],
        short=units + suggester.text_pairs(batch.project, setting) <= ledger.SHORT_ALIGNED_PAIRS,
    )
    dispatch.hand_over(job)
    return job


def latest_job(batch: Batch) -> Job | None:
    """The job that was last asked to suggest links in a batch; None where none was needed."""
    return batch.project.jobs.filter(kind=KIND, parameters__batch=batch.pk).first()


def items_and_pairs(batch: Batch) -> tuple[list[int], list[Pair]]:
    """The ids of a batch's items in their order, and their tokens."""
    items = batch.items.select_related("pair__sentence_a", "pair__sentence_b")
    rows = [(item.pk, (item.pair.sentence_a.token_list, item.pair.sentence_b.token_list)) for item in items]
    return [pk for pk, _ in rows], [pair for _, pair in rows]


def keep(items: Sequence[int], setting: str, found: Suggestions) -> None:
    """Store what was suggested for items; the same aligner's links again change nothing."""
    reasons = found.reasons or [[] for _ in items]
    SuggestedLinks.objects.bulk_create(
        [
            SuggestedLinks(
                item_id=item, setting=setting, signature=found.signature, links=links, reasons=told
            )
            for item, links, told in zip(items, found.links, reasons, strict=True)
        ],
        batch_size=ROWS_AT_ONCE,
        ignore_conflicts=True,
    )


def standing(item: Item) -> list[list[int]]:
    """The links, [a, b] in order, that are suggested for an item now; prefetch `suggested_links` for many."""
    row = standing_row(item)
    return row.links if row else []


def standing_row(item: Item) -> SuggestedLinks | None:
    setting = item.batch.suggester
    rows = [row for row in item.suggested_links.all() if row.setting == setting]
    return max(rows, key=lambda row: row.pk, default=None)


def reasons_for(item: Item) -> list[tuple[int, int, str]]:
    """What spoke for each link that is suggested for an item now: (a, b, words), "" where nothing is told."""
    row = standing_row(item)
    if row is None:
        return []
    told = row.reasons or [""] * len(row.links)
    return [(a, b, reason) for (a, b), reason in zip(row.links, told, strict=True)]


def _compute(job: Job, chunk: JobChunk) -> tuple[list[int], Suggestions]:
    items, pairs = items_and_pairs(Batch.objects.get(pk=job.parameters["batch"]))
    with watched(chunk):
        return items, suggest_links(job.project, job.parameters["setting"], pairs)


def _store(job: Job, result: tuple[list[int], Suggestions]) -> dict[str, int]:
    items, found = result
    keep(items, job.parameters["setting"], found)
    return {"links_suggested": sum(map(len, found.links))}


RUNNER = Runner(compute=_compute, store=_store)
