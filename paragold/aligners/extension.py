"""Models that are extended by new text without the old: expected counts that are stored and added to.

Kept are the counts of the last iteration. They are those of the old model and are not computed again, which
is the approximation: what the new text says of the old one's links is lost (a step of incremental EM, Neal &
Hinton 1998, that is never followed by one on the old text).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from paragold.aligners.method import Iteration, Pair
from paragold.aligners.registry import Recipe
from paragold.aligners.shards import Shard, Sums, WordPairs, lexicon, part_of, usable
from paragold.aligners.statistical import ModelAligner, ModelMethod
from paragold.aligners.training import State, Training, after, estimator, jumps_of, model_of
from paragold.formats.model_files import load, save
from paragold.problems import FileProblem, located
from paragold.spec import SpecError

DEFAULT_ITERATIONS = 2
_KIND = "paragold expected counts"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Counts:
    """The expected counts of a training's last iteration, and all else that its model is made of."""

    recipe: Recipe
    words: WordPairs
    sums: Sums
    iterations: tuple[Iteration, ...]

    def save(self, path: Path) -> str:
        """Write the counts and return their SHA-256. Raises OSError where they cannot be written."""
        numbers: dict[str, Any] = {one.name: getattr(self.sums, one.name) for one in fields(self.sums)}
        numbers |= self.words.numbers()
        description = {
            "kind": _KIND,
            "version": _VERSION,
            "recipe": self.recipe.as_json(),
            "iterations": [asdict(iteration) for iteration in self.iterations],
        }
        return save(path, numbers, description)

    @classmethod
    def load(cls, path: Path) -> Counts:
        """The counts of a file. Raises FileProblem for a file that has none or was damaged."""
        numbers, description = load(path)
        if (description.get("kind"), description.get("version")) != (_KIND, _VERSION):
            raise FileProblem("It has no expected counts.", "Train again with --counts.", file=str(path))
        with located(file=str(path)):
            try:
                recipe = Recipe.of(description["recipe"])
                shared = counting_method(recipe).training_parameters(recipe.parameters).one_language
                words = WordPairs.of_numbers(numbers, shared=shared)
                sums = Sums(*[numbers[one.name] for one in fields(Sums)])
                for one, expected in ((one, getattr(Sums.zeros(words), one.name)) for one in fields(Sums)):
                    if getattr(sums, one.name).shape != expected.shape:
                        raise ValueError(f"{one.name} has another length")
                iterations = tuple(Iteration(**iteration) for iteration in description["iterations"])
            except (KeyError, IndexError, TypeError, ValueError, SpecError) as error:
                raise FileProblem(f"It is incomplete ({error!r}).", "Train again with --counts.") from error
        return cls(recipe, words, sums, iterations)


def counting_method(recipe: Recipe) -> ModelMethod:
    """The method of a recipe. Raises ValueError for one that does not count."""
    if not isinstance(recipe.method, ModelMethod):
        raise ValueError(f"The aligner {recipe.method.id} has no expected counts; choose best, hmm or ibm1.")
    return recipe.method


def train_by_shards(pairs: Sequence[Pair], recipe: Recipe, *, shards: int = 1) -> tuple[ModelAligner, Counts]:
    """Train on sentence pairs, without gold links; also returns the counts, which `extended` adds to.

    Any number of shards gives equal aligners. Raises ValueError for aligners without expected counts.
    """
    method = counting_method(recipe)
    training = Training(
        pairs,
        method.training_parameters(recipe.parameters),
        method.relations(recipe.parameters),
        shards=shards,
    )
    state = training.start()
    for _ in range(training.iterations - 1):
        state = training.advance(state)
    sums = training.count(state)
    state = training.maximise(state, sums)
    counts = Counts(recipe, training.words, sums, state.iterations)
    return method.aligner(training.model(state), recipe.parameters), counts


def extended(
    counts: Counts, pairs: Sequence[Pair], *, iterations: int = DEFAULT_ITERATIONS
) -> tuple[ModelAligner, Counts]:
    """The aligner of a text and of new sentence pairs, without the text, and the counts of both.

    The new pairs have so many iterations of the aligner's last model; each adds their counts to those of the
    old text. Words and word pairs that are new begin as in training: each as likely as the next.
    """
    recipe = counts.recipe
    method = counting_method(recipe)
    parameters, relations = method.training_parameters(recipe.parameters), method.relations(recipe.parameters)
    text = usable(pairs)
    if parameters.lexicon:
        known = {*counts.words.sources.numbers, *counts.words.targets.numbers}
        text += lexicon({token.lower() for pair in text for side in pair for token in side} - known)
    shard = Shard(text, parameters)
    words = WordPairs.union([counts.words, shard.word_pairs])
    before, added = (part.places_in(words) for part in (counts.words, shard.word_pairs))
    old = Sums.zeros(words)
    old.add(counts.sums, before)
    maximisation = estimator(words, parameters, relations)
    tables = old.tables()
    new = np.ones(len(words.entries), dtype=np.bool_)
    new[before.entries] = False
    tables.forward[new] = tables.backward[new] = 1
    # The null word generates as large a share of the new words as of the old ones.
    for nulls, total, places in (
        (tables.null_forward, words.frequencies[1], before.targets),
        (tables.null_backward, words.frequencies[0], before.sources),
    ):
        share = nulls.sum() / max(1, total[places].sum())
        unknown = np.ones(len(nulls), dtype=np.bool_)
        unknown[places] = False
        nulls[unknown] = share * total[unknown]
    jumps = jumps_of(old.jumps, shared=parameters.one_language)
    state = State(*maximisation.probabilities(tables), jumps, counts.iterations)
    sums = old
    for _ in range(iterations):
        sums = old.copy()
        model = "hmm" if parameters.hmm_iterations else "ibm1"
        sums.add(shard.counts(part_of(state.tables, added), state.jumps, model=model), added)
        state = after(state, sums, maximisation, model=model)
    aligner = method.aligner(model_of(state, words, parameters, relations), recipe.parameters)
    return aligner, Counts(recipe, words, sums, state.iterations)
