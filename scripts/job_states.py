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

    rows = []
    for state in JobState:
        targets = sorted(f"`{target}`" for target in map(str, TRANSITIONS[state]))
        rows.append(f"| `{state.value}` | {state.label} | {', '.join(targets)} |")
    states = "\n".join(rows)
    kinds = "\n".join(
        f"| `{kind.name}` | {kind.label} | {_kept(kind.retention)} | `{kind.run.rpartition('.')[0]}` |"
        for kind in job_kinds().values()
    )
    return (
        f"{HEADING}A new job is `{JobState.QUEUED.value}`.\n\n| state | shown as | can become |\n"
        f"| --- | --- | --- |\n{states}\n\n"
        f"| kind | what it is | its row is kept | code |\n| --- | --- | --- | --- |\n{kinds}\n"
    )


def _kept(retention: timedelta | None) -> str:
    return "with its result" if retention is None else f"{retention.days} days after it is done"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    sys.stdout.write(markdown())
