"""Two aligners on one set of gold links, link by link: where their links come from, and the comparison.

Links are those of an experiment's training, of a run of a trained aligner, or of an aligner that needs no
training. Link files of other programs are not stored, only scored; `paragold compare-links` compares files.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from alignment.models import AlignerRun, Experiment, ExperimentCell, GoldAlignmentSet
from jobs.models import JobState
from jobs.services.removal import check_own
from paragold.aligners.registry import ALIGNERS, aligner_of, untrained_ids
from paragold.metrics.link_comparison import ComparedPair, compare_links
from paragold.metrics.links import Link
from projects.errors import PublicError
from projects.models import Project

from .experiment_tables import training_set
from .gold_links import BOOTSTRAP_SEED, linked_pairs

Compared = tuple[list[ComparedPair], dict[str, Any]]
"""The pairs and the summary of `compare_links`."""
CELL, RUN = "cell", "run"
REMEMBERED = 2
"""Comparisons that a process keeps, for the pages and filters of one that is looked at."""


def link_sources(gold_set: GoldAlignmentSet) -> list[tuple[str, str]]:
    """What has links on a gold set: the setting (`cell:3`, `run:4`, `identity`) and its label.

    Trainings come first, the newest experiment's first and in it the lowest AER; then runs, then aligners
    without training.
    """
    cells = ExperimentCell.objects.filter(gold_set=gold_set, row__experiment__in=Experiment.objects.current())
    cells = cells.select_related("row__experiment", "row__dataset", "row__taught_by")
    trainings = list(cells.prefetch_related("row__other_gold").defer(*_LARGE))
    trainings.sort(key=lambda cell: (-cell.row.experiment_id, cell.aer is None, cell.aer or 0))
    runs = AlignerRun.objects.filter(gold_set=gold_set, job__state=JobState.DONE, archived_at=None)
    return [
        *((f"{CELL}:{cell.pk}", cell_label(cell)) for cell in trainings),
        *((f"{RUN}:{run.pk}", f"Aligner {run.trained}") for run in runs.select_related("trained")),
        *((name, f"{name}, without training") for name in untrained_ids()),
    ]


_LARGE = ("links", "counts", "reasons")


def cell_label(cell: ExperimentCell) -> str:
    """A training of an experiment in words."""
    row = cell.row
    learned = f" on {training_set(row)}" if row.dataset else ""
    return f"{row.aligner_label}{learned} ({row.experiment})"


def compare_aligners(*, project: Project, gold_set: GoldAlignmentSet, a: str, b: str) -> Compared:
    """Compare the links of two settings of `link_sources`.

    Raises PublicError, naming the field, for a setting that the gold set does not have, and for one aligner
    twice.
    """
    check_own(project, gold_set, field="gold_set")
    settings = dict(link_sources(gold_set))
    for field, setting in (("a", a), ("b", b)):
        if setting not in settings:
            known = ", ".join(settings)
            raise PublicError(
                "There are no links of %(setting)r on %(gold_set)s; choose one of: %(known)s.",
                field=field,
                setting=setting,
                gold_set=gold_set,
                known=known,
            )
    if a == b:
        raise PublicError("Choose two different aligners.", field="b")
    return _compared(project.language, gold_set.pk, a, b)


@lru_cache(maxsize=REMEMBERED)
def _compared(language: str, gold_set_id: int, a: str, b: str) -> Compared:
    """Gold sets, cells and runs that are done never change: the same numbers mean the same links."""
    gold_set = GoldAlignmentSet.objects.select_related("project").get(pk=gold_set_id)
    drawn = [_links(gold_set, setting) for setting in (a, b)]
    return compare_links(linked_pairs(gold_set), *drawn, language=language, seed=BOOTSTRAP_SEED)


def _links(gold_set: GoldAlignmentSet, setting: str) -> Sequence[Sequence[Link]]:
    """The links of every pair, in the order of the gold set."""
    kind, _, number = setting.partition(":")
    if kind == CELL:
        return ExperimentCell.objects.get(gold_set=gold_set, pk=int(number)).link_lists
    if kind == RUN:
        drawn = AlignerRun.objects.get(gold_set=gold_set, pk=int(number)).alignments.all()
        by_pair = {alignment.pair_id: alignment.link_list for alignment in drawn}
        return [by_pair[pair] for pair in pair_ids(gold_set)]
    settings = ALIGNERS.get(setting).settings_for(*gold_set.project.languages)
    aligner = aligner_of({"aligner": setting, **settings})
    return aligner.align_all([pair.tokens for pair in linked_pairs(gold_set)])


def pair_ids(gold_set: GoldAlignmentSet) -> list[int]:
    """The ids of the pairs, in the order of `linked_pairs`."""
    return list(gold_set.alignments.order_by("item__number", "pk").values_list("item__pair", flat=True))
