"""Extraction thresholds climbed by alignment error rate (Brockett & Dolan 2005, section 4.1) in a project.

A climb is an experiment whose training sets are what one preset finds with several values of one or two of
its parameters; they are extracted by each training and stored nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.contrib.auth.models import User

from alignment.models import Experiment, ExperimentRow, GoldAlignmentSet
from corpus.services.dry_run import SECONDS, dry_run
from corpus.services.presets import criteria_from
from jobs.services.launch_cost import Rate, duration_words
from paragold.aligners.registry import Recipe
from paragold.extraction.climb import check_recipe, grid
from paragold.extraction.criteria import Criteria, CriteriaError, value_text, values_text
from paragold.metrics.error_rate import WORDS
from paragold.spec import SpecError
from projects.errors import PublicError
from projects.models import Project

from .experiment_tables import Table
from .experiments import SIGNIFICANT, launch_experiment
from .trained_aligners.launching import recipe_for, training_rate

CLIMBED = {"all": "all words", "non_identical": "non-identical words"}
"""The words whose AER is climbed by."""


class ClimbStep(NamedTuple):
    """The values tried, in words, and the pairs that they are expected to find."""

    values: str
    pairs: float


@dataclass(frozen=True, slots=True)
class ClimbCost:
    """What a climb is expected to take: its steps, all pairs to train on, seconds.

    sampled: whether the pairs are projected from a sample of clusters.
    """

    steps: list[ClimbStep]
    pairs: float
    seconds: float
    sampled: bool
    rate: Rate

    @property
    def duration(self) -> str:
        return duration_words(self.seconds)


def launch_climb(
    *,
    project: Project,
    by: User | None,
    preset: str,
    values: Mapping[str, Sequence[object]],
    gold_sets: Sequence[GoldAlignmentSet],
    aligner: Mapping[str, Any],
    settings: Mapping[str, object] | None = None,
    test_sentences: bool = True,
    name: str = "",
) -> Experiment:
    """Ask for a climb: `values` of one or two parameters around a preset, all others replaced by `settings`.

    Raises PublicError, naming the field, for choices that cannot be.
    """
    extractions = _extractions(project, preset, settings or {}, values)
    recipe = _recipe(project, aligner)
    return launch_experiment(
        project=project,
        by=by,
        name=name,
        gold_sets=gold_sets,
        aligners=[recipe.as_json()],
        extractions=extractions,
        test_sentences=test_sentences,
    )


def climb_cost(
    *,
    project: Project,
    preset: str,
    values: Mapping[str, Sequence[object]],
    gold_sets: Sequence[GoldAlignmentSet],
    aligner: Mapping[str, Any],
    settings: Mapping[str, object] | None = None,
    test_sentences: bool = True,
    name: str = "",
) -> ClimbCost:
    """What the climb with these arguments of `launch_climb` is expected to take, by dry runs.

    Raises PublicError as `launch_climb` does, and when there is nothing to pair.
    """
    extractions = _extractions(project, preset, settings or {}, values)
    rate = training_rate([_recipe(project, aligner).method.id])
    texts = sum(one.counts["pairs"] for one in gold_sets) if test_sentences else 0
    steps: list[ClimbStep] = []
    seconds, sampled = 0.0, False
    for extraction in extractions:
        counted = dry_run(
            project=project,
            criteria=Criteria(**extraction["criteria"]),
            seconds=SECONDS / len(extractions),
        )
        pairs = counted.projection.pairs
        steps.append(ClimbStep(_values_of(extraction), pairs))
        seconds += counted.work_seconds + rate.seconds(pairs + texts)
        sampled |= not counted.complete
    return ClimbCost(steps, sum(pairs for _, pairs in steps), seconds, sampled, rate)


def _extractions(
    project: Project, preset: str, settings: Mapping[str, object], values: Mapping[str, Sequence[object]]
) -> list[dict[str, Any]]:
    base = criteria_from(project, preset, settings)
    try:
        tried = grid(base, values)
    except CriteriaError as error:
        raise PublicError(str(error), field="values") from error
    return [{"preset": preset, "varied": list(values), "criteria": one.settings()} for one in tried]


def _recipe(project: Project, aligner: Mapping[str, Any]) -> Recipe:
    recipe = recipe_for(project, aligner)
    try:
        check_recipe(recipe)
    except SpecError as error:
        raise PublicError(str(error), field="aligner") from error
    return recipe


def _values_of(extraction: Mapping[str, Any]) -> str:
    return values_text(extraction["criteria"], extraction["varied"])


@dataclass(frozen=True, slots=True)
class Best:
    """The training of a climb with the lowest AER of some words on one test set."""

    words: str
    row: ExperimentRow
    values: str
    aer: float
    as_good: list[str]
    """The values of the other trainings that are not significantly worse (corrected p)."""

    @property
    def place(self) -> tuple[str, float] | None:
        """The name of its line in the curves, and its place on it."""
        return place_of(self.row.extraction)

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """All parameters of an extraction with them, as a form sends them."""
        return [(name, value_text(value)) for name, value in self.row.extraction["criteria"].items()]


def best_of(table: Table, comparisons: Mapping[str, Any]) -> list[Best]:
    """The best trainings by each of CLIMBED, of the comparisons of an experiment; [] where it is no climb."""
    bests = []
    for words, label in CLIMBED.items():
        column = comparisons.get(str(table.gold_set.pk), {}).get(words)
        lines = {line.row.number: line for line in table.lines if line.row.extraction and line.cell}
        best = lines.get(column["best"]) if column else None
        if best is None or best.cell is None:
            continue
        ps = {number: line.figures[list(WORDS).index(words)].p_holm for number, line in lines.items()}
        bests.append(
            Best(
                words=label,
                row=best.row,
                values=_values_of(best.row.extraction),
                aer=best.cell.scores[words]["aer"],
                as_good=[
                    _values_of(lines[number].row.extraction)
                    for number, p in ps.items()
                    if p is not None and p >= SIGNIFICANT
                ],
            )
        )
    return bests


def place_of(extraction: Mapping[str, Any]) -> tuple[str, float] | None:
    """Where an extraction is in the curves: the line of the second parameter, the value of the first one.

    None where that is no number.
    """
    first, *others = extraction["varied"]
    name = values_text(extraction["criteria"], others) or first
    try:
        return name, float(Fraction(str(extraction["criteria"][first])))
    except ValueError:
        return None


def climb_curves(table: Table) -> dict[str, dict[str, list[tuple[float, float, Any]]]]:
    """Curves by the values of the first parameter: "all", "non_identical" (AER) and "pairs" (the yield).

    Each has a line for every value of the second parameter, of (value, share or count, interval). Empty where
    the values of the first parameter are no numbers.
    """
    curves: dict[str, dict[str, list[tuple[float, float, Any]]]] = {}
    for line in table.lines:
        extraction = line.row.extraction
        if not extraction or line.cell is None:
            continue
        place = place_of(extraction)
        if place is None:
            return {}
        name, x = place
        for words in CLIMBED:
            scores = line.cell.scores[words]
            if scores["aer"] is not None:
                points = curves.setdefault(words, {}).setdefault(name, [])
                points.append((x, scores["aer"], scores["aer_interval"]))
        yields = curves.setdefault("pairs", {}).setdefault(name, [])
        yields.append((x, line.row.pairs, extraction.get("interval")))
    return {
        what: {name: sorted(points, key=lambda point: point[0]) for name, points in lines.items()}
        for what, lines in curves.items()
    }
