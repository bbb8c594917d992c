"""The steps of work in shards: one table."""

from paragold.registry import Registry
from paragold.shards.steps.extract import Extract
from paragold.shards.steps.step import Step

STEPS: Registry[Step] = Registry(
    "step",
    Step,  # type: ignore[type-abstract]  # only asked whether something is one
    [Extract()],
)
