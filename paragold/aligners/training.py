"""Training IBM Model 1 and the HMM model on sentence pairs, iteration by iteration, then on gold links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from paragold.aligners import hmm
from paragold.aligners.adaptation import Priors, adapt
from paragold.aligners.aligner import (
    NO_OTHER_GOLD,
    PAIRS_AT_ONCE,
    Aligner,
    OtherGold,
    Pair,
    TrainingParameters,
    Transfer,
    texts_of,
)
from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences
from paragold.aligners.evidence import Evidence, evidence_of
from paragold.aligners.evidence_sources import PHRASES
from paragold.aligners.expectation_maximisation import expected_counts, probabilities
from paragold.aligners.hmm import Tables
from paragold.aligners.link_classifier import LinkClassifier
from paragold.aligners.relations import Relations
from paragold.aligners.translation_model import (
    State,
    TranslationModel,
    kernel,
    null_probabilities,
    pseudo_counts,
)
from paragold.arrays import Floats
from paragold.folds import apart_from, folds, groups_of
from paragold.formats.model_files import load, save
from paragold.metrics.links import Link, LinkedPair
from paragold.parallel import portions
from paragold.problems import FileProblem

_KIND = "paragold training"
MAX_CELLS = 250_000
"""Source times target words of the longest sentence pairs that are trained on: 500 by 500."""
Learned = tuple[LinkClassifier | None, Sequence[Transfer]]
"""A classifier of links, and what was said of what was learned elsewhere."""
Build = Callable[[TranslationModel, LinkClassifier | None, Sequence[Transfer]], Aligner]


def save_state(state: State, path: Path) -> None:
    """Write what there is between two iterations, exact to the last bit. Raises OSError where it cannot."""
    save(path, state.numbers(), {"kind": _KIND, "iterations": list(state.iterations)}, compressed=False)


def load_state(path: Path) -> State:
    """The state that was saved. Raises FileProblem for a file that is none or was damaged."""
    numbers, description = load(path)
    if description.get("kind") != _KIND:
        raise FileProblem("It is not a saved training state.", "Train again.", file=str(path))
    return State.of_numbers(numbers, description["iterations"])


class Training:
    """A training that is done iteration by iteration, so that it can be watched and taken up again.

    Words are numbered in alphabetical order; with one language both vocabularies are one object. Pairs with
    an empty side or more than MAX_CELLS cells are left out; with the lexicon each word is also paired with
    itself. Raises ValueError when there are too many different word pairs to be numbered.

    After the last iteration a classifier of links learns from `gold`, if there are any. `adapt` says what of
    the starting point `start` helps, and of each set of `other_gold`, but for its pairs that share a sentence
    with `gold`; without gold links `start` is used as it is. Sources of evidence in `without` are left out.
    `seed` draws folds and the parts that are learned from; `build` makes an aligner of what was learned.
    Equal states end at equal aligners.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        parameters: TrainingParameters,
        relations: Relations,
        gold: Sequence[LinkedPair] = (),
        other_gold: OtherGold = NO_OTHER_GOLD,
        *,
        start: LinkClassifier | None = None,
        without: frozenset[str] = frozenset(),
        seed: int = 1,
        build: Build | None = None,
    ) -> None:
        self.parameters = parameters
        self.relations = relations
        self.iterations = parameters.ibm1_iterations + parameters.hmm_iterations
        """How many there are in all."""
        self._model: TranslationModel | None = None
        self._texts = texts_of(gold)
        self._links = [linked.links for linked in gold]
        self._candidates: list[Evidence] = []
        self._other_gold = {name: apart_from(linked, self._texts) for name, linked in other_gold.items()}
        self._priors: Priors | None = None
        self._fitted: dict[tuple[int, int], Learned] = {}
        self._start, self._without, self._seed, self._build = start, without, seed, build
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
            np.bincount(self.source.words, minlength=sizes[0]).astype(float),
            np.bincount(self.target.words, minlength=sizes[1]).astype(float),
        )
        """How often each source and each target word occurs."""
        self._nulls = null_probabilities(parameters, self.source.lengths, self.target.lengths)
        del pairs, source, target, sources, targets
        kinds, spelling = relations.between(self.sources.words, self.targets.words, self.entries)
        self._places = np.flatnonzero((kinds > 0) | (spelling > 0))
        given = pseudo_counts(parameters, (kinds[self._places], spelling[self._places]))
        self._pseudo_counts = given.astype(np.float64)

    def start(self) -> State:
        """The state before the first iteration.

        Every word that occurs with another is as likely as the next, but for the pseudo-counts; null words
        generate each word by its share of the text.
        """
        counts = Tables.zeros(len(self.entries), len(self.sources), len(self.targets))
        counts.forward[:] = counts.backward[:] = 1
        counts.null_backward[:], counts.null_forward[:] = self.frequencies
        tables, source_totals, target_totals = self._probabilities(counts)
        return State(tables, source_totals * 0, target_totals * 0, hmm.first_jumps())

    def _probabilities(self, counts: Tables) -> tuple[Tables, Floats, Floats]:
        return probabilities(self.entries, counts, self._places, self._pseudo_counts)

    def advance(self, state: State) -> State:
        """The state after one more iteration: of IBM Model 1 as long as there are any, then of the HMM."""
        ibm1 = len(state.iterations) < self.parameters.ibm1_iterations
        counts, jumps, likelihoods = self.counts(state, ibm1=ibm1)
        if ibm1:
            jumps = state.jumps
        else:
            if self.parameters.one_language:
                jumps[:] = jumps[0] + jumps[1]
            # A jump that was never seen stays possible.
            jumps += 0.1
        forward, backward = likelihoods.tolist()
        iteration = {"model": "ibm1" if ibm1 else "hmm", "forward": forward, "backward": backward}
        return State(*self._probabilities(counts), jumps, (*state.iterations, iteration))

    def counts(self, state: State, *, ibm1: bool) -> tuple[Tables, Floats, Floats]:
        """One E-step; see `expected_counts`."""
        source, target, tables = self.source, self.target, state.tables
        step = kernel(self.parameters, source, target, tables, state.jumps, self._nulls, ibm1=ibm1)
        return expected_counts(source, target, self.entries, tables, step)

    def model(self, state: State) -> TranslationModel:
        """The model as the state has it; the last one is cached."""
        if self._model is None or self._model.state is not state:
            self._model = TranslationModel(
                self.parameters, self.relations, self.sources, self.targets, self.entries.rows,
                self.entries.targets, *self.frequencies, state,
            )  # fmt: skip
        return self._model

    def evidence(self, state: State) -> list[Evidence]:
        """The candidate links of every gold pair, after the last iteration."""
        if not self._candidates:
            self._candidates = self._evidence_of(state, self._texts)
        return self._candidates

    def _evidence_of(self, state: State, pairs: Sequence[Pair]) -> list[Evidence]:
        model, phrases = self.model(state), PHRASES not in self._without
        parts = portions(pairs, PAIRS_AT_ONCE)
        return [own for part in parts for own in evidence_of(model, part, phrases=phrases)]

    def learned(self, state: State, numbers: Sequence[int] | None = None) -> Learned:
        """What is learned after the last iteration from the gold pairs of these numbers, by default from all.

        Without any it is what was learned elsewhere. Raises ValueError where there is nothing to learn.
        """
        numbers = range(len(self._links)) if numbers is None else numbers
        if not len(numbers):
            return self._start, ()
        candidates = self.evidence(state)
        if self._priors is None:
            others = [
                (name, self._evidence_of(state, texts_of(own)), [pair.links for pair in own])
                for name, own in self._other_gold.items()
                if len(own) > 1
            ]
            self._priors = Priors(self._start, others, without=self._without)
        known = [candidates[n] for n in numbers], [self._links[n] for n in numbers]
        return adapt(self._priors, *known, seed=self._seed)

    def aligner(self, state: State, learned: Learned) -> Aligner:
        """The aligner with the model that the state has and these links. Raises TypeError without `build`."""
        if self._build is None:
            raise TypeError("this training is of a model alone")
        return self._build(self.model(state), *learned)

    def finish(self, state: State, numbers: Sequence[int] | None = None) -> Aligner:
        """The aligner after the last iteration, see `learned`."""
        return self.aligner(state, self.learned(state, numbers))

    def held_out(self, state: State, *, fold: int, size: int) -> tuple[list[int], Learned]:
        """The numbers of the gold pairs of one fold, and what is learned from `size` of the others.

        Where these leave nothing to learn, it is what was learned elsewhere. Smaller sizes are parts of
        larger ones.
        """
        held_out = folds(groups_of(self._texts), seed=self._seed)[fold]
        others = np.setdiff1d(np.arange(len(self._links)), held_out)
        chosen = np.random.default_rng([self._seed, fold]).permutation(others)[:size].tolist()
        if (fold, size) not in self._fitted:
            self._fitted[fold, size] = self._start, ()
            with suppress(ValueError):
                self._fitted[fold, size] = self.learned(state, chosen)
        return held_out, self._fitted[fold, size]

    def held_out_links(self, state: State, *, fold: int, size: int) -> dict[int, list[Link]]:
        """The links of the gold pairs of one fold, by number, by what `held_out` says; without that none."""
        held_out, (classifier, _) = self.held_out(state, fold=fold, size=size)
        candidates = self.evidence(state)
        return {n: classifier.links(candidates[n]) if classifier else [] for n in held_out}

    def held_out_aligner(self, state: State, *, fold: int, size: int) -> Aligner | None:
        """The aligner that drew `held_out_links`; None where there was nothing to learn."""
        _, learned = self.held_out(state, fold=fold, size=size)
        return self.aligner(state, learned) if learned[0] else None


def train(pairs: Sequence[Pair], parameters: TrainingParameters, relations: Relations) -> TranslationModel:
    """Train on sentence pairs; see `Training`. The same pairs in the same order give the same numbers."""
    training = Training(pairs, parameters, relations)
    state = training.start()
    for _ in range(training.iterations):
        state = training.advance(state)
    return training.model(state)
