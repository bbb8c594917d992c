"""How models answer the batches of each kind: which they are, what they answer, how they agree with people.

Links are answered by aligners, which the settings name: LINK_MODELS, in alignment/services/link_models.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import eq
from typing import Any

from django.conf import settings
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
from jobs.services.removal import keep
from paragold.classification.pair_scorers import PAIR_SCORERS
from paragold.metrics.alternative_annotator import Similarity
from paragold.metrics.label_agreement import Estimate, cohen_estimate, observed_estimate, pair_tables
from paragold.registry import NotRegisteredError
from paragold.spec import Spec, SpecError
from projects.errors import PublicError
from projects.models import Project, Scheme

from .classifiers.context import classes_of, contexts_of, known_of
from .classifiers.inspection import check_lexicons, model_of

Answers = Callable[[Sequence[int]], Iterable[Mapping[str, Any]]]
"""What gives the columns of a ModelAnswer for each of the pairs with these ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelKind:
    """How models answer the batches of one kind.

    choices: ids and labels of the models that a project has, beside its classifiers. annotator: a model for a
    batch, not saved, by what was chosen; raises PublicError for what cannot be used. at_once: whether it must
    answer all pairs at once. answers: of an annotator. answer_of: that of a row, None where the model failed.
    given: item, person, answer and milliseconds of all that people answered. figures, agreement: names and
    estimates of the agreement on items that model (first) and person answered. similarity: of two answers.
    learned: the items whose right answers the model was trained on. suggested: how many answers people gave
    who were shown what a model would answer.
    """

    choices: Callable[[Project], list[tuple[str, str]]]
    annotator: Callable[[Batch, TrainedClassifier | None, ModelSpec, Mapping[str, Any]], ModelAnnotator]
    at_once: Callable[[ModelAnnotator], bool] = lambda annotator: False
    answers: Callable[[ModelAnnotator], Answers]
    answer_of: Callable[[ModelAnswer], Any]
    given: Callable[[Batch], list[tuple[int, int, Any, int]]]
    figures: tuple[str, ...]
    agreement: Callable[[Batch, Mapping[int, tuple[Any, Any]]], dict[str, Estimate]]
    similarity: Similarity = eq
    learned: Callable[[ModelAnnotator], QuerySet[Item]]
    suggested: Callable[[Batch], int] = lambda batch: 0


def kind_of(batch: Batch) -> ModelKind:
    links: ModelKind = import_string(settings.LINK_MODELS)
    return links if batch.kind == BatchKind.LINK else JUDGEMENTS


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
                f"{classifier} is not a trained classifier of this project.", field="classifier"
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


def _agreement(batch: Batch, both: Mapping[int, tuple[str, str]]) -> dict[str, Estimate]:
    labels = tuple(map(str, SCHEME_LABELS[batch.scheme]))
    table = pair_tables(
        [{"model": model, "person": person} for model, person in both.values()], labels, ["model", "person"]
    )["model", "person"]
    return {"observed": observed_estimate(table), "kappa": cohen_estimate(table)}


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
