"""An action on more rows of a list than are changed while somebody waits, as a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from projects.errors import PublicError
from projects.listings import Action, Resource, resources
from projects.models import Project
from projects.services.audit import record

KIND = "list-action"
ROWS_A_CHUNK = 1_000


@transaction.atomic
def launch_list_action(
    *,
    project: Project,
    by: User,
    resource: Resource,
    action: Action,
    ids: Sequence[int],
    fields: dict[str, Any],
) -> Job:
    """The job that does an action with the rows of these ids, each thousand in a transaction of its own.

    fields: what the form of the action was sent, which is checked again for each thousand.
    """
    title = f"{action.label}: {len(ids):,} {resource.noun if len(ids) == 1 else resource.nouns}"
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=title,
        parameters={"list": resource.name, "action": action.name, "fields": fields, "units": "rows"},
        signature=f"{KIND}|{resource.name}|{action.name}",
        chunks=[
            ledger.ChunkPlan(units=len(some), payload={"ids": list(some)})
            for start in range(0, len(ids), ROWS_A_CHUNK)
            if (some := ids[start : start + ROWS_A_CHUNK])
        ],
    )
    record("rows-changed", actor=by, project=project, target=title, rows=len(ids))
    ledger.hand_over(job)
    return job


def _change(job: Job, ids: list[int]) -> dict[str, int]:
    """Do it with a thousand rows; rows that are gone by now are left out."""
    by = job.requested_by
    resource = resources().get(job.parameters["list"])
    action = resource.action(job.parameters["action"]) if resource is not None else None
    if by is None or resource is None or action is None:
        raise PublicError("This version has no such action, or nobody is known to have asked for it.")
    cleaned: dict[str, Any] = {}
    if action.form is not None:
        form = action.form(job.parameters["fields"], project=job.project)
        if not form.is_valid():
            raise PublicError(" ".join(str(error) for errors in form.errors.values() for error in errors))
        cleaned = form.cleaned_data
    outcome = action.act(resource.chosen(by, job.project, ids), by, **cleaned)
    return {"changed": len(outcome.done), "left_unchanged": len(outcome.refused)}


def _ids(job: Job, chunk: JobChunk) -> list[int]:
    return list(chunk.payload["ids"])


RUNNER = Runner(compute=_ids, store=_change)
