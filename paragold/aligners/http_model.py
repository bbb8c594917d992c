"""A model on a server, asked over HTTP: for the links of pairs, or for their scores.

The server takes `{"pairs": [{"id": 1, "source": ["A", "dam"], "target": ["The", "dam"]}, ...]}` and answers
`{"pairs": [{"id": 1, "links": [[1, 1]]}, ...]}`, or `"score": 0.9` in place of `links`, with the same ids in
the same order. Indices count from 0, source first. Nothing is kept: the same pairs are asked for again.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from paragold.aligners.aligner import Aligner, Pair
from paragold.aligners.programs import ProgramError
from paragold.metrics.links import Link
from paragold.parallel import portions
from paragold.problems import shortened
from paragold.spec import Spec, param
from paragold.tables import Pairs, words_of

ALLOWED = "PARAGOLD_HTTP_MODELS"
"""The variable with the addresses that may be asked, separated by spaces."""
ANSWER_BYTES = 64 << 20
Value = TypeVar("Value")


class HttpSpec(Spec):
    """Which server is asked, and how."""

    address: str = param("", "Address", "Address of the model.", max_length=1000)
    pairs_at_once: int = param(100, "Pairs in a request", ge=1, le=10_000)
    timeout: float = param(60.0, "Seconds to wait for an answer", gt=0, le=3600)


class HttpModel(Aligner):
    """Draws the links, or gives the scores, that a server answers.

    `HttpModel("http://127.0.0.1:9000/align").predict(pairs)` is a table of links. All methods raise
    ProgramError, a ValueError, for a server that cannot be reached or is not allowed, and for an answer that
    does not fit the pairs.
    """

    id = "http"
    label = "http: a model on a server"
    parameters = HttpSpec
    learns_from_pairs = False
    suggestion = "Links of the model on a server"

    def __init__(self, address: str | HttpSpec | None = None, **values: Any) -> None:
        if isinstance(address, str):
            values["address"] = address
            address = None
        super().__init__(address, **values)

    def settings_for(self, language: str, second_language: str = "") -> dict[str, Any]:
        return {"address": next(iter(allowed_addresses() or []), "")}

    def draw(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        return list(self._answers(pairs, "links", _links))

    def scores(self, pairs: Pairs) -> list[float]:
        """A finite number for each pair, in order; pairs are as for `predict`."""
        return list(self._answers(words_of(pairs), "score", _score))

    def _answers(
        self, pairs: Sequence[Pair], name: str, read: Callable[[Any, Pair], Value | None]
    ) -> Iterator[Value]:
        """What the server says of each pair, checked by `read`, which returns None for what must not be."""
        for some in portions(enumerate(pairs, start=1), self.spec.pairs_at_once):
            asked = [{"id": id, "source": list(a), "target": list(b)} for id, (a, b) in some]
            answered = self._ask({"pairs": asked})
            if not isinstance(answered, list) or len(answered) != len(some):
                raise self._wrong(f"no list of {len(some)} pairs")
            for (id, pair), answer in zip(some, answered, strict=True):
                if not isinstance(answer, dict) or answer.get("id") != id:
                    raise self._wrong(f"pairs in another order: pair {id} is not in its place")
                value = read(answer.get(name), pair)
                if value is None:
                    raise self._wrong(f"{name} of pair {id} that do not fit: {answer.get(name)!r}")
                yield value

    def _ask(self, body: Any) -> Any:
        import urllib3

        allowed = allowed_addresses()
        if allowed is not None and self.spec.address not in allowed:
            raise ProgramError(f"{self.spec.address} is not allowed: an administrator adds it to {ALLOWED}.")
        try:
            # A redirection would lead to an address that nobody allowed.
            response = urllib3.PoolManager(timeout=self.spec.timeout).request(
                "POST", self.spec.address, json=body, redirect=False, retries=False, preload_content=False
            )
            answer = response.read(ANSWER_BYTES + 1)
            response.release_conn()
        except urllib3.exceptions.HTTPError as error:
            raise ProgramError(f"{self.spec.address} cannot be asked: {error}") from error
        if response.status != 200 or len(answer) > ANSWER_BYTES:
            raise self._wrong(f"status {response.status} and {len(answer):,} bytes")
        try:
            return json.loads(answer)["pairs"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._wrong("no JSON object with pairs") from None

    def _wrong(self, what: str) -> ProgramError:
        return ProgramError(f"{self.spec.address} answered {shortened(what)}.")


def allowed_addresses() -> list[str] | None:
    """Those that an administrator allows; None where all may be asked."""
    return os.environ[ALLOWED].split() if ALLOWED in os.environ else None


def _links(answer: Any, pair: Pair) -> list[Link] | None:
    """The links in ascending order; None where one is outside its sentences or there twice."""
    source, target = pair
    try:
        links = sorted((i, j) for i, j in answer)
        inside = all(
            type(i) is type(j) is int and 0 <= i < len(source) and 0 <= j < len(target) for i, j in links
        )
    except (TypeError, ValueError):
        return None
    return links if inside and len(set(links)) == len(links) else None


def _score(answer: Any, pair: Pair) -> float | None:
    is_number = isinstance(answer, int | float) and not isinstance(answer, bool)
    return float(answer) if is_number and math.isfinite(answer) else None
