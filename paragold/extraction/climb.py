"""Extraction thresholds climbed by alignment error rate (AER).

Brockett & Dolan (2005), section 4.1: AER "evaluated efficiently, repeatedly against a single standard [...]
if used as an objective function [...] offers the prospect of using hillclimbing or other optimization
techniques". Every value of one or two parameters around a preset is tried: its pairs are extracted, an
aligner is trained on them, and the links that it draws are scored against the same gold links.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.method import Pair
from paragold.aligners.pair_files import read_training_pairs
from paragold.aligners.registry import Recipe, trained_ids
from paragold.extraction.criteria import Criteria
from paragold.extraction.files import extract_file
from paragold.folds import folds, groups_of
from paragold.formats.text_files import read_text, split_lines
from paragold.metrics.error_rate import (
    WORDS,
    Comparison,
    CountArray,
    compare,
    counts_by_words,
    percent,
    rates,
    score_of,
)
from paragold.metrics.links import Link, LinkedPair
from paragold.spec import Spec, SpecError, param, seed_param
from paragold.statistics import Interval, generator, holm, percentile_interval, resampled_sums

VERSION = 1
MAX_PARAMETERS = 2
MAX_TRAININGS = 100


class ClimbSpec(Spec):
    """The evaluation of the values."""

    aim: Literal["all", "non_identical"] = param(
        "all",
        "Optimise for",
        "The best value has the lowest AER of these words; the paper is most interested in non-identical "
        "words.",
        choices={words: WORDS[words] for words in ("all", "non_identical")},
    )
    most_pairs: int | None = param(
        None,
        "Maximum pairs",
        "If a value finds more pairs, this many are drawn at random, so that values are compared by the "
        "quality of their pairs. No limit: all are used.",
        ge=1,
    )
    without_test_sentences: bool = param(
        False,
        "Without test sentences",
        "Trains on the extracted pairs only. Otherwise the sentences of the gold links are training text "
        "too, but never their links.",
    )
    seed: int = seed_param("Determines the bootstrap, the tests, the folds and the pairs drawn.")


@dataclass(frozen=True, slots=True)
class Yield:
    """The pairs that criteria find.

    pairs: each two texts once. by_cluster: how many were found in each cluster, (clusters,), 0 among them.
    """

    pairs: list[Pair]
    by_cluster: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Step:
    """One set of criteria, what it yields, and how well the aligner trained on that draws links.

    extracted: pairs; extracted_interval: their number in corpora of as many clusters, a bootstrap over
        clusters; None with fewer than two.
    trained_on: how many of them the aligner read.
    counts: by words, of each gold pair; shape (gold pairs, 4), see `error_rate.CountArray`.
    seconds: what extraction, training and linking took.
    """

    criteria: Criteria
    extracted: int
    extracted_interval: Interval | None
    trained_on: int
    counts: Mapping[str, CountArray]
    signature: str
    seconds: float

    def aer(self, words: str = "all") -> float | None:
        """From 0 to 1; None where there is neither a link drawn nor a gold one."""
        return _aer(self.counts[words])


@dataclass(frozen=True, slots=True)
class Climb:
    """All steps, and the best of them.

    parameters: those that were varied, one or two. best: the place of the step with the lowest AER of the
    words aimed at, of equal ones the one that finds more; None where no AER is defined.
    comparisons: each step against the best, by place, of the words aimed at; ps: their p, corrected for the
    number of tests (Holm 1979).
    held_out: AER by words when every fifth of the gold pairs is scored by the step that was best on the
    others: unlike the AER of the best, it is not flattered by the choice.
    """

    parameters: list[str]
    steps: list[Step]
    spec: ClimbSpec
    best: int | None
    comparisons: dict[int, Comparison]
    ps: dict[int, float]
    held_out: dict[str, float | None]

    @property
    def as_good(self) -> list[int]:
        """The places of the steps that are not significantly worse than the best (corrected p >= 0.05)."""
        if self.best is None:
            return []
        return sorted([self.best, *(place for place, p in self.ps.items() if p >= 0.05)])


def grid(base: Criteria, values: Mapping[str, Sequence[object]]) -> list[Criteria]:
    """The criteria with every combination of these values, those of the last parameter changing fastest.

    Parameters
    ----------
    base : Criteria
        Gives all other parameters.
    values : mapping of str to sequence
        One or two parameters of an extraction, and what to try, as text or plain values.

    Raises
    ------
    SpecError
        An unknown parameter, a value outside its range, two that contradict each other; no parameter or more
        than two; fewer than two combinations or more than 100.
    """
    if not 1 <= len(values) <= MAX_PARAMETERS:
        name = next(iter(values), "parameter")
        raise SpecError([(name, f"Choose one or two parameters to vary, not {len(values)}.")])
    tried = [base.replace(**dict(zip(values, chosen, strict=True))) for chosen in product(*values.values())]
    tried = list(dict.fromkeys(tried))
    if not 2 <= len(tried) <= MAX_TRAININGS:
        name = next(iter(values))
        message = f"{name}: {len(tried)} different values to try; choose 2 to {MAX_TRAININGS}, in all."
        raise SpecError([(name, message)])
    return tried


def check_recipe(recipe: Recipe) -> None:
    """Raises SpecError for an aligner that learns nothing from pairs: its AER would always be the same."""
    if not recipe.method.learns_from_pairs:
        message = f"{recipe.method.id} is not trained on pairs; choose one of {', '.join(trained_ids())}."
        raise SpecError([("aligner", message)])


def yield_of_file(path: Path, criteria: Criteria, *, processes: int | None = None) -> Yield:
    """The pairs that criteria find in a file of clusters. Raises as `extraction.files.extract_file` does."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "pairs.tsv"
        counts = extract_file(path, criteria, output, processes=processes)
        clusters = Counter(line.partition("\t")[0] for line in split_lines(read_text(output))[1:])
        by_cluster = np.zeros(counts.clusters, dtype=np.int64)
        by_cluster[: len(clusters)] = list(clusters.values())
        return Yield(read_training_pairs(output), by_cluster)


