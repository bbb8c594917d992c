"""The score of a model over HTTP in the context of a pair: the feature of the class `scorer`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from paragold.classification.classifier import Classifier
from paragold.classification.settings import ClassifierSpec
from paragold.formats.judgements.labelled_pairs import PairContext
from paragold.http_models.client import ModelError, Session
from paragold.text.tokenisation import tokenise


def with_scores(
    contexts: Sequence[PairContext],
    texts: Sequence[tuple[str, str]],
    spec: ClassifierSpec,
    *,
    ask: bool = True,
) -> list[PairContext]:
    """The contexts of pairs of texts with the scores of the Spec's scorer; as they are without one.

    The two sentences are sent in alphabetical order of their tokens, so that a score does not depend on which
    comes first. Without `ask` only cached scores are used. Raises ModelError as `Session` does, and
    without `ask` for a pair without a score.
    """
    if not spec.scorer:
        return list(contexts)
    session = Session.named(spec.scorer, spec.scorer_version)
    sides = [sorted(tokenise(text)[0] for text in pair) for pair in texts]
    pairs = [(first, second) for first, second in sides]
    scores = session.score(pairs) if ask else session.known_scores(pairs)
    if None in scores:
        raise ModelError(
            f"Scores of the model {spec.scorer} for these pairs are not kept here. Apply the classifier to "
            "their dataset first."
        )
    return [replace(context, score=score) for context, score in zip(contexts, scores, strict=True)]


def contexts_for(
    classifier: Classifier, contexts: Sequence[PairContext], texts: Sequence[tuple[str, str]]
) -> list[PairContext]:
    """The contexts of pairs of texts with the scores that a classifier was trained with, if any.

    Raises ModelError as `with_scores` does.
    """
    settings = classifier.training["settings"]
    # Without its classes: the model names those of a missing plug-in when it decides.
    known = {name: settings[name] for name in ("scorer", "scorer_version") if name in settings}
    return with_scores(contexts, texts, ClassifierSpec(**known))
