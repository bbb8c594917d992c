"""A model answers the pairs of a batch in quarantine: its answers are kept apart from those of people.

What differs between judgements and links is a `ModelKind`; that of links is named by the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import eq
from time import perf_counter
from types import MappingProxyType
from typing import Any

from django.conf import settings as configured
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from annotation.models import (
    Assignment,
    Batch,
    BatchKind,
    Item,
    ModelAnnotator,
    ModelAnswer,
    TrainedClassifier,
)
from annotation.schemes import SCHEME_LABELS, Label
from annotation.specs import ModelSpec
from corpus.models import CandidatePair
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.removal import keep
from jobs.services.running import LONG_CHUNKS, watched
from paragold.classification.pair_scorers import PAIR_SCORERS
from paragold.metrics.alternative_annotator import Similarity
from paragold.metrics.label_agreement import Estimate, cohen_estimate, observed_estimate, pair_tables
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
Answers = Callable[[Sequence[int]], Iterable[Mapping[str, Any]]]
"""What gives the columns of a ModelAnswer for each of the pairs with these ids."""
Both = Mapping[int, tuple[Any, Any]]
"""By item, the answers of a model and of a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelKind:
    """How models answer the batches of one kind.

    choices: ids and labels of the models that a project has, beside its classifiers. annotator: a model for a
    batch, not saved, by what was chosen; raises PublicError for what cannot be used. at_once: whether it must
    answer all pairs at once. answers: of an annotator. answer_of: that of a row, None where the model failed.
    given: item, person, answer and milliseconds of all that people answered. figures, agreement: names of the
    estimates of agreement, and these by person. similarity: of two answers. learned: the items whose right
    answers the model was trained on. suggested: how many answers were given with suggestions in view.
    """

    choices: Callable[[Project], list[tuple[str, str]]]
    annotator: Callable[[Batch, TrainedClassifier | None, ModelSpec, Mapping[str, Any]], ModelAnnotator]
    at_once: Callable[[ModelAnnotator], bool] = lambda annotator: False
    answers: Callable[[ModelAnnotator], Answers]
    answer_of: Callable[[ModelAnswer], Any]
    given: Callable[[Batch], list[tuple[int, int, Any, int]]]
    figures: tuple[str, ...]
    agreement: Callable[[Batch, Mapping[str, Both]], dict[str, dict[str, Estimate]]]
    similarity: Similarity = eq
    learned: Callable[[ModelAnnotator], QuerySet[Item]]
    suggested: Callable[[Batch], int] = lambda batch: 0


def kind_of(batch: Batch) -> ModelKind:
    links: ModelKind = import_string(configured.LINK_MODELS)
    return links if batch.kind == BatchKind.LINK else JUDGEMENTS


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
            "%(batch)s is not a batch of judgements or links of this project.",
            field="batch",
            batch=batch.name,
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


def _annotator(
    batch: Batch, classifier: TrainedClassifier | None, spec: ModelSpec, settings: Mapping[str, Any]
) -> ModelAnnotator:
    keep(classifier)
    if (classifier is None) == (not spec.scorer):
        raise PublicError("Choose either a classifier or a pair scorer.", field="scorer")
    if spec.aligner:
        raise PublicError("An aligner answers linking batches.", field="aligner")
    _check_thresholds(batch, classifier, spec)
    parameters: dict[str, Any] = {"threshold": spec.threshold, "partial_from": spec.partial_from}
    if classifier is not None:
        if classifier.project_id != batch.project_id or not classifier.finished:
            raise PublicError(
                "%(classifier)s is not a trained classifier of this project.",
                field="classifier",
                classifier=classifier,
            )
        check_lexicons(classifier)
        name, made_by = str(classifier), f"classifier:{classifier.sha256}"
    else:
        chosen = _parameters_of(spec.scorer, batch.project, settings)
        parameters["settings"] = chosen.as_json()
        name, made_by = spec.scorer, PAIR_SCORERS.get(spec.scorer).signature(chosen)
    if spec.threshold is not None:
        name += f", from {spec.threshold:g}"
    return ModelAnnotator(
        classifier=classifier, scorer=spec.scorer, name=name, parameters=parameters,
        signature=f"{made_by}|threshold:{spec.threshold}|partial-from:{spec.partial_from}",
    )  # fmt: skip


def _check_thresholds(batch: Batch, classifier: TrainedClassifier | None, spec: ModelSpec) -> None:
    three = batch.scheme == Scheme.THREE_WAY
    if spec.threshold is None and (classifier is None or three):
        raise PublicError("Say from which score on a pair is a paraphrase.", field="threshold")
    if (spec.partial_from is None) == three:
        if not three:
            raise PublicError("Leave it empty: there are two labels.", field="partial_from")
        raise PublicError(
            "Say from which score on a pair is a partial paraphrase: the batch has three labels.",
            field="partial_from",
        )
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


def _labels(annotator: ModelAnnotator) -> Answers:
    scores = _scorer(annotator)
    return lambda pks: [{"label": _label(annotator, score), "score": score} for score in scores(pks)]


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


def _label(annotator: ModelAnnotator, score: float) -> str:
    threshold, partial_from = (annotator.parameters[name] for name in ("threshold", "partial_from"))
    if score >= (threshold or 0):
        return Label.PARAPHRASE
    if partial_from is None:
        return Label.NOT_PARAPHRASE
    return Label.PARTIAL if score >= partial_from else Label.UNRELATED


def _given(batch: Batch) -> list[tuple[int, int, Any, int]]:
    given = Assignment.objects.filter(
        item__batch=batch, item__known_label="", judgement__isnull=False, annotator__isnull=False
    )
    return list(given.values_list("item", "annotator", "judgement__label", "milliseconds"))


def _agreement(batch: Batch, both: Mapping[str, Both]) -> dict[str, dict[str, Estimate]]:
    labels = tuple(map(str, SCHEME_LABELS[batch.scheme]))
    estimates = {}
    for person, answers in both.items():
        rows = [{"model": model, "person": own} for model, own in answers.values()]
        table = pair_tables(rows, labels, ["model", "person"])["model", "person"]
        estimates[person] = {"observed": observed_estimate(table), "kappa": cohen_estimate(table)}
    return estimates


def _learned(annotator: ModelAnnotator) -> QuerySet[Item]:
    gold_set = annotator.classifier.gold_set if annotator.classifier else None
    return Item.objects.filter(gold_judgements__gold_set=gold_set) if gold_set else Item.objects.none()


JUDGEMENTS = ModelKind(
    choices=lambda project: PAIR_SCORERS.choices(),
    annotator=_annotator,
    answers=_labels,
    answer_of=lambda row: row.label or None,
    given=_given,
    figures=("observed", "kappa"),
    agreement=_agreement,
    learned=_learned,
)


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
            raise PublicError(
                "%(annotator)s has not answered any of these batches.", field="models", annotator=annotator
            )
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
    if not votes:
        return list(entries)
    return [replace(entry, votes=[*entry.votes, *votes.get(entry.item.pk, [])]) for entry in entries]


def people_of(entry: ReviewedItem) -> list[Vote]:
    """The votes of people."""
    return [vote for vote in entry.votes if not vote.annotator.startswith(MODEL)]
