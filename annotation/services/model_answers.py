"""A model answers the pairs of a batch in quarantine: its answers are kept apart from those of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Batch, BatchKind, ModelAnnotator, ModelAnswer, TrainedClassifier
from annotation.specs import ModelSpec
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.removal import keep
from jobs.services.running import LONG_CHUNKS, watched
from paragold.registry import PluginError, plugin_failures
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import first_free

from .model_kinds import Answers, kind_of
from .review import ReviewedItem, Vote

KIND = "answer-batch"
# Of a language model, a minute or so.
PAIRS_A_CHUNK = 25
SECONDS_A_PAIR = 1e-2
MODEL = "model "
"""How the name of a model begins among the votes of a gold set."""
NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


@transaction.atomic
def launch_answers(
    *,
    project: Project,
    by: User | None,
    batch: Batch,
    classifier: TrainedClassifier | None = None,
    spec: ModelSpec,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> ModelAnnotator:
    """Have a model answer a batch: a classifier, or the pair scorer or aligner that `spec` names.

    settings: parameters of scorer or aligner; its languages are those of the project by default. Raises
    PublicError for another batch, for none or two models, for a model that cannot be used, and for thresholds
    that do not make a label of every score.
    """
    keep(batch)
    if batch.project_id != project.pk or batch.kind == BatchKind.SPLIT or batch.measure:
        raise PublicError(
            f"{batch.name} is not a batch of judgements or links of this project.", field="batch"
        )
    kind = kind_of(batch)
    annotator = kind.annotator(batch, classifier, spec, settings)
    annotator.batch, annotator.signature = batch, f"{KIND}|{annotator.signature}"
    annotator.parameters["price"] = spec.price
    annotator.name = first_free(annotator.name, set(batch.model_annotators.values_list("name", flat=True)))
    numbers = list(batch.items.order_by("number").values_list("number", flat=True))
    at_once = kind.at_once(annotator)
    size = len(numbers) if at_once else PAIRS_A_CHUNK
    stretches = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    annotator.job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"{annotator} answers {batch.name}"[:200],
        parameters={"batch": batch.pk, "units": "pairs", **answers_cost(batch).work}
        | (LONG_CHUNKS if at_once else {}),
        signature=annotator.signature,
        chunks=[ledger.ChunkPlan(len(part), {"first": part[0], "last": part[-1]}) for part in stretches],
    )
    annotator.save()
    ledger.hand_over(annotator.job)
    return annotator


def answers_cost(batch: Batch) -> LaunchCost:
    """The pairs that a model answers, and the time that takes."""
    pairs = batch.items.count()
    return launch_cost(KIND, f"{pairs:,} pairs", pairs * SECONDS_A_PAIR, project=batch.project)


def compute(job: Job, chunk: JobChunk) -> list[ModelAnswer]:
    annotator = job.model_annotator
    items = annotator.batch.items.filter(number__range=(chunk.payload["first"], chunk.payload["last"]))
    rows = list(items.order_by("number").values_list("pk", "pair_id"))
    with watched(chunk):
        given = _answered(rows, kind_of(annotator.batch).answers(annotator))
    return [ModelAnswer(annotator=annotator, **columns) for columns in given]


def _answered(rows: Sequence[tuple[int, int]], answers: Answers) -> list[dict[str, Any]]:
    """The columns of each row's answer; where a plug-in fails, each pair is asked for alone."""
    began = perf_counter()
    try:
        with plugin_failures():
            given = list(answers([pair for _, pair in rows]))
    except PluginError as error:
        if len(rows) == 1:
            return [{"item_id": rows[0][0], "seconds": perf_counter() - began, "problem": str(error)}]
        return [answer for row in rows for answer in _answered([row], answers)]
    seconds = (perf_counter() - began) / max(1, len(rows))
    return [
        {"item_id": item, "seconds": seconds, **columns}
        for (item, _), columns in zip(rows, given, strict=True)
    ]


def store(job: Job, rows: list[ModelAnswer]) -> dict[str, int]:
    ModelAnswer.objects.bulk_create(rows)
    return {"pairs": len(rows), "failures": sum(bool(row.problem) for row in rows)}


RUNNER = Runner(compute=compute, store=store)


def answered_by(
    annotators: Sequence[ModelAnnotator], batches: Sequence[Batch]
) -> Iterator[tuple[str, str, QuerySet[ModelAnswer]]]:
    """Of each model the name among people, when it had answered, and the answers that it has.

    Raises PublicError for a model that has not answered one of these batches.
    """
    for annotator in annotators:
        if annotator.batch not in batches or not annotator.finished:
            raise PublicError(f"{annotator} has not answered any of these batches.", field="models")
        at = annotator.job.finished_at.isoformat() if annotator.job.finished_at else ""
        yield f"{MODEL}{annotator}", at, annotator.answers.filter(problem="")


def with_models(
    entries: Sequence[ReviewedItem], annotators: Sequence[ModelAnnotator], batches: Sequence[Batch]
) -> list[ReviewedItem]:
    """The items with the answers of models as further votes; see `answered_by`."""
    votes: dict[int, list[Vote]] = {}
    for name, at, answers in answered_by(annotators, batches):
        for item, label in answers.values_list("item", "label"):
            votes.setdefault(item, []).append(Vote(name, label, "", False, False, 0, at, False))
    return [replace(entry, votes=[*entry.votes, *votes.get(entry.item.pk, [])]) for entry in entries]


def people_of(entry: ReviewedItem) -> list[Vote]:
    """The votes of people."""
    return [vote for vote in entry.votes if not vote.annotator.startswith(MODEL)]
