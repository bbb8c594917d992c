"""Kinds of jobs for tests."""

from jobs.kinds import JobKind, Runner


def kind_with(runner: Runner, name: str = "test") -> JobKind:
    """A kind with this runner, in place of one that its dotted path names."""
    kind = JobKind(name=name, label="Test", run="", page="project")
    vars(kind)["runner"] = runner
    return kind
