"""Linking batches, drawn from the pairs that a gold set calls paraphrases, and the links suggested in them.

A setting is "" for none, the id of an aligner, "trained:", followed by a number or "newest", for one that was
trained in the project, or "file:" for links that were imported for this batch alone. Links are suggested
when a batch is drawn, or by a job, and kept: no page that an annotator asks for waits for an aligner. A batch
whose suggestions are not there yet is not handed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext

from alignment.models import SuggestedLinks
from annotation.models import Assignment, Batch, BatchKind, GoldSet, Item
from annotation.schemes import Label
from annotation.services.batches import fill_batch
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.removal import keep_own
from jobs.services.running import LONG_CHUNKS, watched
from paragold.aligners.aligner import Pair
from paragold.aligners.registry import ALIGNERS, untrained_ids
from paragold.metrics.links import Link
from paragold.sampling.sampling import sample
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record

from .trained_aligners.applying import draw_suffix
from .trained_aligners.launching import aligner_for
from .trained_aligners.stored import PREFIX, chosen, load_aligner, short_signature, trained_choices

NONE = ""
FROM_FILE = "file:"
KIND = "suggest"
ROWS_AT_ONCE = 1_000


@transaction.atomic
def draw_linking_batch(
    *,
    project: Project,
    by: User | None,
    name: str,
    gold_set: GoldSet,
    annotators: Sequence[str],
    seed: int,
    size: int | None = None,
    overlap: int | None = None,
    suggester: str = "",
    own_order: bool = False,
) -> Batch:
    """Draw `size` (all by default) of a gold set's paraphrases at random for `annotators` to link.

    `suggester` is a setting: whose links are offered as suggestions; none by default.
    """
    keep_own(project, gold_set, field="gold_set")
    paraphrases = gold_set.judgements.filter(label=Label.PARAPHRASE)
    pool: dict[str, int] = {}
    for key, pair in paraphrases.order_by("item__pair__sentence_a", "item__pair__sentence_b").values_list(
        "item__pair__content_key", "item__pair"
    ):
        pool.setdefault(key.hex, pair)
    if not pool:
        raise PublicError(
            "%(gold_set)s has no paraphrases, so there is nothing to link.",
            field="gold_set",
            gold_set=gold_set,
        )
    number = len(pool) if size is None else size
    if not 1 <= number <= len(pool):
        raise PublicError(
            "%(number)s pairs requested, but %(gold_set)s has only %(available)s paraphrases.",
            field="size",
            number=number,
            gold_set=gold_set,
            available=len(pool),
        )
    batch = Batch(
        project=project,
        name=name,
        kind=BatchKind.LINK,
        gold_set=gold_set,
        created_by=by,
        seed=seed,
    )
    pairs = [pool[key] for key in sample(pool, number, seed=seed)]
    fill_batch(batch=batch, pairs=pairs, annotators=annotators, overlap=overlap, own_order=own_order)
    set_suggester(batch=batch, by=by, setting=suggester)
    return batch


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The links of every pair, in order, the signature of the aligner that drew them, and its reasons."""

    links: list[list[Link]]
    signature: str
    reasons: list[list[str]] | None = None
    """What spoke for each of the links, in words; None where the aligner does not tell."""


def suggester_choices(project: Project, batch: Batch | None = None) -> list[tuple[str, str]]:
    """Every setting that the batch, or any of the project, can have, with its label; none is the first."""
    choices = [(NONE, gettext("None"))]
    choices += [
        (method.id, method.suggestion) for method in ALIGNERS if method.suggests_in(*project.languages)
    ]
    choices += trained_choices(project)
    if batch is not None:
        imported = SuggestedLinks.objects.filter(item__batch=batch, setting__startswith=FROM_FILE).order_by()
        choices += [
            (setting, gettext("Links of %(file)s") % {"file": signature.partition("|")[0]})
            for setting, signature in sorted(imported.values_list("setting", "signature").distinct())
        ]
    return choices


def check_suggester(project: Project, setting: str, batch: Batch | None = None) -> None:
    """Raises PublicError, naming the settings there are, for one that cannot be chosen."""
    settings = [name for name, _ in suggester_choices(project, batch) if name]
    if setting not in settings:
        raise PublicError(
            "There is no suggester %(setting)r; choose one of: %(choices)s.",
            field="suggester",
            setting=setting,
            choices=", ".join(settings),
        )


def suggest_links(project: Project, setting: str, pairs: Sequence[Pair]) -> Suggestions:
    """The links that a setting suggests for token pairs of the project; raises as `check_suggester` does."""
    check_suggester(project, setting)
    if setting in ALIGNERS:
        aligner = aligner_for(project, {"aligner": setting}).fit(pairs)
        links = aligner.align_all(pairs)
        return Suggestions(links, aligner.signature, aligner.reasons(pairs, links))
    trained = chosen(project, setting)
    aligner = load_aligner(trained)
    links = aligner.align_all(pairs)
    signature = f"{trained}|{short_signature(trained)}{draw_suffix(trained, links)}"
    return Suggestions(links, signature, aligner.reasons(pairs, links))


def _text_pairs(project: Project, setting: str) -> int:
    """How many pairs of text a setting trains on each time it is used, besides those that it links."""
    if not setting.startswith(f"{PREFIX}:"):
        return 0
    trained = chosen(project, setting)
    return trained.pairs if trained.estimator.trains_when_applied else 0


