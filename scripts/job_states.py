"""Prints docs/job-states.md: the states of a job and the kinds of jobs, from their tables."""

import os
import sys
from datetime import timedelta

import django

HEADING = """# States and kinds of jobs

Generated from `TRANSITIONS` in `jobs/models.py` and the table in `config/job_kinds.py`;
`python -m scripts.job_states > docs/job-states.md` regenerates this page; a test compares the two.

"""


def markdown() -> str:
    """docs/job-states.md as it has to be."""
    from jobs.kinds import job_kinds
    from jobs.models import TRANSITIONS, JobState

    lines = ["stateDiagram-v2", f"    [*] --> {JobState.QUEUED.value}"]
    for origin, targets in TRANSITIONS.items():
        lines += [f"    {JobState(origin).value} --> {target}" for target in sorted(map(str, targets))]
        if not targets:
            lines.append(f"    {JobState(origin).value} --> [*]")
    table = "\n".join(f"| `{state.value}` | {state.label} |" for state in JobState)
    diagram = "\n".join(lines)
    kinds = "\n".join(
        f"| `{kind.name}` | {kind.label} | {_kept(kind.retention)} | `{kind.run.rpartition('.')[0]}` |"
        for kind in job_kinds().values()
    )
    return (
        f"{HEADING}```mermaid\n{diagram}\n```\n\n| state | shown as |\n| --- | --- |\n{table}\n\n"
        f"| kind | what it is | its row is kept | code |\n| --- | --- | --- | --- |\n{kinds}\n"
    )


def _kept(retention: timedelta | None) -> str:
    return "with its result" if retention is None else f"{retention.days} days after it is done"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(markdown())
