"""How many pairs of a dataset a threshold would keep, before the classifier is applied to all of it."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import TrainedClassifier
from corpus.models import Dataset
from paragold.sampling.sampling import pseudo_random

from .loading import check_lexicons, model_of

SAMPLE = 500
SEED = 1


@dataclass(frozen=True, slots=True)
class Projection:
    """Pairs kept by threshold. `sample` is the number of pairs it was estimated from, 0 for counted ones."""

    kept: dict[float, int]
    sample: int


def project_yield(classifier: TrainedClassifier, dataset: Dataset, steps: list[float]) -> Projection:
    """Count what each threshold keeps where the classifier was applied; else estimate it from 500 pairs.

    Raises PublicError when the classifier's lexicons are not here.
    """
    runs = classifier.runs.filter(dataset=dataset, job__state="done")
    run = runs.first()
    if run is not None:
        return Projection({step: run.scores.filter(probability__gte=step).count() for step in steps}, 0)
    check_lexicons(classifier)
    keys = dataset.pairs().order_by("content_key", "pk").values_list("pk", "content_key")
    drawn = sorted(keys.iterator(chunk_size=5_000), key=lambda row: pseudo_random(SEED, row[1].hex))[:SAMPLE]
    rows = dataset.pairs().filter(pk__in=[pk for pk, _ in drawn]).order_by("pk")
    texts = list(rows.values_list("sentence_a__text", "sentence_b__text"))
    probabilities = model_of(classifier).decide(texts).probabilities
    scale = dataset.size / max(1, len(texts))
    return Projection(
        {step: round(scale * int((probabilities >= step).sum())) for step in steps},
        0 if len(texts) == dataset.size else len(texts),
    )
