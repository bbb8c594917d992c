"""The step `score`: the probability of a classifier for each pair; pairs that it accepts are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from paragold.shards.plan import Plan
from paragold.shards.steps.step import PAIR_TEXTS, MapStep, pair_batches, read_once, with_column
from paragold.spec import Spec, param


class ScoreSpec(Spec):
    """Which pairs a classifier keeps."""

    model: str = param("", "Model", "The file of a classifier, from train-classifier.")
    threshold: float | None = param(
        None, "Threshold", "Minimum probability of a pair that is kept; by its sign unless given.", ge=0, le=1
    )


class Score(MapStep):
    """Pairs that a classifier accepts, with their `probability`."""

    id, label = "score", "keep the pairs that a classifier accepts"
    reads = gives = "pairs"
    parameters = ScoreSpec
    models = {"model": "classifier"}

    def tables(self, plan: Plan, number: int) -> Iterator[tuple[Any, dict[str, int]]]:
        from paragold.classification import model_file
        from paragold.formats.judgements.labelled_pairs import PairContext

        classifier = read_once(model_file.read, plan.settings["model"], plan.settings["model_sha256"])
        columns = (*PAIR_TEXTS, "sentence_a", "sentence_b")
        for batch in pair_batches(plan.inputs[number], columns):
            first, second, place_a, place_b = (batch[name].to_pylist() for name in columns)
            contexts = [PairContext(places=places) for places in zip(place_a, place_b, strict=True)]
            texts = list(zip(first, second, strict=True))
            decisions = classifier.decide(texts, contexts)
            kept = decisions.accepted(plan.settings["threshold"])
            table = with_column(batch, "probability", pa.array(decisions.probabilities.round(6)))
            yield (
                table.filter(pa.array(kept)),
                {"pairs_read": len(batch), "pairs_kept": int(kept.sum())},
            )
