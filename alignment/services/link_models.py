"""Aligners that answer linking batches in quarantine, beside the people who link them; see `ModelKind`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet

from alignment.models import Alignment, GoldAlignmentSet
from annotation.models import AssignmentState, Batch, Item, ModelAnnotator, ModelAnswer, TrainedClassifier
from annotation.services.model_answers import Answers, Both, ModelKind
from annotation.specs import ModelSpec
from jobs.services.removal import keep
from paragold.aligners.programs import ProgramError
from paragold.aligners.registry import ALIGNERS
from paragold.metrics.label_agreement import Estimate, estimate
from paragold.metrics.link_agreement import link_agreement, link_kappa, link_similarity
from paragold.metrics.links import Links
from paragold.registry import PluginError
from projects.errors import PublicError
from projects.models import Project

from .batches import items_and_pairs
from .submitted_links import links_of, submitted_alignments
from .trained_aligners.launching import aligner_for, check_size
from .trained_aligners.stored import (
    PREFIX,
    chosen,
    load_aligner,
    reference,
    short_signature,
    trained_choices,
)

SHARES = ("agreement", "f1_sure", "f1_all")


def model_choices(project: Project) -> list[tuple[str, str]]:
    """The aligners of a project and of the registry, by what names them."""
    registered = [(method.id, method.label) for method in ALIGNERS if method.is_available()]
    return trained_choices(project) + registered


def _annotator(
    batch: Batch, classifier: TrainedClassifier | None, spec: ModelSpec, settings: Mapping[str, Any]
) -> ModelAnnotator:
    names = [name for name, _ in model_choices(batch.project)]
    if classifier is not None or spec.scorer or spec.aligner not in names:
        raise PublicError(
            "A linking batch is answered by one of: %(choices)s.", field="aligner", choices=", ".join(names)
        )
    if spec.aligner in ALIGNERS:
        aligner = aligner_for(batch.project, {**settings, "aligner": spec.aligner})
        check_size(aligner, batch.items.count(), field="aligner")
        stored = {"settings": aligner.settings()}
        return ModelAnnotator(
            aligner=aligner.id, name=aligner.id, parameters=stored, signature=f"aligner:{aligner.signature}"
        )
    trained = chosen(batch.project, spec.aligner)
    keep(trained)
    if settings:
        raise PublicError(
            "%(trained)s keeps the parameters that it was trained with.", field="settings", trained=trained
        )
    check_size(trained.estimator, trained.pairs + batch.items.count(), field="aligner")
    own = f"aligner:{short_signature(trained)}"
    return ModelAnnotator(aligner=reference(trained), name=str(trained), parameters={}, signature=own)


def _at_once(annotator: ModelAnnotator) -> bool:
    """What is trained on the pairs, for each use again, must have all of them."""
    if annotator.aligner in ALIGNERS:
        return ALIGNERS.get(annotator.aligner).learns_from_pairs
    return chosen(annotator.batch.project, annotator.aligner).estimator.trains_when_applied


def _answers(annotator: ModelAnnotator) -> Answers:
    _, tokens = items_and_pairs(annotator.batch)
    by_pair = dict(zip(annotator.batch.items.values_list("pair", flat=True), tokens, strict=True))
    if annotator.aligner in ALIGNERS:
        aligner = aligner_for(annotator.batch.project, annotator.parameters["settings"]).fit(tokens)
    else:
        aligner = load_aligner(chosen(annotator.batch.project, annotator.aligner))

    def links(pks: Sequence[int]) -> list[dict[str, Any]]:
        try:
            return [{"links": drawn} for drawn in aligner.align_all([by_pair[pk] for pk in pks])]
        except ProgramError as error:
            if _at_once(annotator):
                raise
            raise PluginError(str(error)) from error  # each pair is asked for alone

    return links


def links_of_answer(row: ModelAnswer) -> Links | None:
    """The links of a model, all SURE; None where it failed."""
    return None if row.links is None else Links.of((a, b) for a, b in row.links)


def _given(batch: Batch) -> list[tuple[int, int, Any, int]]:
    """The present links; after a second pass those of that."""
    return [
        (item, drawn.assignment.annotator_id, links_of(drawn), drawn.assignment.milliseconds)
        for item, alignments in submitted_alignments(batch).items()
        for drawn in alignments
        if drawn.assignment.annotator_id
    ]


def _agreement(batch: Batch, both: Mapping[str, Both]) -> dict[str, dict[str, Estimate]]:
    tokens = {item: (tuple(a), tuple(b)) for item, (a, b) in zip(*items_and_pairs(batch), strict=True)}
    estimates = {}
    for person, answers in both.items():
        pairs = [(tokens[item], *links) for item, links in answers.items()]
        figures = link_agreement(pairs)
        estimates[person] = {name: estimate(figures[name], len(pairs)) for name in SHARES}
        estimates[person]["kappa"] = link_kappa(pairs)
    return estimates


def _learned(annotator: ModelAnnotator) -> QuerySet[Item]:
    number = annotator.aligner.removeprefix(f"{PREFIX}:")
    own = [number] if number.isdecimal() else []
    trained = annotator.batch.project.trained_aligners.filter(pk__in=own)
    gold_sets = GoldAlignmentSet.objects.filter(Q(taught__in=trained) | Q(taught_besides__in=trained))
    return Item.objects.filter(gold_alignments__gold_set__in=gold_sets)


LINKS = ModelKind(
    choices=model_choices,
    annotator=_annotator,
    at_once=_at_once,
    answers=_answers,
    answer_of=links_of_answer,
    given=_given,
    figures=(*SHARES, "kappa"),
    agreement=_agreement,
    similarity=link_similarity,
    learned=_learned,
    suggested=lambda batch: Alignment.objects.filter(
        assignment__item__batch=batch, assignment__state=AssignmentState.DONE, offered__isnull=False
    ).count(),
)
