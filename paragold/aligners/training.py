"""Training IBM Model 1 and the HMM model on sentence pairs, iteration by iteration, then on gold links."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from paragold.aligners import hmm
from paragold.aligners.adaptation import GoldEvidence, Priors, adapt
from paragold.aligners.aligner import (
    NO_OTHER_GOLD,
    PAIRS_AT_ONCE,
    Aligner,
    Iteration,
    OtherGold,
    Pair,
    TrainingParameters,
    Transfer,
    texts_of,
)
from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences
from paragold.aligners.evidence import Evidence, evidence_of
from paragold.aligners.evidence_sources import PHRASES
from paragold.aligners.expectation_maximisation import (
    LIKELIHOODS_UNIT,
    SUMS_UNIT,
    Estimator,
    ExpectedCounts,
    FloatArray,
    Tables,
    expected_counts,
)
from paragold.aligners.link_classifier import LinkClassifier
from paragold.aligners.relations import Related, Relations
from paragold.aligners.translation_model import TranslationModel, kernel, null_probabilities, pseudo_counts
from paragold.folds import apart_from, folds, groups_of
from paragold.formats.model_files import load, save
from paragold.metrics.links import Link, LinkedPair, Links
from paragold.parallel import portions
from paragold.problems import FileProblem

_KIND = "paragold training"
MAX_CELLS = 250_000
"""Source times target words of the longest sentence pairs that are trained on: 500 by 500."""
Jumps = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True)
class State:
    """What there is between two iterations. Going on from equal numbers ends at an equal model."""

    tables: Tables
    source_totals: FloatArray
    target_totals: FloatArray
    jumps: Jumps
    iterations: tuple[Iteration, ...] = ()

    def save(self, path: Path) -> None:
        """Write it, exact to the last bit. Raises OSError where it cannot be written."""
        numbers = self.tables._asdict() | {
            "source_totals": self.source_totals,
            "target_totals": self.target_totals,
        }
        numbers["jumps"] = np.vstack(self.jumps)
        description = {"kind": _KIND, "iterations": [iteration._asdict() for iteration in self.iterations]}
        save(path, numbers, description, compressed=False)

    @classmethod
    def load(cls, path: Path) -> State:
        """The state that was saved. Raises FileProblem for a file that is none or was damaged."""
        numbers, description = load(path)
        if description.get("kind") != _KIND:
            raise FileProblem("It is not a saved training state.", "Train again.", file=str(path))
        jumps = numbers["jumps"]
        sizes = (len(numbers[name]) for name in ("forward", "null_backward", "null_forward"))
        tables = Tables.zeros(*sizes)
        for name in Tables._fields:
            getattr(tables, name)[:] = numbers.pop(name)
        return cls(
            tables,
            numbers["source_totals"],
            numbers["target_totals"],
            (np.ascontiguousarray(jumps[0]), np.ascontiguousarray(jumps[1])),
            tuple(Iteration(**iteration) for iteration in description["iterations"]),
        )


class Training:
    """A training that is done iteration by iteration, so that it can be watched and taken up again.

    Words are numbered in alphabetical order; with one language both vocabularies are one object. Pairs with
    an empty side or more than MAX_CELLS cells are left out; with the lexicon each word is also paired with
    itself. Raises ValueError when there are too many different word pairs to be numbered.
    """

    def __init__(self, pairs: Sequence[Pair], parameters: TrainingParameters, relations: Relations) -> None:
        self.parameters = parameters
        self.relations = relations
        self.iterations = parameters.ibm1_iterations + parameters.hmm_iterations
        """How many there are in all."""
        self._models: list[tuple[State, TranslationModel]] = []
        pairs = [pair for pair in pairs if 0 < len(pair[0]) * len(pair[1]) <= MAX_CELLS]
        if parameters.lexicon:
            words = {word.lower() for pair in pairs for side in pair for word in side}
            pairs += [((word,), (word,)) for word in sorted(words)]
        sources = Vocabulary()
        targets = sources if parameters.one_language else Vocabulary()
        source = Text.of((pair[0] for pair in pairs), sources)
        target = Text.of((pair[1] for pair in pairs), targets)
        self.sources = sources.in_order()
        self.targets = self.sources if parameters.one_language else targets.in_order()
        self.source = Text(sources.places_in(self.sources).astype(np.int32)[source.words], source.starts)
        self.target = Text(targets.places_in(self.targets).astype(np.int32)[target.words], target.starts)
        sizes = len(self.sources), len(self.targets)
        self.entries = cooccurrences(
            self.source,
            self.target,
            source_words=sizes[0],
            target_words=sizes[1],
            shared=parameters.one_language,
        )
        self.frequencies = (
            np.bincount(self.source.words, minlength=sizes[0]),
            np.bincount(self.target.words, minlength=sizes[1]),
        )
        """How often each source and each target word occurs."""
        self._nulls = null_probabilities(parameters, self.source.lengths, self.target.lengths)
        del pairs, source, target, sources, targets
        related = relations.between(self.sources.words, self.targets.words, self.entries)
        places = np.flatnonzero((related.kinds > 0) | (related.spelling > 0))
        given = pseudo_counts(parameters, Related(related.kinds[places], related.spelling[places]))
        self._estimator = Estimator(self.entries, *sizes, places, given.astype(np.float64))

    def start(self) -> State:
        """The state before the first iteration."""
        totals = np.zeros(len(self.sources)), np.zeros(len(self.targets))
        jumps = hmm.first_jumps(), hmm.first_jumps()
        return State(self._estimator.start(*self.frequencies), *totals, jumps)

    def advance(self, state: State) -> State:
        """The state after one more iteration: of IBM Model 1 as long as there are any, then of the HMM."""
        model = "ibm1" if len(state.iterations) < self.parameters.ibm1_iterations else "hmm"
        counts = self.counts(state, model=model)
        likelihoods = (counts.likelihoods * LIKELIHOODS_UNIT).tolist()
        jumps = state.jumps
        if model == "hmm":
            forward, backward = counts.jumps * SUMS_UNIT
            if self.parameters.one_language:
                forward = backward = forward + backward
            # A jump that was never seen stays possible.
            jumps = forward + 0.1, backward + 0.1
        iterations = (*state.iterations, Iteration(model, *likelihoods))
        return State(*self._estimator.probabilities(counts.tables()), jumps, iterations)

    def counts(self, state: State, *, model: str) -> ExpectedCounts:
        """One E-step of "ibm1" or "hmm"."""
        source, target, tables = self.source, self.target, state.tables
        step = kernel(model, source, target, tables, state.jumps, self._nulls, self.parameters)
        return expected_counts(source, target, self.entries, tables, step)

    def model(self, state: State) -> TranslationModel:
        """The model as the state has it; the last one is cached."""
        if not self._models or self._models[0][0] is not state:
            tables = state.tables
            model = TranslationModel(
                self.parameters, self.relations, self.sources, self.targets,
                self.entries.rows, self.entries.targets,
                tables.forward, tables.backward, state.source_totals, state.target_totals,
                tables.null_forward, tables.null_backward, state.jumps,
                self.frequencies[0].astype(float), self.frequencies[1].astype(float), list(state.iterations),
            )  # fmt: skip
            self._models = [(state, model)]
        return self._models[0][1]


def train(pairs: Sequence[Pair], parameters: TrainingParameters, relations: Relations) -> TranslationModel:
    """Train on sentence pairs; see `Training`. The same pairs in the same order give the same numbers."""
    training = Training(pairs, parameters, relations)
    state = training.start()
    for _ in range(training.iterations):
        state = training.advance(state)
    return training.model(state)


Learned = tuple[LinkClassifier | None, Sequence[Transfer]]
"""A classifier of links, and what was said of what was learned elsewhere."""


class ModelAligner(Protocol):
    """What a training needs of an aligner around a translation model; see `statistical.ModelAligner`."""

    spec: Any

    def training_parameters(self) -> TrainingParameters: ...
    def relations(self) -> Relations: ...
    def known_links(self) -> tuple[LinkClassifier | None, frozenset[str]]: ...
    def with_model(
        self,
        model: TranslationModel,
        classifier: LinkClassifier | None = None,
        transfers: Sequence[Transfer] = (),
        /,
    ) -> Aligner: ...


class AlignerTraining(Training):
    """A training that ends with an aligner; a state is what there is between two iterations.

    After the last iteration a classifier of links learns from gold ones, if there are any: `adapt` says what
    of the starting point helps, and of each set of `other_gold`, but for its pairs that share a sentence with
    `gold`. Without gold links the starting point is used as it is. Equal states end at equal aligners.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        aligner: ModelAligner,
        gold: Sequence[LinkedPair] = (),
        other_gold: OtherGold = NO_OTHER_GOLD,
    ) -> None:
        super().__init__(pairs, aligner.training_parameters(), aligner.relations())
        self.aligner = aligner
        self._texts = texts_of(gold)
        self._links = [linked.links for linked in gold]
        self._candidates: list[Evidence] = []
        self._other_gold = {name: apart_from(linked, self._texts) for name, linked in other_gold.items()}
        self._priors: Priors | None = None
        self._fitted: dict[tuple[int, int], Learned] = {}
        self._start, self._without = aligner.known_links()

    def evidence(self, state: State) -> list[Evidence]:
        """The candidate links of every gold pair, after the last iteration."""
        if not self._candidates:
            self._candidates = self._evidence_of(state, self._texts)
        return self._candidates

    def _evidence_of(self, state: State, pairs: Sequence[Pair]) -> list[Evidence]:
        model, phrases = self.model(state), PHRASES not in self._without
        parts = portions(pairs, PAIRS_AT_ONCE)
        return [own for part in parts for own in evidence_of(model, part, phrases=phrases)]

    def learned(self, state: State) -> Learned:
        """What is learned from the gold links after the last iteration.

        Raises ValueError where there is nothing to learn from them.
        """
        if not self._links:
            return self._start, ()
        return self._learned(state, self.evidence(state), self._links)

    def finish(self, state: State) -> Aligner:
        """The aligner after the last iteration. Raises ValueError as `learned`."""
        return self.aligner.with_model(self.model(state), *self.learned(state))

    def without_gold(self, state: State) -> Aligner:
        """The aligner as it would be without gold links."""
        return self.aligner.with_model(self.model(state), self._start, ())

    def _learned(self, state: State, candidates: Sequence[Evidence], gold: Sequence[Links]) -> Learned:
        if self._priors is None:
            others = [
                GoldEvidence(name, self._evidence_of(state, texts_of(own)), [pair.links for pair in own])
                for name, own in self._other_gold.items()
                if len(own) > 1
            ]
            self._priors = Priors(self._start, others, without=self._without)
        return adapt(self._priors, candidates, gold, seed=self.aligner.spec.seed)

    def held_out_links(self, state: State, *, fold: int, size: int) -> dict[int, list[Link]]:
        """The links of the gold pairs of one fold, by number, by what is learned from `size` of the others.

        Where these leave nothing to learn, what was learned elsewhere draws the links, or none. Smaller sizes
        are parts of larger ones.
        """
        candidates, held_out = self.evidence(state), self._held_out(fold)
        classifier, _ = self._learned_without(held_out, state, fold=fold, size=size)
        if classifier is None:
            return {n: [] for n in held_out}
        return {n: classifier.links(candidates[n]) for n in held_out}

    def held_out_aligner(self, state: State, *, fold: int, size: int) -> Aligner | None:
        """The aligner that drew `held_out_links`; None where there was nothing to learn."""
        classifier, transfers = self._learned_without(self._held_out(fold), state, fold=fold, size=size)
        return (
            None if classifier is None else self.aligner.with_model(self.model(state), classifier, transfers)
        )

    def _held_out(self, fold: int) -> list[int]:
        return folds(groups_of(self._texts), seed=self.aligner.spec.seed)[fold]

    def _learned_without(self, held_out: Sequence[int], state: State, *, fold: int, size: int) -> Learned:
        """What is learned from `size` of the pairs that are not held out; without any, what was elsewhere."""
        candidates = self.evidence(state)
        others = np.setdiff1d(np.arange(len(candidates)), held_out)
        chosen = np.random.default_rng([self.aligner.spec.seed, fold]).permutation(others)[:size].tolist()
        known = [candidates[n] for n in chosen], [self._links[n] for n in chosen]
        if (fold, size) not in self._fitted:
            self._fitted[fold, size] = self._start, ()
            with suppress(ValueError):
                self._fitted[fold, size] = self._learned(state, *known)
        return self._fitted[fold, size]
