"""Pair scorers: each gives pairs of sentences a number. Those of plug-ins are feature classes as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paragold.classification.classes import ALL_CLASSES, MEANINGS
from paragold.languages import language
from paragold.registry import Registry, UnusableError
from paragold.spec import Spec, param

if TYPE_CHECKING:
    from paragold.arrays import Floats

TextPairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PairScorer:
    """One way to score pairs of sentences.

    id, label: what is typed and stored, and what people read. score: takes n pairs of texts and an object of
    `parameters`, the Spec of all that can be chosen, and returns n finite numbers, in order; that of a pair
    must depend on nothing but the pair and the parameters. version: raised whenever the same pairs and
    parameters would get other scores.
    """

    id: str
    label: str
    score: Callable[[TextPairs, Any], Any]
    parameters: type[Spec] = Spec
    version: int = 1

    def scores(self, pairs: TextPairs, parameters: Spec | None = None) -> Floats:
        """The scores of n pairs of texts, (n,). Raises PluginError for anything but n finite numbers."""
        import numpy as np

        scores = np.asarray(self.score(pairs, parameters or self.parameters()), dtype=np.float64)
        if scores.shape != (len(pairs),) or not np.isfinite(scores).all():
            wrong = f"{scores.shape} scores of {len(pairs)} pairs, or a score that is not finite"
            raise PAIR_SCORERS.wrong_result(self.id, wrong)
        return scores

    def signature(self, parameters: Spec | None = None) -> str:
        """Scorer, version, parameters and plug-in: equal signatures give equal scores."""
        chosen = (parameters or self.parameters()).signature()
        return PAIR_SCORERS.signed(self.id, f"{self.id}|scorer-version:{self.version}|{chosen}")


class ScorerSpec(Spec):
    """What the built-in scorers depend on."""

    language: str = param("en", "Language", "Of the texts, such as nl.", max_length=35)


def _edit_similarity(pairs: TextPairs, parameters: ScorerSpec) -> Floats:
    import numpy as np

    from paragold.classification.feature_classes import edit_distances, ratio
    from paragold.classification.words import code_pairs

    coded = code_pairs(pairs, language(parameters.language))
    longer = np.maximum(coded.first.lengths, coded.second.lengths)
    return np.asarray(1 - ratio(edit_distances(coded), longer))


def _bleu(pairs: TextPairs, parameters: ScorerSpec) -> Floats:
    from paragold.classification.feature_classes import bleu
    from paragold.classification.words import code_pairs

    first, second = bleu(code_pairs(pairs, language(parameters.language)))
    return (first + second) / 2


def _check_plugin(scorer: PairScorer) -> None:
    """Raises UnusableError for a scorer that would have the name of a feature class."""
    if scorer.id in ALL_CLASSES:
        raise UnusableError(
            f"The id {scorer.id!r} is that of a feature class.", "Give the scorer another id."
        )


PAIR_SCORERS = Registry(
    "pair scorer",
    PairScorer,
    [
        PairScorer("edit-similarity", "1 - word edit distance / longer length", _edit_similarity, ScorerSpec),
        PairScorer("bleu", "BLEU-like score, mean of both directions", _bleu, ScorerSpec),
    ],
    entry_points="paragold.pair_scorers",
    check=_check_plugin,
)


def added_classes() -> Mapping[str, str]:
    """The feature classes that plug-ins add, with what each is: one column, the score with the defaults."""
    return {
        plugin.id: f"{plugin.label} (plug-in {plugin.distribution} {plugin.version}; off by default)"
        for plugin in PAIR_SCORERS.plugins()
        if plugin.id
    }


def all_classes() -> tuple[str, ...]:
    """All feature classes, those of plug-ins last."""
    return (*ALL_CLASSES, *added_classes())


def class_choices() -> dict[str, str]:
    """Each feature class with what people read of it."""
    meanings = {**{name: MEANINGS[name] for name in ALL_CLASSES}, **added_classes()}
    return {name: f"{name}: {meaning}" for name, meaning in meanings.items()}
