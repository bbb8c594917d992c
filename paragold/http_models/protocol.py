"""What is sent to a model and what it must answer, checked strictly; docs/formats/http-model.schema.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, NonNegativeInt, ValidationError

from paragold.aligners.program_runs import ProgramError
from paragold.problems import quoted

PAIRS_AT_ONCE = 64
MAX_PAIRS_AT_ONCE = 1_000

Version = Annotated[str, Field(pattern=r"^[0-9A-Za-z._:+-]{1,80}$")]
LinkIndices = tuple[NonNegativeInt, NonNegativeInt]


class ModelError(ProgramError):
    """A model that does not answer, or answers what is not allowed; the message says what to do."""


class _Message(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class TokenPair(_Message):
    """The tokens of both sentences."""

    source: list[str]
    target: list[str]


class Request(_Message):
    """The body of `POST align` and `POST score`."""

    pairs: list[TokenPair] = Field(min_length=1, max_length=MAX_PAIRS_AT_ONCE)


class Health(_Message):
    """The answer to `GET health`. Another version means that answers may differ."""

    version: Version
    align: bool = False
    score: bool = False
    max_pairs: int = Field(PAIRS_AT_ONCE, ge=1, le=MAX_PAIRS_AT_ONCE, description="Pairs in a request.")


class Links(_Message):
    """The answer to `POST align`: for each pair its links, indices of source and target tokens from 0."""

    version: Version
    links: list[list[LinkIndices]]


class Scores(_Message):
    """The answer to `POST score`: for each pair a number, larger for a better paraphrase."""

    version: Version
    scores: list[FiniteFloat]


Answer = TypeVar("Answer", Health, Links, Scores)


def read_answer(kind: type[Answer], data: bytes) -> Answer:
    """The answer of these bytes. Raises ModelError, which names the place, for any other."""
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise ModelError(f"The answer is not valid ({place}): {first['msg']}.") from error


def checked_links(answer: Links, pairs: Sequence[Any]) -> list[list[tuple[int, int]]]:
    """The links of each pair, ascending. Raises ModelError for a wrong number of pairs, an index outside its
    sentence and a link that is given twice."""
    _check_count(len(answer.links), len(pairs))
    for number, ((source, target), links) in enumerate(zip(pairs, answer.links, strict=True)):
        for link in links:
            if link[0] >= len(source) or link[1] >= len(target):
                raise ModelError(
                    f"The answer is not valid: link {quoted(link)} of pair {number}, whose sentences have "
                    f"{len(source)} and {len(target)} tokens."
                )
        if len(set(links)) < len(links):
            raise ModelError(f"The answer is not valid: a link of pair {number} is given twice.")
    return [sorted(links) for links in answer.links]


def checked_scores(answer: Scores, pairs: Sequence[Any]) -> list[float]:
    """The score of each pair. Raises ModelError for a wrong number of them."""
    _check_count(len(answer.scores), len(pairs))
    return answer.scores


def _check_count(given: int, expected: int) -> None:
    if given != expected:
        raise ModelError(f"The answer is not valid: it is about {given} pairs, but {expected} were sent.")
