"""Kinds of jobs: what the table of the installation (`settings.JOB_KINDS`) says about each.

The table names its functions by dotted path, so that a process imports the code of a kind when it first
works on a job of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from jobs.models import Job, JobChunk


@dataclass(frozen=True, slots=True)
class Runner:
    """How jobs of one kind are done.

    `compute` works without a transaction; `store` writes its result in the transaction that also
    records the chunk as done and returns the counts; `finish` runs once, in the transaction that ends
    the job. One process does `lanes` chunks at the same time, in threads: for work that waits for others.
    """

    compute: Callable[[Job, JobChunk], Any]
    store: Callable[[Job, Any], dict[str, int]]
    finish: Callable[[Job], None] = lambda job: None
    lanes: int = 1


@dataclass(frozen=True)
class JobKind:
    """One kind of job.

    name: as the ledger and the API have it; label: in lists of jobs.
    run: dotted path of its Runner.
    page: name of the address of the page that shows it, of the object that a job has as `made`, or of the
        project without one; or dotted path of a function from a Job to its address.
    in_list: name of the address of the project's page that is shown where that object is gone or deleted.
    retention: how long the row of a job that is done stays; None: as long as what it made.
    """

    name: str
    label: str
    run: str
    page: str
    made: str = ""
    in_list: str = "project"
    retention: timedelta | None = None

    @cached_property
    def runner(self) -> Runner:
        runner: Runner = import_string(self.run)
        return runner

    def made_by(self, job: Job) -> Any:
        """What a job of this kind makes; None where that is gone, or is nothing with a row of its own."""
        return getattr(job, self.made, None) if self.made else None

    def page_of(self, job: Job) -> str:
        if "." in self.page:
            address: str = import_string(self.page)(job)
            return address
        if not self.made:
            return reverse(self.page, args=[job.project.slug])
        made = self.made_by(job)
        if made is None or made.deleted_at is not None:
            return reverse(self.in_list, args=[job.project.slug])
        return reverse(self.page, args=[job.project.slug, made.pk])


def job_kinds() -> dict[str, JobKind]:
    """All kinds by name."""
    kinds: dict[str, JobKind] = import_string(settings.JOB_KINDS)
    return kinds


def job_kind(name: str) -> JobKind:
    """The kind of that name. Raises LookupError naming those there are."""
    kinds = job_kinds()
    if name not in kinds:
        raise LookupError(f"There is no kind of job {name!r} in {settings.JOB_KINDS}: {', '.join(kinds)}.")
    return kinds[name]
