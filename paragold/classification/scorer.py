"""The score of a model over HTTP as what is known of a pair: the feature of the class `scorer`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paragold.formats.judgements.labelled_pairs import PairContext, TextPair
from paragold.http_models.client import Session
from paragold.http_models.configuration import MODELS, http_models
from paragold.http_models.protocol import ModelError
from paragold.text.tokenisation import tokenise


def session_of(name: str, version: str = "") -> Session:
    """Asks the model of that name. Raises ModelError where the environment names none."""
    if name not in http_models():
        known = ", ".join(http_models()) or "none"
        raise ModelError(f"There is no model {name!r}. {MODELS} names: {known}.")
    return Session(http_models()[name], version=version)


def with_scores(
    contexts: Sequence[PairContext],
    texts: Sequence[tuple[str, str]],
    *,
    scorer: str,
    version: str = "",
    ask: bool = True,
) -> list[PairContext]:
    """The contexts of pairs of texts with the model's scores; as they are where `scorer` is "".

    The two sentences are sent in alphabetical order of their tokens, so that a score does not depend on which
    comes first. Without `ask` only scores that are kept are used. Raises ModelError as `Session` does, and
    without `ask` for a pair without a score.
    """
    if not scorer:
        return list(contexts)
    session = session_of(scorer, version)
    pairs = [tuple(sorted(tokenise(text)[0] for text in both)) for both in texts]
    sides = [(pair[0], pair[1]) for pair in pairs]
    scores = session.score(sides) if ask else session.known_scores(sides)
    if None in scores:
        raise ModelError(
            f"The scores of the model {scorer} for these pairs are not kept here. Apply the classifier to "
            "their dataset first."
        )
    return [replace(context, score=score) for context, score in zip(contexts, scores, strict=True)]


def scored_pairs(pairs: Sequence[TextPair], *, scorer: str, version: str = "") -> list[TextPair]:
    """The pairs with the scores of a model in their contexts."""
    texts = [(pair.first, pair.second) for pair in pairs]
    contexts = with_scores([pair.context for pair in pairs], texts, scorer=scorer, version=version)
    return [replace(pair, context=context) for pair, context in zip(pairs, contexts, strict=True)]
