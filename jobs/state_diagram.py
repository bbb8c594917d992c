"""docs/job-states.md: the states of a job and the kinds of jobs, from their tables."""

from datetime import timedelta

from jobs.kinds import job_kinds
from jobs.models import TRANSITIONS, JobState

HEADING = """# States and kinds of jobs

Generated from `TRANSITIONS` in `jobs/models.py` and the table in `config/job_kinds.py`;
`tests/unit/jobs/test_state_diagram.py` holds this page to them and says how to regenerate it.

"""


def markdown() -> str:
    """docs/job-states.md as it has to be."""
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
