"""The experiments of the papers on a project's own datasets, asked for in one go.

Dolan, Quirk & Brockett (2004), table 1: L12 and F2, scored on pairs by edit distance and on first sentences.
Brockett & Dolan (2005), table 3: L12, F2, F3 and what classifiers accepted, with the lexicon of identical
words. Both trained GIZA++ in both directions; 2004 names Och's heuristic recombination.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from alignment.models import Experiment, GoldAlignmentSet
from annotation.models import ClassifierRun
from corpus.models import Dataset, HeldOut
from corpus.services.characteristics import selections_of
from paragold.aligners.registry import ALIGNERS, Recipe
from paragold.extraction.criteria import Criteria
from paragold.extraction.presets import PRESETS
from paragold.extraction.selection import decided_by_numbers, selection_of
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import first_free

from .experiments import launch_experiment
from .trained_aligners.launching import training_rate

GIZA, STAND_IN = "giza", "hmm"
# As GIZA++: a table for each direction, nothing known of words beforehand.
STAND_IN_SETTINGS: Mapping[str, Any] = {"one_language": False, "identical": False}
SVM, SVM_FROM_FILE = "filtered by a classifier of judged pairs", "filtered by a classifier of a labelled file"


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper: its training sets, each with the presets that make it, the best first.

    lexicon: whether a lexicon of identical words was added. several_tests: whether it has several test sets.
    """

    id: str
    name: str
    title: str
    presets: Mapping[str, tuple[str, ...]]
    classifiers: bool
    lexicon: bool
    several_tests: bool


TABLES = {
    table.id: table
    for table in (
        PaperTable(
            id="table-1",
            name="table 1",
            title="Table 1 of Dolan, Quirk & Brockett (2004)",
            presets={"L12": ("L12-2004", "L12-2004-word", "L12"), "F2": ("F2-2004", "F2")},
            classifiers=False,
            lexicon=False,
            several_tests=True,
        ),
        PaperTable(
            id="table-3",
            name="table 3",
            title="Table 3 of Brockett & Dolan (2005)",
            presets={"L12": ("L12",), "F2": ("F2",), "F3": ("F3",)},
            classifiers=True,
            lexicon=True,
            several_tests=False,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Replication:
    """What a project has of a table: training and test sets, and names of training sets that are missing."""

    table: PaperTable
    datasets: list[Dataset]
    gold_sets: list[GoldAlignmentSet]
    missing: list[str]
    recipe: Recipe

    @property
    def seconds(self) -> float:
        """How long the trainings are expected to take."""
        return training_rate([self.recipe.method.id]).seconds(sum(one.size for one in self.datasets))


def replications(project: Project) -> list[Replication]:
    """What there is of each table."""
    by_preset = _by_preset(project)
    return [_replication(project, table, by_preset) for table in TABLES.values()]


def replication(project: Project, table_id: str) -> Replication:
    """What there is of a table. Raises PublicError where there is no such table."""
    if table_id not in TABLES:
        raise PublicError(f"There is no table {table_id}. Available: {', '.join(TABLES)}.", field="table")
    return _replication(project, TABLES[table_id], _by_preset(project))


def _replication(project: Project, table: PaperTable, by_preset: Mapping[str, Dataset]) -> Replication:
    training_sets: dict[str, Dataset | None] = {
        name: next((by_preset[preset] for preset in presets if preset in by_preset), None)
        for name, presets in table.presets.items()
    }
    if table.classifiers:
        runs = ClassifierRun.objects.filter(classifier__project=project).order_by("-pk")
        for name, from_file in ((SVM, False), (SVM_FROM_FILE, True)):
            own = runs.filter(classifier__gold_set__isnull=from_file)
            refined = project.datasets.current().filter(refining_runs__in=own.values("pk"))
            training_sets[name] = refined.order_by("-pk").first()
    gold = project.gold_alignment_sets.current().order_by("-pk")
    method = ALIGNERS.get(GIZA if ALIGNERS.get(GIZA).is_available() else STAND_IN)
    own = STAND_IN_SETTINGS if method.id == STAND_IN else {}
    return Replication(
        table=table,
        datasets=[dataset for dataset in training_sets.values() if dataset is not None],
        gold_sets=list(gold if table.several_tests else gold[:1]),
        missing=[name for name, dataset in training_sets.items() if dataset is None],
        recipe=Recipe.of({"aligner": method.id, "linking": "refined", "lexicon": table.lexicon, **own}),
    )


def _by_preset(project: Project) -> dict[str, Dataset]:
    """The datasets that hold just what a preset asks for, by its name: those of the rest before those of all
    clusters, as test pairs come from held-out ones; the newest first."""
    selections = {name: selection_of(preset.criteria) for name, preset in PRESETS.items()}
    order = {HeldOut.REST: 0, HeldOut.ALL: 1}
    current = project.datasets.current().filter(refined_from=None, held_out__in=order).order_by("-pk")
    by_preset: dict[str, Dataset] = {}
    for dataset in sorted(
        current.prefetch_related("extractions"), key=lambda one: order[HeldOut(one.held_out)]
    ):
        extractions = dataset.extractions.all()
        if not all(one.criteria for one in extractions):
            continue
        criteria = [dataclasses.replace(Criteria(**one.criteria), clusters="all") for one in extractions]
        met = selections_of(dataset) if all(map(decided_by_numbers, criteria)) else None
        for name, preset in PRESETS.items():
            asked_for = not dataset.criteria and set(criteria) == {preset.criteria}
            if asked_for or (met is not None and met == [selections[name]]):
                by_preset.setdefault(name, dataset)
    return by_preset


def launch_replication(*, project: Project, by: User | None, table: str, name: str = "") -> Experiment:
    """Ask for the experiment of a table with all of its training and test sets that there are.

    Raises PublicError where there is no such table, or nothing to train or to test on.
    """
    chosen = replication(project, table)
    if not chosen.datasets:
        raise PublicError(
            f"{chosen.table.title} needs a training set: freeze the pairs of {' or '.join(chosen.missing)}.",
            field="table",
        )
    taken = set(project.experiments.values_list("name", flat=True))
    return launch_experiment(
        project=project,
        by=by,
        name=name or first_free(chosen.table.title, taken, between=", "),
        datasets=chosen.datasets,
        gold_sets=chosen.gold_sets,
        aligners=[chosen.recipe.as_json()],
    )
