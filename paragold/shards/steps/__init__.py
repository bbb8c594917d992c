"""The steps of work in shards: one table."""

from paragold.registry import Registry
from paragold.shards.steps.align import Align
from paragold.shards.steps.characteristics import CharacteristicsStep
from paragold.shards.steps.events import Events
from paragold.shards.steps.extract import Extract
from paragold.shards.steps.match import Match
from paragold.shards.steps.near_duplicates import NearDuplicates
from paragold.shards.steps.score import Score
from paragold.shards.steps.step import Step
from paragold.shards.steps.tokenise import Tokenise

STEPS: Registry[Step] = Registry(
    "step",
    Step,  # type: ignore[type-abstract]  # only asked whether something is one
    [
        *(Tokenise(), Events(), NearDuplicates(), Match(), Extract()),
        *(Score(), Align(), CharacteristicsStep()),
    ],
)
