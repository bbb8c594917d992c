"""Aligners of other servers, one for each model over HTTP that the environment names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paragold.aligners.identity import Identity
from paragold.aligners.method import Aligner, Pair
from paragold.http_models.cached_answers import model_state
from paragold.http_models.configuration import HttpModel
from paragold.metrics.links import Link

if TYPE_CHECKING:
    from paragold.http_models.client import Session

PREFIX = "http-"
"""How the ids of these aligners begin; the name of the model follows."""


class HttpAlignerMethod(Identity):
    """Like the identity baseline it is not trained, and there is nothing to choose."""

    over_http = True

    def __init__(self, model: HttpModel) -> None:
        self.model = model
        self.id = f"{PREFIX}{model.name}"
        self.label = f"{self.id}: the model {model.name} over HTTP ({model.host})"
        self.suggestion = f"The model {model.name} over HTTP"

    def aligner(self, parameters: Any) -> Aligner:
        from paragold.http_models.client import Session

        return HttpAligner(self.id, Session(self.model))

    def install_hint(self) -> str:
        """Why it cannot be chosen, by what is known of the model; it is not asked."""
        state = model_state(self.model)
        if not state.version:
            return f"The model {self.model.name} has not answered yet."
        return "" if state.aligns else f"The model {self.model.name} does not align words."

    def suggests_in(self, language: str) -> bool:
        return not self.install_hint()


class HttpAligner(Aligner):
    """Draws the links that a server answers; raises ModelError as `Session` does."""

    def __init__(self, name: str, session: Session) -> None:
        self.name = name
        self._session = session

    @property
    def signature(self) -> str:  # type: ignore[override]  # the server says its version
        return self._session.model.signature(self._session.version)

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        return self._session.align(pairs)
