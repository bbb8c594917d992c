"""External datasets: folders of pairs that a project has attached."""

import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.models import ExternalDataset
from corpus.services.external_datasets import attach
from jobs.services.running import run_here
from projects.models import Project

from .pairs_folder import pair_row, write_pairs_folder


def external_dataset(
    project: Project, rows: Any = 40, *, name: str = "", run: bool = True, **layout: Any
) -> ExternalDataset:
    """A dataset of rows, or of so many made-up ones, whose parts have been checked."""
    rows = [pair_row(number) for number in range(rows)] if isinstance(rows, int) else rows
    Path(settings.EXTERNAL_DATA[0]).mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=settings.EXTERNAL_DATA[0]))
    # Of other content than that of any other folder.
    rows = [row | {"article_a": folder.name} for row in rows]
    write_pairs_folder(folder / "pairs", rows, **layout)
    found = attach(project=project, by=project.created_by, address=str(folder / "pairs"), name=name)
    if run:
        run_here(job=found.job)
        assert found.job.state == "done", found.job.error
    return found


def unattached_folder() -> str:
    """A folder of pairs of their own that may be attached."""
    Path(settings.EXTERNAL_DATA[0]).mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=settings.EXTERNAL_DATA[0]))
    return str(write_pairs_folder(folder / "pairs", [pair_row(1, article_a=folder.name)], parts=1))
