"""Requests to a model: in batches, limited in time and size, to one pinned address; answers are cached.

docs/models-over-http.md describes the protocol.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from ipaddress import ip_address
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, NonNegativeInt, ValidationError

from paragold import __version__
from paragold.aligners.method import Pair
from paragold.aligners.program_runs import ProgramError, call_watch
from paragold.http_models.cached_answers import keep_answers, keep_state, known_answers
from paragold.http_models.configuration import MODELS, NETWORKS, SECONDS, TOKENS, HttpModel, http_models
from paragold.http_models.getting import Limits, get
from paragold.http_models.network import Denied, Network, TimeOver, Unavailable, is_public
from paragold.metrics.links import Link

AGENT = f"Paragold/{__version__}"
CONNECT_SECONDS = 10.0
MAX_BYTES = 8 << 20
MAX_PAIRS = 1_000
TOKENS_AT_ONCE = 20_000
PAUSES = (0.5, 2.0)
"""Seconds before a request is sent again. That is safe: an answer depends on the request alone."""
RETRIED = frozenset({None, 429, 502, 503, 504})
"""No answer at all, and the HTTP statuses that ask for another try."""


class ModelError(ProgramError):
    """A model that does not answer, or answers what is not allowed; the message says what to do."""


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)

    version: Annotated[str, Field(pattern=r"^[0-9A-Za-z._:+-]{1,80}$")]


class Health(_Answer):
    """The answer to `GET health`. Another version means that answers may differ."""

    align: bool = False
    score: bool = False
    max_pairs: int = Field(64, ge=1, le=MAX_PAIRS, description="Pairs in a request.")


class Links(_Answer):
    """The answer to `POST align`: for each pair its links, indices of source and target tokens from 0."""

    links: list[list[tuple[NonNegativeInt, NonNegativeInt]]]

    def checked(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links, ascending. Raises ValueError where they are not those of the pairs."""
        for number, ((source, target), links) in enumerate(zip(pairs, self.links, strict=True)):
            outside = [link for link in links if link[0] >= len(source) or link[1] >= len(target)]
            if outside or len(set(links)) < len(links):
                problem = f"has the link {outside[0]}" if outside else "has a link twice"
                raise ValueError(f"pair {number} of {len(source)} and {len(target)} tokens {problem}")
        return [sorted(links) for links in self.links]


class Scores(_Answer):
    """The answer to `POST score`: for each pair a number, larger for a better paraphrase."""

    scores: list[FiniteFloat]

    def checked(self, pairs: Sequence[Pair]) -> list[float]:
        """The scores. Raises ValueError where they are not as many as the pairs."""
        return [score for score, _ in zip(self.scores, pairs, strict=True)]


Answer = TypeVar("Answer", bound=_Answer)


