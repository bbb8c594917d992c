"""Features of candidate pairs besides their texts: dates, places, cohesion."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from django.db.models import QuerySet

from annotation.models import TrainedClassifier
from annotation.specs import TrainingSpec
from corpus.models import CandidatePair, Cluster, Sentence
from paragold.classification.classes import CONTEXT
from paragold.classification.settings import NO_STEMMER
from paragold.formats.labelled_pairs import NO_CONTEXT, Context
from paragold.text.stemming import stemmer_name

ROWS_AT_ONCE = 2_000
Contexts = dict[int, Context]


def contexts_of(pairs: QuerySet[CandidatePair], classes: Collection[str]) -> Contexts:
    """The context of each pair by its id; nothing where the class `context` is not among `classes`."""
    if CONTEXT not in classes:
        return {}
    cohesions: dict[int, float | None] = {}
    contexts: Contexts = {}
    rows = pairs.values_list(
        *("pk", "position_a", "position_b", "cluster_id"),
        *("sentence_a__article__published", "sentence_b__article__published"),
    )
    for pk, first, second, cluster, *published in rows.iterator(chunk_size=ROWS_AT_ONCE):
        if cluster not in cohesions:
            cohesions[cluster] = _cohesion(cluster)
        contexts[pk] = (_days(*published), (first, second), cohesions[cluster])
    return contexts


def known_of(pks: Collection[int], contexts: Contexts) -> list[Context]:
    """The contexts of these pairs in order."""
    return [contexts.get(pk, NO_CONTEXT) for pk in pks]


def spec_of(classifier: TrainedClassifier) -> TrainingSpec:
    """The parameters of a training."""
    language = stemmer_name(classifier.parameters["language"]) or NO_STEMMER
    return TrainingSpec.stored(classifier.parameters["spec"] | {"language": language})


def classes_of(classifier: TrainedClassifier) -> list[str]:
    """The feature classes that a trained classifier has."""
    classes: list[str] = classifier.figures["classes"]
    return classes


def _days(first: str, second: str) -> float | None:
    if not (first and second):
        return None
    earlier, other = (date.fromisoformat(published[:10]) for published in (first, second))
    return float(abs((earlier - other).days))


def _cohesion(cluster: int) -> float | None:
    """None for imported pairs, whose articles are a sentence each."""
    from paragold.classification.features import cohesion

    if not Cluster.objects.of_corpus().filter(pk=cluster).exists():
        return None
    words: dict[int, set[str]] = {}
    sentences = Sentence.objects.filter(article__cluster=cluster).values_list("article_id", "tokens")
    for article, tokens in sentences.iterator(chunk_size=ROWS_AT_ONCE):
        words.setdefault(article, set()).update(tokens.lower().split(" "))
    return cohesion(list(words.values()))
