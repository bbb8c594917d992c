"""A model answers the pairs of a batch in quarantine: its answers are kept apart from those of people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Batch, BatchKind, ModelAnnotator, ModelAnswer, TrainedClassifier
from annotation.schemes import Label
from annotation.specs import ModelSpec
from corpus.models import CandidatePair
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.removal import keep
from paragold.classification.pair_scorers import PAIR_SCORERS
from paragold.registry import NotRegisteredError, PluginError, plugin_failures
from paragold.spec import Spec, SpecError
from projects.errors import PublicError
from projects.models import Project, Scheme
from projects.services.projects import first_free

from .classifiers.context import classes_of, contexts_of, known_of
from .classifiers.inspection import check_lexicons, model_of
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
    """Have a trained classifier, or the pair scorer that `spec` names, answer a judging batch.

    settings: parameters of the scorer; its language is that of the project by default. Raises PublicError
    for a batch that is not for judging, for none or two models, for a model that cannot be used, and for
    thresholds that do not make a label of every score.
    """
    keep(batch, classifier)
    if batch.project_id != project.pk or batch.kind != BatchKind.JUDGE or batch.measure:
        raise PublicError(f"{batch.name} is not a judging batch of this project.", field="batch")
    if (classifier is None) == (not spec.scorer):
        raise PublicError("Choose either a classifier or a pair scorer.", field="scorer")
    _check_thresholds(batch, classifier, spec)
    parameters: dict[str, Any] = {
        "threshold": spec.threshold, "partial_from": spec.partial_from, "price": spec.price,
    }  # fmt: skip
    if classifier is not None:
        if classifier.project_id != project.pk or not classifier.finished:
            raise PublicError(
                f"{classifier} is not a trained classifier of this project.", field="classifier"
            )
        check_lexicons(classifier)
        name, made_by = str(classifier), f"classifier:{classifier.sha256}"
    else:
        chosen = _parameters_of(spec.scorer, project, settings)
        parameters["settings"] = chosen.as_json()
        scorer = PAIR_SCORERS.get(spec.scorer)
        name, made_by = spec.scorer, scorer.signature(chosen)
    if spec.threshold is not None:
        name += f", from {spec.threshold:g}"
    name = first_free(name, set(batch.model_annotators.values_list("name", flat=True)))
    numbers = list(batch.items.order_by("number").values_list("number", flat=True))
    stretches = [numbers[start : start + PAIRS_A_CHUNK] for start in range(0, len(numbers), PAIRS_A_CHUNK)]
    signature = f"{KIND}|{made_by}|threshold:{spec.threshold}|partial-from:{spec.partial_from}"
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"{name} answers {batch.name}"[:200],
        parameters={"batch": batch.pk, "units": "pairs", **answers_cost(batch).work},
        signature=signature,
        chunks=[ledger.ChunkPlan(len(part), {"first": part[0], "last": part[-1]}) for part in stretches],
    )
    annotator = ModelAnnotator.objects.create(
        batch=batch, job=job, classifier=classifier, scorer=spec.scorer, name=name,
        parameters=parameters, signature=signature,
    )  # fmt: skip
    ledger.hand_over(job)
    return annotator


def answers_cost(batch: Batch) -> LaunchCost:
    """The pairs that a model answers, and the time that takes."""
    pairs = batch.items.count()
    return launch_cost(KIND, f"{pairs:,} pairs", pairs * SECONDS_A_PAIR, project=batch.project)


def _check_thresholds(batch: Batch, classifier: TrainedClassifier | None, spec: ModelSpec) -> None:
    three = batch.scheme == Scheme.THREE_WAY
    if spec.threshold is None and (classifier is None or three):
        raise PublicError("Say from which score on a pair is a paraphrase.", field="threshold")
    if (spec.partial_from is None) == three:
        needed = "Say from which score on a pair is a partial paraphrase: the batch has three labels."
        raise PublicError(needed if three else "Leave it empty: there are two labels.", field="partial_from")
    if three and spec.partial_from > spec.threshold:  # type: ignore[operator]  # both are there
        raise PublicError("It is above the score of a paraphrase.", field="partial_from")


def _parameters_of(scorer: str, project: Project, settings: Mapping[str, Any]) -> Spec:
    """Raises PublicError for an unknown scorer, and for parameters that it does not allow."""
    try:
        declared = PAIR_SCORERS.get(scorer).parameters
    except NotRegisteredError as error:
        raise PublicError(str(error), field="scorer") from error
    named = {parameter.name for parameter in declared.parameters()}
    own = {"language": project.language} if "language" in named else {}
    try:
        return declared(**{**own, **settings})
    except SpecError as error:
        field, message = error.problems[0]
        raise PublicError(message, field=field) from error


Row = tuple[int, str, float | None, float, str]
"""Item, label, score, seconds, problem."""


def compute(job: Job, chunk: JobChunk) -> list[Row]:
    annotator = job.model_annotator
    items = annotator.batch.items.filter(number__range=(chunk.payload["first"], chunk.payload["last"]))
    rows = list(items.order_by("number").values_list("pk", "pair_id"))
    scores = _scorer(annotator)
    return [
        (item, _label(annotator, score) if score is not None else "", score, seconds, problem)
        for item, score, seconds, problem in _scored(rows, scores)
    ]


def _scorer(annotator: ModelAnnotator) -> Callable[[Sequence[int]], Iterable[float]]:
    """What gives the scores of pairs by their ids, in order."""

    def pairs_of(pks: Sequence[int]) -> tuple[Any, list[tuple[str, str]]]:
        pairs = CandidatePair.objects.filter(pk__in=pks)
        texts = {pk: both for pk, *both in pairs.values_list("pk", "sentence_a__text", "sentence_b__text")}
        return pairs, [(texts[pk][0], texts[pk][1]) for pk in pks]

    classifier = annotator.classifier
    if classifier is None:
        scorer = PAIR_SCORERS.get(annotator.scorer)
        parameters = scorer.parameters.from_json(annotator.parameters["settings"])
        return lambda pks: scorer.scores(pairs_of(pks)[1], parameters).tolist()
    model, classes = model_of(classifier), classes_of(classifier)

    def decided(pks: Sequence[int]) -> Iterable[float]:
        pairs, texts = pairs_of(pks)
        values, shares = model.decide(texts, known_of(pks, contexts_of(pairs, classes)))
        by_sign = annotator.parameters["threshold"] is None
        return (values if by_sign else shares).tolist()

    return decided


def _scored(
    rows: Sequence[tuple[int, int]], scores: Callable[[Sequence[int]], Iterable[float]]
) -> list[tuple[int, float | None, float, str]]:
    """Item, score, seconds and problem of each row; where a plug-in fails, each pair is asked for alone."""
    began = perf_counter()
    try:
        with plugin_failures():
            given = list(scores([pair for _, pair in rows]))
    except PluginError as error:
        if len(rows) == 1:
            return [(rows[0][0], None, perf_counter() - began, str(error))]
        return [answer for row in rows for answer in _scored([row], scores)]
    seconds = (perf_counter() - began) / max(1, len(rows))
    return [(item, score, seconds, "") for (item, _), score in zip(rows, given, strict=True)]


def _label(annotator: ModelAnnotator, score: float) -> str:
    threshold, partial_from = (annotator.parameters[name] for name in ("threshold", "partial_from"))
    if score >= (threshold or 0):
        return Label.PARAPHRASE
    if partial_from is None:
        return Label.NOT_PARAPHRASE
    return Label.PARTIAL if score >= partial_from else Label.UNRELATED


def store(job: Job, rows: list[Row]) -> dict[str, int]:
    ModelAnswer.objects.bulk_create(
        ModelAnswer(
            annotator=job.model_annotator, item_id=item, label=label, score=score, seconds=seconds,
            problem=problem,
        )
        for item, label, score, seconds, problem in rows
    )  # fmt: skip
    return {"pairs": len(rows), "failures": sum(bool(problem) for *_, problem in rows)}


RUNNER = Runner(compute=compute, store=store)


def with_models(
    entries: Sequence[ReviewedItem], annotators: Sequence[ModelAnnotator], batches: Sequence[Batch]
) -> list[ReviewedItem]:
    """The items with the answers of models as further votes. Raises PublicError for a model that has not
    answered one of these batches."""
    votes: dict[int, list[Vote]] = {}
    for annotator in annotators:
        if annotator.batch not in batches or not annotator.finished:
            raise PublicError(f"{annotator} has not answered any of these batches.", field="models")
        at = annotator.job.finished_at.isoformat() if annotator.job.finished_at else ""
        for item, label in annotator.answers.exclude(label="").values_list("item", "label"):
            vote = Vote(f"{MODEL}{annotator}", label, "", False, False, 0, at, False)
            votes.setdefault(item, []).append(vote)
    if not votes:
        return list(entries)
    return [replace(entry, votes=[*entry.votes, *votes.get(entry.item.pk, [])]) for entry in entries]


def people_of(entry: ReviewedItem) -> list[Vote]:
    """The votes of people."""
    return [vote for vote in entry.votes if not vote.annotator.startswith(MODEL)]
