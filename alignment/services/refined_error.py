"""What the pairs that a classifier accepts are worth to an aligner (Brockett and Dolan 2005, table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alignment.models import GoldAlignmentSet
from annotation.services.classifiers.measuring import Measure
from corpus.models import CandidatePair
from paragold.aligners.method import Pair
from paragold.aligners.registry import Recipe
from paragold.metrics.error_rate import score_table
from projects.models import Project

from .gold_links import BOOTSTRAP_SEED, linked_pairs
from .trained_aligners.launching import read_tokens, training_rate

RECIPE = Recipe.of({"aligner": "hmm"})
RESAMPLES = 1_000
ROWS_AT_ONCE = 500


def newest_gold(project: Project) -> tuple[int, str] | None:
    """The id and name of the project's newest gold alignment set, archived ones apart; None without any."""
    found = project.gold_alignment_sets.current().order_by("-pk").first()
    return None if found is None else (found.pk, str(found))


def non_identical_error(gold: int, pairs: Sequence[int]) -> dict[str, Any]:
    """The alignment error rate, between words that differ, of an HMM trained on candidate pairs.

    gold: the id of a gold alignment set; its sentences, never its links, are training text as well, as in
    experiments. pairs: ids. `aer` and `interval` (95 %) are from 0 to 1; None and [] without links.
    """
    tested = linked_pairs(GoldAlignmentSet.objects.get(pk=gold))
    texts: list[Pair] = [(one.tokens.source, one.tokens.target) for one in tested]
    aligner = RECIPE.train([*_read(pairs), *texts])
    table = score_table(
        aligner.align_all(texts),
        [one.links for one in tested],
        [one.tokens for one in tested],
        seed=BOOTSTRAP_SEED,
        resamples=RESAMPLES,
    )
    found = table.non_identical
    return {"aer": found.aer, "interval": list(found.aer_interval or ()), "aligner": RECIPE.method.id}


def _read(pairs: Sequence[int]) -> list[Pair]:
    """The tokens of the pairs, in the order of their sentences."""
    ordered = sorted(pairs)
    read: list[Pair] = []
    for start in range(0, len(ordered), ROWS_AT_ONCE):
        rows = CandidatePair.objects.filter(pk__in=ordered[start : start + ROWS_AT_ONCE])
        read += read_tokens(rows.order_by("pk"))
    return read


def training_seconds(pairs: int) -> float:
    """How long training the HMM on so many pairs is expected to take."""
    return training_rate([RECIPE.method.id]).seconds(pairs)


ALIGNMENT_ERROR = Measure(gold=newest_gold, error=non_identical_error, seconds=training_seconds)
