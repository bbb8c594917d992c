"""The diagram of a job's states, drawn from the table of transitions."""

from jobs.models import TRANSITIONS, JobState

HEADING = """# States of a job

Generated from `TRANSITIONS` in `jobs/models.py`; `tests/unit/jobs/test_state_diagram.py` holds
this page to it and says how to regenerate it.

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
    return f"{HEADING}```mermaid\n{diagram}\n```\n\n| state | shown as |\n| --- | --- |\n{table}\n"