def step(
    criteria: Criteria,
    extract: Callable[[Criteria], Yield],
    gold: Sequence[LinkedPair],
    recipe: Recipe,
    spec: ClimbSpec,
) -> Step:
    """Extract, train, link the gold pairs and score them.

    Raises ValueError for a program that is missing or fails and for more pairs than an aligner takes at once;
    and what `extract` raises.
    """
    started = perf_counter()
    extracted = extract(criteria)
    pairs = drawn(extracted.pairs, spec.most_pairs, spec.seed)
    texts: list[Pair] = [(one.tokens.source, one.tokens.target) for one in gold]
    text = pairs if spec.without_test_sentences else [*pairs, *texts]
    maximum = recipe.method.max_pairs
    if maximum is not None and len(text) > maximum:
        raise ValueError(
            f"{len(text):,} sentence pairs are too many for {recipe.method.id}, which takes {maximum:,}. "
            "Limit them by most_pairs, or choose another aligner."
        )
    links: list[list[Link]] = [[] for _ in texts]
    signature = "nothing to train on"
    if text:
        aligner = recipe.train(text)
        links = aligner.align_all(texts)
        signature = "|".join(filter(None, [aligner.signature, recipe.method.draw_signature(links)]))
    return Step(
        criteria=criteria,
        extracted=len(extracted.pairs),
        extracted_interval=sum_interval(extracted.by_cluster, seed=spec.seed),
        trained_on=len(pairs),
        counts=counts_by_words(links, [one.links for one in gold], [one.tokens for one in gold]),
        signature=signature,
        seconds=perf_counter() - started,
    )


def drawn(pairs: list[Pair], size: int | None, seed: int) -> list[Pair]:
    """`size` of the pairs, in their order; a larger sample contains the smaller ones. None: all pairs."""
    if size is None or size >= len(pairs):
        return pairs
    order = generator(seed).permutation(len(pairs))
    return [pairs[n] for n in sorted(order[:size])]


def sum_interval(by_cluster: NDArray[np.int64], *, seed: int) -> Interval | None:
    """Percentile bootstrap interval of the sum of (clusters,), clusters drawn with replacement."""
    if len(by_cluster) < 2:
        return None
    return percentile_interval(resampled_sums(by_cluster[:, None], seed=seed)[:, 0].astype(np.float64))


def climb(
    base: Criteria,
    values: Mapping[str, Sequence[object]],
    extract: Callable[[Criteria], Yield],
    gold: Sequence[LinkedPair],
    recipe: Recipe,
    spec: ClimbSpec | None = None,
    progress: Callable[[Step], object] = lambda step: None,
) -> Climb:
    """Try every combination of values and find the best.

    Parameters
    ----------
    base, values
        As `grid` takes them.
    extract : callable
        Gives what criteria find, as `yield_of_file` does.
    gold : sequence of LinkedPair
        What every aligner is scored on.
    recipe : Recipe
        The aligner, trained from scratch for each combination.
    spec : ClimbSpec, optional
    progress : callable, optional
        Called after each step.

    Raises
    ------
    ValueError
        No gold links; as `grid`, `check_recipe` and `step`.

    References
    ----------
    Brockett & Dolan (2005), section 4.1.
    """
    spec = spec or ClimbSpec()
    check_recipe(recipe)
    if not gold:
        raise ValueError("There are no gold links to score on.")
    steps = []
    for criteria in grid(base, values):
        steps.append(step(criteria, extract, gold, recipe, spec))
        progress(steps[-1])
    return judged(list(values), steps, gold, spec)