@transaction.atomic
def set_suggester(*, batch: Batch, by: User | None, setting: str) -> Job | None:
    """Set what suggests links in a batch and have them drawn for all its pairs; the job, if it takes one.

    Until the job has stored them, nobody gets items: without suggestions they would be linked under another
    condition. Pairs that were begun keep the suggestions they had. NONE hands out the whole batch without.
    What was suggested before stays in the database, as the origin of links that were accepted. Raises
    PublicError for a batch that is not for linking, and for a setting that the project does not have.
    """
    if batch.kind != BatchKind.LINK:
        raise PublicError(
            "%(batch)s is for judging; links are suggested in linking batches.", batch=batch.name
        )
    if setting != NONE:
        check_suggester(batch.project, setting, batch)
    is_stored = setting == NONE or setting.startswith(FROM_FILE)
    by_job = not is_stored and setting not in untrained_ids()
    batch.suggester, batch.suggestions_pending = setting, by_job and _lacks_suggestions(batch, setting)
    batch.save(update_fields=["suggester", "suggestions_pending"])
    target = f"batch {batch.pk}: {batch.name}: {setting or 'no suggestions'}"
    record("suggester-set", actor=by, project=batch.project, target=target)
    if is_stored:
        return None
    if not by_job:  # quick enough for the request; all others are left to a job
        items, pairs = items_and_pairs(batch)
        keep_suggestions(items, setting, suggest_links(batch.project, setting, pairs))
        return None
    units = batch.items.count()
    job = ledger.request_job(
        project=batch.project,
        by=by,
        kind=KIND,
        title=f"Suggest links in {batch.name}",
        parameters={"batch": batch.pk, "setting": setting, "units": "pairs"} | LONG_CHUNKS,
        signature=f"suggest|{setting}|batch:{batch.name}",
        chunks=[ledger.ChunkPlan(units=units, payload={})],
        short=units + _text_pairs(batch.project, setting) <= ledger.SHORT_ALIGNED_PAIRS,
    )
    ledger.hand_over(job)
    return job


def _lacks_suggestions(batch: Batch, setting: str) -> bool:
    there = SuggestedLinks.objects.filter(item=OuterRef("pk"), setting=setting)
    return batch.items.filter(~Exists(there)).exists()


def latest_job(batch: Batch) -> Job | None:
    """The job that was last asked to suggest links in a batch; None where none was needed."""
    return batch.project.jobs.filter(kind=KIND, parameters__batch=batch.pk).first()


def items_and_pairs(batch: Batch) -> tuple[list[int], list[Pair]]:
    """The ids of a batch's items in their order, and their tokens."""
    items = batch.items.select_related("pair__sentence_a", "pair__sentence_b")
    rows = [(item.pk, (item.pair.sentence_a.token_list, item.pair.sentence_b.token_list)) for item in items]
    return [pk for pk, _ in rows], [pair for _, pair in rows]


def keep_suggestions(items: Sequence[int], setting: str, suggested: Suggestions) -> None:
    """Store what was suggested for items; the same aligner's links again change nothing."""
    reasons = suggested.reasons or [[] for _ in items]
    SuggestedLinks.objects.bulk_create(
        [
            SuggestedLinks(
                item_id=item, setting=setting, signature=suggested.signature, links=links, reasons=own
            )
            for item, links, own in zip(items, suggested.links, reasons, strict=True)
        ],
        batch_size=ROWS_AT_ONCE,
        ignore_conflicts=True,
    )


def offered_row(assignment: Assignment) -> SuggestedLinks | None:
    """The suggestions that the annotator of an assignment is shown: those of the first answer, else those of
    the batch now. Prefetch `alignment__offered` and `item__suggested_links` for many."""
    alignment = getattr(assignment, "alignment", None)
    return alignment.offered if alignment else current_row(assignment.item)


def current_row(item: Item) -> SuggestedLinks | None:
    """What the suggester of the batch suggests for an item."""
    setting = item.batch.suggester
    rows = [row for row in item.suggested_links.all() if row.setting == setting]
    return max(rows, key=lambda row: row.pk, default=None)


def reasons_for(assignment: Assignment) -> list[tuple[int, int, str]]:
    """What spoke for each link that is suggested to an annotator: (a, b, words), "" where it is not known."""
    row = offered_row(assignment)
    if row is None:
        return []
    reasons = row.reasons or [""] * len(row.links)
    return [(a, b, reason) for (a, b), reason in zip(row.links, reasons, strict=True)]


def _compute(job: Job, chunk: JobChunk) -> tuple[list[int], Suggestions]:
    items, pairs = items_and_pairs(Batch.objects.get(pk=job.parameters["batch"]))
    with watched(chunk):
        return items, suggest_links(job.project, job.parameters["setting"], pairs)


def _store(job: Job, result: tuple[list[int], Suggestions]) -> dict[str, int]:
    items, suggested = result
    batch, setting = job.parameters["batch"], job.parameters["setting"]
    keep_suggestions(items, setting, suggested)
    Batch.objects.filter(pk=batch, suggester=setting).update(suggestions_pending=False)
    return {"links_suggested": sum(map(len, suggested.links))}


RUNNER = Runner(compute=_compute, store=_store)
