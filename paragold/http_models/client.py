"""Asking a model: in batches, within time and size, by one pinned address, and only what is not known yet."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from paragold import __version__
from paragold.aligners.method import Pair
from paragold.aligners.program_runs import call_watch
from paragold.fetching.getting import Limits, get
from paragold.fetching.network import Denied, Network, TimeOver, Unavailable, is_public
from paragold.http_models import cached_answers
from paragold.http_models.configuration import MODELS, NETWORKS, SECONDS, TOKENS, HttpModel
from paragold.http_models.protocol import (
    Health,
    Links,
    ModelError,
    Request,
    Scores,
    TokenPair,
    checked_links,
    checked_scores,
    read_answer,
)
from paragold.metrics.links import Link

AGENT = f"Paragold/{__version__}"
CONNECT_SECONDS = 10.0
HEALTH_SECONDS = 10.0
MAX_BYTES = 8 << 20
TOKENS_AT_ONCE = 20_000
PAUSES = (0.5, 2.0)
"""Seconds before a request is sent again. That is safe: an answer depends on the request alone."""
RETRIED = frozenset({None, 429, 502, 503, 504})
"""No answer at all, and the states of HTTP in which a server asks to come again."""
ALIGN, SCORE = "align", "score"


class Session:
    """One piece of work with a model: its address is resolved once, and its version must stay the same.

    Parameters
    ----------
    model : HttpModel
        The model that is asked.
    version : str, optional
        The version that it must have; by default the one that it has now.

    Raises
    ------
    ModelError
        By all methods: the model does not answer in time, answers what is not allowed, has another version,
        does not do this work, or is where requests must not go.
    """

    def __init__(self, model: HttpModel, *, version: str = "") -> None:
        self.model = model
        self._version = version
        self._watched_at = 0.0

    @cached_property
    def health(self) -> Health:
        """What the model says of itself, asked once. It is noted for pages, which never ask."""
        try:
            data = self._request("health", None, seconds=min(HEALTH_SECONDS, self.model.seconds))
            try:
                health = read_answer(Health, data)
            except ModelError as error:
                raise self._faulty(error) from error
        except ModelError as error:
            cached_answers.keep_health(self.model, None, str(error).removeprefix(f"{self._who}: "))
            raise
        cached_answers.keep_health(self.model, health)
        self._check_version(health.version)
        return health

    @property
    def version(self) -> str:
        return self._version or self.health.version

    @property
    def signature(self) -> str:
        return self.model.signature(self.version)

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, (source, target) indices from 0, ascending. Empty sides have none."""
        asked = [pair for pair in pairs if pair[0] and pair[1]]
        answers = iter(self._answers(ALIGN, asked))
        return [[(a, b) for a, b in next(answers)] if pair[0] and pair[1] else [] for pair in pairs]

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """The score of every pair, larger for a better paraphrase."""
        return self._answers(SCORE, pairs)

    def known_scores(self, pairs: Sequence[Pair]) -> list[float | None]:
        """The scores that were asked for before, None for others. Needs a version; asks nothing."""
        keys = [cached_answers.key_of(self.model, self._version, SCORE, pair) for pair in pairs]
        known = cached_answers.known_answers(keys)
        return [known.get(key) for key in keys]

    def _answers(self, kind: str, pairs: Sequence[Pair]) -> list[Any]:
        keys = [cached_answers.key_of(self.model, self.version, kind, pair) for pair in pairs]
        known = cached_answers.known_answers(keys)
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if missing and not (self.health.align if kind == ALIGN else self.health.score):
            work = "align words" if kind == ALIGN else "score pairs"
            raise ModelError(f"The model {self.model.name} does not {work}. Choose another one.")
        for batch in self._batches(missing):
            answers = dict(zip(batch, self._ask(kind, list(batch.values())), strict=True))
            cached_answers.keep_answers(answers)
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

    def _ask(self, kind: str, pairs: Sequence[Pair]) -> list[Any]:
        sent = Request(pairs=[TokenPair(source=list(a), target=list(b)) for a, b in pairs])
        data = self._request(kind, sent.model_dump_json().encode(), seconds=self.model.seconds)
        found: list[Any]
        try:
            answer: Links | Scores
            if kind == ALIGN:
                answer = read_answer(Links, data)
                found = checked_links(answer, pairs)
            else:
                answer = read_answer(Scores, data)
                found = checked_scores(answer, pairs)
        except ModelError as error:
            raise self._faulty(error) from error
        self._check_version(answer.version)
        return found

    def _faulty(self, error: ModelError) -> ModelError:
        return ModelError(f"{self._who}: {error} Correct the model's server.")

    def _check_version(self, version: str) -> None:
        self._version = self._version or version
        if version != self._version:
            raise ModelError(
                f"The model {self.model.name} has version {version}, but this work uses {self._version}: the "
                "answers of two versions are not mixed. Start it again with the version that is there now."
            )

    @property
    def _who(self) -> str:
        return f"The model {self.model.name} ({self.model.host})"

    @cached_property
    def _ip(self) -> str:
        """The one IP address that is connected to."""
        model = self.model
        network = Network(ports=None, permits=model.permits)
        try:
            ip = network.pinned(model.address)
        except Denied as error:
            remedy = f"If it is a machine of yours, add its network to {NETWORKS}."
            raise ModelError(f"{self._who}: {error} {remedy}") from error
        except Unavailable as error:
            raise ModelError(f"{self._who}: {error} Correct its address in {MODELS}.") from error
        if model.token and model.address.scheme == "http" and is_public(ipaddress.ip_address(ip)):
            raise ModelError(f"{self._who}: a token is sent only by https to a public address. Use https.")
        return ip

    def _request(self, path: str, body: bytes | None, *, seconds: float) -> bytes:
        """The body of the answer; sent again, after a pause, where no answer came."""
        pauses = iter(PAUSES)
        while True:
            self._watch()
            try:
                return self._once(path, body, seconds)
            except TimeOver as error:
                remedy = f"Make the model faster, or raise {SECONDS}."
                raise ModelError(f"{self._who}: {error} {remedy}") from error
            except Denied as error:
                raise ModelError(f"{self._who}: {error}") from error
            except Unavailable as error:
                pause = next(pauses, None)
                if pause is None or error.status not in RETRIED:
                    remedy = "Start the model, or correct it, and resume the work: answers so far are kept."
                    raise ModelError(f"{self._who}: {error} {remedy}") from error
                time.sleep(pause)

    def _once(self, path: str, body: bytes | None, seconds: float) -> bytes:
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.model.token:
            headers["Authorization"] = f"Bearer {self.model.token}"
        connect = min(CONNECT_SECONDS, seconds)
        limits = Limits(connect, read_seconds=seconds + 5, total_seconds=seconds, bytes=MAX_BYTES)
        answer = get(
            self.model.address.joined(path),
            self._ip,
            agent=AGENT,
            limits=limits,
            headers=headers,
            body=body,
            accept=_check_status,
            alive=self._watch,
        )
        return answer.data

    def _watch(self) -> None:
        """About once a second: whether the work is still wanted."""
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
