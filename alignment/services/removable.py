"""What of the alignment can be archived and deleted, and what goes with it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from alignment.models import (
    AlignerRun,
    AutomaticAlignment,
    Experiment,
    ExperimentCell,
    ExperimentRow,
    Export,
    GoldAlignment,
    GoldAlignmentSet,
    TrainedAligner,
)
from annotation.models import Batch, ModelAnnotator
from jobs.services.removal import Kind

from .export_store import export_path
from .phrase_tables import cached_tables
from .trained_aligners.stored import model_path, reference


def _files_of_aligner(trained: TrainedAligner) -> Iterable[Path]:
    """Its numbers, unless another aligner has the same."""
    if trained.sha256 and not TrainedAligner.everything.filter(sha256=trained.sha256).exists():
        yield model_path(trained.sha256)


def _files_of_export(export: Export) -> Iterable[Path]:
    """Its zip file, unless the same was exported again meanwhile."""
    if not Export.everything.filter(project=export.project_id, sha256=export.sha256).exists():
        yield export_path(export.project, export.sha256)


KINDS = (
    Kind(
        name="gold-alignments",
        plural="gold-alignments",
        noun="set of gold links",
        model=GoldAlignmentSet,
        page="gold-links",
        in_list="gold",
        rows=(lambda gold_set: GoldAlignment.objects.filter(gold_set=gold_set), cached_tables),
        parameters=("gold_links",),
    ),
    Kind(
        name="trained-aligner",
        noun="aligner",
        model=TrainedAligner,
        page="aligner",
        in_list="aligners",
        also_used_by=lambda trained: (
            *Batch.everything.filter(project=trained.project_id, suggester=reference(trained)),
            *ModelAnnotator.everything.filter(aligner=reference(trained)),
        ),
        files=_files_of_aligner,
        parameters=("trained",),
    ),
    Kind(
        name="aligner-run",
        noun="run of the aligner",
        model=AlignerRun,
        in_list="aligners",
        rows=(lambda run: AutomaticAlignment.objects.filter(run=run), cached_tables),
    ),
    Kind(
        name="experiment",
        model=Experiment,
        parts={ExperimentRow: "experiment", ExperimentCell: "row__experiment"},
    ),
    Kind(
        name="export",
        model=Export,
        page="exports",
        files=_files_of_export,
    ),
)