def judged(parameters: list[str], steps: list[Step], gold: Sequence[LinkedPair], spec: ClimbSpec) -> Climb:
    """The best of the steps, the others tested against it, and the error of that choice on pairs held out."""
    tables = [one.counts[spec.aim] for one in steps]
    sizes = [step.extracted for step in steps]
    best = best_of(tables, sizes)
    comparisons: dict[int, Comparison] = {}
    for place, table in enumerate(tables):
        if best is not None and place != best:
            comparison = compare(tables[best], table, seed=spec.seed)
            if comparison is not None:
                comparisons[place] = comparison
    corrected = holm([one.p for one in comparisons.values()])
    return Climb(
        parameters=parameters,
        steps=steps,
        spec=spec,
        best=best,
        comparisons=comparisons,
        ps=dict(zip(comparisons, corrected, strict=True)),
        held_out=_held_out(steps, sizes, gold, spec),
    )


def best_of(tables: Sequence[CountArray], sizes: Sequence[int]) -> int | None:
    """The place of the table (gold pairs, 4) with the lowest AER; of equal ones the largest, then first."""
    aers = {place: aer for place, table in enumerate(tables) if (aer := _aer(table)) is not None}
    return min(aers, key=lambda place: (aers[place], -sizes[place], place), default=None)


def _held_out(
    steps: Sequence[Step], sizes: Sequence[int], gold: Sequence[LinkedPair], spec: ClimbSpec
) -> dict[str, float | None]:
    parts = folds(groups_of((one.tokens.source, one.tokens.target) for one in gold), seed=spec.seed)
    chosen: dict[str, list[CountArray]] = {words: [] for words in WORDS}
    for part in parts if len(parts) > 1 else []:
        best = best_of([np.delete(one.counts[spec.aim], part, axis=0) for one in steps], sizes)
        if best is not None:
            for words in WORDS:
                chosen[words].append(steps[best].counts[words][part])
    return {words: _aer(np.concatenate(tables)) if tables else None for words, tables in chosen.items()}


def _aer(counts: CountArray) -> float | None:
    aer = rates(counts.sum(axis=0))[2]
    return None if np.isnan(aer) else float(aer)


def as_json(result: Climb) -> dict[str, Any]:
    """The report: AER and intervals in percent, null where undefined; yields and their intervals in pairs."""
    spec, base = result.spec, result.steps[0].criteria.as_json()
    return {
        "parameters": result.parameters,
        "fixed": {name: value for name, value in base.items() if name not in result.parameters},
        "spec": spec.as_json(),
        "steps": [
            {
                "settings": _varied(result, step),
                "pairs": step.extracted,
                "pairs_interval": None
                if step.extracted_interval is None
                else [round(end, 1) for end in step.extracted_interval],
                "trained_on": step.trained_on,
                "scores": {words: _scores(step.counts[words], spec.seed) for words in WORDS},
                "p": result.comparisons[place].p if place in result.comparisons else None,
                "p_holm": result.ps.get(place),
                "seconds": round(step.seconds, 2),
                "criteria": step.criteria.signature(),
                "signature": step.signature,
            }
            for place, step in enumerate(result.steps)
        ],
        "best": None if result.best is None else _varied(result, result.steps[result.best]),
        "as_good_as_the_best": [_varied(result, result.steps[place]) for place in result.as_good],
        "held_out_aer": {words: percent(aer) for words, aer in result.held_out.items()},
        "signature": f"climb|version:{VERSION}|{spec.signature()}",
    }


def _varied(result: Climb, one: Step) -> dict[str, Any]:
    settings = one.criteria.as_json()
    return {name: settings[name] for name in result.parameters}


def _scores(counts: CountArray, seed: int) -> dict[str, Any]:
    """Precision, recall and AER in percent, and their intervals."""
    row = score_of(counts, seed=seed)
    rates = [(name, f"{name}_interval") for name in ("precision", "recall", "aer")]
    return {name: percent(getattr(row, name)) for both in rates for name in both}