class Session:
    """Work with one version of a model: `version`, or the one that it has now.

    All methods raise ModelError where the model does not answer in time, answers what is not allowed, has
    another version, does not do this work, or is where requests must not go.
    """

    def __init__(self, model: HttpModel, *, version: str = "") -> None:
        self.model = model
        self._version = version
        self._watched_at = 0.0

    @classmethod
    def named(cls, name: str, version: str = "") -> Session:
        """The same for a model that the environment names."""
        if name not in http_models():
            raise ModelError(f"There is no model {name!r}. {MODELS}: {', '.join(http_models()) or 'none'}.")
        return cls(http_models()[name], version=version)

    @cached_property
    def health(self) -> Health:
        """The model's description of itself, requested once and stored for pages, which send no requests."""
        try:
            health = self._ask("health", None, Health)
        except ModelError as error:
            keep_state(self.model, problem=str(error))
            raise
        known = {"version": health.version, "aligns": health.align, "scores": health.score}
        keep_state(self.model, problem="", **known)
        self._check_version(health.version)
        return health

    @property
    def version(self) -> str:
        return self._version or self.health.version

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, (source, target) indices from 0, ascending. Empty sides have none."""
        answers = iter(self._answers(Links, [pair for pair in pairs if all(pair)]))
        return [[(a, b) for a, b in next(answers)] if all(pair) else [] for pair in pairs]

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """The score of every pair, larger for a better paraphrase."""
        return self._answers(Scores, pairs)

    def known_scores(self, pairs: Sequence[Pair]) -> list[float | None]:
        """The cached scores of the given version, None for others. No request is sent."""
        keys = [self._key(Scores, pair) for pair in pairs if self._version]
        known = known_answers(keys)
        return [known.get(key) for key in keys] or [None] * len(pairs)

    def _key(self, kind: type[Links | Scores], pair: Pair) -> bytes:
        model = self.model
        whole = [model.signature(self.version), model.address.url, kind.__name__, *map(list, pair)]
        return blake2b(json.dumps(whole).encode(), digest_size=16).digest()

    def _answers(self, kind: type[Links] | type[Scores], pairs: Sequence[Pair]) -> list[Any]:
        keys = [self._key(kind, pair) for pair in pairs]
        known = known_answers(keys)
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if missing and not (self.health.align if kind is Links else self.health.score):
            work = "align words" if kind is Links else "score pairs"
            raise ModelError(f"The model {self.model.name} does not {work}. Choose another one.")
        for batch in self._batches(missing):
            sent = {"pairs": [{"source": list(a), "target": list(b)} for a, b in batch.values()]}
            answer = self._ask("align" if kind is Links else "score", json.dumps(sent).encode(), kind)
            self._check_version(answer.version)
            try:
                answers = dict(zip(batch, answer.checked(list(batch.values())), strict=True))
            except ValueError as error:
                raise self._faulty(f"{error} ({len(batch)} pairs were sent)") from error
            keep_answers(answers)
            known |= answers
        return [known[key] for key in keys]

    def _batches(self, pairs: Mapping[bytes, Pair]) -> Iterator[dict[bytes, Pair]]:
        batch: dict[bytes, Pair] = {}
        tokens = 0
        for key, pair in pairs.items():
            size = len(pair[0]) + len(pair[1])
            if batch and (len(batch) == self.health.max_pairs or tokens + size > TOKENS_AT_ONCE):
                yield batch
                batch, tokens = {}, 0
            batch[key] = pair
            tokens += size
        if batch:
            yield batch

    def _check_version(self, version: str) -> None:
        self._version = self._version or version
        if version != self._version:
            raise ModelError(
                f"The model {self.model.name} has version {version}, but this work uses {self._version}: the "
                "answers of two versions are not mixed. Start it again with the version that is there now."
            )

    def _error(self, message: object) -> ModelError:
        return ModelError(f"The model {self.model.name} ({self.model.host}): {message}")

    def _faulty(self, problem: str) -> ModelError:
        return self._error(f"The answer is not valid: {problem}. Correct the model's server.")

    @cached_property
    def _ip(self) -> str:
        """The one IP address that is connected to."""
        model = self.model
        try:
            ip = Network(ports=None, permits=model.permits).pinned(model.address)
        except (Denied, Unavailable) as error:
            remedy = f"Correct {MODELS}; an inner network of yours must be named by {NETWORKS}."
            raise self._error(f"{error} {remedy}") from error
        if model.token and model.address.scheme == "http" and is_public(ip_address(ip)):
            raise self._error("A token is sent to a public address by https only. Use https.")
        return ip

    def _ask(self, path: str, body: bytes | None, kind: type[Answer]) -> Answer:
        """The answer; without one the request is repeated after a pause."""
        pauses = iter(PAUSES)
        while True:
            try:
                return kind.model_validate_json(self._send(path, body))
            except ValidationError as error:
                first = error.errors(include_url=False)[0]
                raise self._faulty(f"{'.'.join(map(str, first['loc']))} {first['msg']}".strip()) from error
            except TimeOver as error:
                raise self._error(f"{error} Make the model faster, or raise {SECONDS}.") from error
            except Denied as error:
                raise self._error(error) from error
            except Unavailable as error:
                pause = next(pauses, None)
                if pause is None or error.status not in RETRIED:
                    remedy = "Start the model, or correct it, and resume the work: answers so far are kept."
                    raise self._error(f"{error} {remedy}") from error
                time.sleep(pause)

    def _send(self, path: str, body: bytes | None) -> bytes:
        self._watch()
        seconds = self.model.seconds
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self.model.token:
            headers["Authorization"] = f"Bearer {self.model.token}"
        return get(
            self.model.address.joined(path),
            self._ip,
            agent=AGENT,
            limits=Limits(min(CONNECT_SECONDS, seconds), seconds + 5, seconds, MAX_BYTES),
            headers=headers,
            body=body,
            accept=_check_status,
            alive=self._watch,
        ).data

    def _watch(self) -> None:
        """About once a second: raise if the work was cancelled."""
        if time.monotonic() - self._watched_at > 1:
            call_watch()
            self._watched_at = time.monotonic()


def _check_status(status: int, headers: Mapping[str, str]) -> None:
    if 300 <= status < 400:
        raise Denied(f"It redirects ({status}), which is not followed. Give the final address in {MODELS}.")
    if status in (401, 403):
        raise Denied(f"It refuses the request ({status}). Correct its token in {TOKENS}.", status)
    if status != 200:
        raise Unavailable(f"It answered with status {status} instead of 200.", status)
