"""Features of candidate pairs besides their texts: dates, places, cohesion, scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from django.db.models import QuerySet

from annotation.models import TrainedClassifier
from annotation.specs import TrainingSpec
from corpus.models import CandidatePair, Cluster, Sentence
from jobs.models import Job
from jobs.services.running import stop_check
from paragold.aligners.program_runs import ProgramError, watched
from paragold.classification.classes import CONTEXT
from paragold.classification.pair_scorers import all_classes
from paragold.classification.settings import ClassifierSpec
from paragold.formats.judgements.labelled_pairs import NO_CONTEXT, PairContext
from paragold.http_models.cached_answers import model_state
from paragold.http_models.configuration import http_models
from projects.errors import PublicError

ROWS_AT_ONCE = 2_000
Contexts = dict[int, PairContext]


def contexts_of(pairs: QuerySet[CandidatePair], classes: Collection[str]) -> Contexts:
    """The context of each pair by its id; nothing where the class `context` is not among `classes`."""
    if CONTEXT not in classes:
        return {}
    cohesions: dict[int, float | None] = {}
    contexts = {}
    rows = pairs.values_list(
        *("pk", "position_a", "position_b", "cluster_id"),
        *("sentence_a__article__published", "sentence_b__article__published"),
    )
    for pk, first, second, cluster, *published in rows.iterator(chunk_size=ROWS_AT_ONCE):
        if cluster not in cohesions:
            cohesions[cluster] = _cohesion(cluster)
        contexts[pk] = PairContext(_days(*published), (first, second), cohesions[cluster])
    return contexts


def known_of(pks: Collection[int], contexts: Contexts) -> list[PairContext]:
    """The contexts of these pairs in order."""
    return [contexts.get(pk, NO_CONTEXT) for pk in pks]


def with_scores(
    contexts: Sequence[PairContext],
    texts: Sequence[tuple[str, str]],
    spec: ClassifierSpec,
    *,
    job: Job | None = None,
) -> list[PairContext]:
    """The contexts of pairs with the scores of the Spec's scorer, if it has one.

    Only a `job` asks the model; without one, for pages, scores are those that were asked for before. Raises
    PublicError where the model does not answer as it should, and for scores that are not there.
    """
    if not spec.scorer:
        return list(contexts)
    from paragold.classification import scorer

    try:
        with watched(stop_check(job) if job else lambda: None):
            return scorer.with_scores(contexts, texts, spec, ask=job is not None)
    except ProgramError as error:
        raise PublicError(str(error)) from error


def spec_of(classifier: TrainedClassifier) -> TrainingSpec:
    """The parameters of a training."""
    spec = classifier.parameters["spec"]
    # Without those of plug-ins that are no longer there; a model that needs one says so when it is used.
    classes = [name for name in spec["classes"] if name in all_classes()]
    return TrainingSpec.from_json(spec | {"classes": classes})


def scorers() -> dict[str, str]:
    """The versions of the models that score pairs, by name, as far as is known. None is asked."""
    states = [model_state(model) for model in http_models().values()]
    return {state.name: state.version for state in states if state.scores}


def classes_of(classifier: TrainedClassifier) -> list[str]:
    """The feature classes that a trained classifier has."""
    classes: list[str] = classifier.figures["classes"]
    return classes


def _days(first: str, second: str) -> float | None:
    if not (first and second):
        return None
    one, other = (date.fromisoformat(published[:10]) for published in (first, second))
    return float(abs((one - other).days))


def _cohesion(cluster: int) -> float | None:
    """None for imported pairs, whose articles are a sentence each."""
    from paragold.classification.context import cohesion

    if not Cluster.objects.of_corpus().filter(pk=cluster).exists():
        return None
    words: dict[int, set[str]] = {}
    sentences = Sentence.objects.filter(article__cluster=cluster).values_list("article_id", "tokens")
    for article, tokens in sentences.iterator(chunk_size=ROWS_AT_ONCE):
        words.setdefault(article, set()).update(tokens.lower().split(" "))
    return cohesion(list(words.values()))
