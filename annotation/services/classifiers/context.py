"""What a classifier may know of candidate pairs beside their texts: dates, places, cohesion, scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import QuerySet

from annotation.models import TrainedClassifier
from corpus.models import CandidatePair, Cluster, Sentence
from jobs.models import Job
from jobs.services.running import stop_check
from paragold.aligners.program_runs import watched
from paragold.classification.classes import CONTEXT
from paragold.formats.judgements.labelled_pairs import NO_CONTEXT, PairContext
from paragold.http_models.cached_answers import known_health
from paragold.http_models.configuration import http_models
from paragold.http_models.protocol import Health, ModelError
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
    settings: Mapping[str, Any],
    *,
    job: Job | None = None,
) -> list[PairContext]:
    """The contexts of pairs with the scores of the model that `settings` (a ClassifierSpec's) name, if any.

    Only a `job` asks the model; without one, for pages, scores are those that were asked for before. Raises
    PublicError where the model does not answer as it should, and for scores that are not there.
    """
    if not settings.get("scorer"):
        return list(contexts)
    from paragold.classification import scorer

    try:
        with watched(stop_check(job) if job else lambda: None):
            return scorer.with_scores(
                contexts,
                texts,
                scorer=settings["scorer"],
                version=settings["scorer_version"],
                ask=job is not None,
            )
    except ModelError as error:
        raise PublicError(str(error)) from error


def scorers() -> dict[str, Health]:
    """What is known of the models that score pairs, by name. None is asked."""
    found = {name: known_health(model) for name, model in http_models().items()}
    return {
        name: known.health for name, known in found.items() if known and known.health and known.health.score
    }


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
