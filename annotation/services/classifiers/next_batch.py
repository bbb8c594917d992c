"""The next pairs to judge, by what a classifier is least sure of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.models import ClassifierRun
from corpus.models import Dataset
from paragold.sampling.active import Scored, choose
from paragold.sampling.strategy import Strategy
from projects.errors import PublicError


def least_certain(
    dataset: Dataset,
    pool: Mapping[str, int],
    keys: Sequence[str],
    wanted: int,
    *,
    strategy: Strategy,
    seed: int,
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """`wanted` of `keys`, each with its stratum, and how many of each stratum are drawn.

    pool: pair id by key. Raises PublicError when the strategy's run is not a finished one over the dataset.
    """
    run = ClassifierRun.objects.filter(pk=strategy.run or 0, classifier__project=dataset.project_id).first()
    if run is None or not run.finished or run.dataset_id != dataset.pk:
        raise PublicError(
            f"No classifier was applied to the dataset {dataset.name} in this run. Apply one to it first, or "
            "draw from the dataset that it was applied to.",
            field="run",
        )
    rows = run.scores.values_list(
        "pair_id", "probability", "pair__cluster__key", "pair__sentence_a", "pair__sentence_b"
    )
    scores = {row[0]: row for row in rows}
    scored = {}
    for key in keys:
        _, probability, cluster, first, second = scores[pool[key]]
        scored[key] = Scored(key, probability, cluster, (first, second))
    chosen = choose(scored, wanted, audit=strategy.audit, seed=seed)
    drawn = Counter(chosen.values())
    counts = [
        {"stratum": stratum, "pairs": len(keys), "drawn": count} for stratum, count in sorted(drawn.items())
    ]
    return chosen, counts
