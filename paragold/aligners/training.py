"""Training IBM Model 1 and the HMM model on sentence pairs, iteration by iteration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from paragold.aligners import hmm, ibm1
from paragold.aligners.adaptation import adapt
from paragold.aligners.cooccurrences import Text, Vocabulary, cooccurrences
from paragold.aligners.evidence import Evidence, evidence_of
from paragold.aligners.expectation_maximisation import Estimator, FloatArray, Tables, expected_counts
from paragold.aligners.link_classifier import LinkClassifier, fit
from paragold.aligners.method import Aligner, Iteration, Pair, SteppedTraining, Transfer, batches
from paragold.aligners.parameters import TrainingParameters
from paragold.aligners.relations import Related, Relations
from paragold.aligners.translation_model import TranslationModel, null_probabilities, pseudo_counts
from paragold.folds import folds, groups_of
from paragold.formats.model_files import load, save
from paragold.metrics.links import Link, LinkedPair, Links
from paragold.problems import FileProblem

MAX_CELLS = 250_000
"""Source times target words of the longest sentence pairs that are trained on: 500 by 500."""


_KIND = "paragold training"
_TABLES = ("forward", "backward", "null_forward", "null_backward")


@dataclass(frozen=True, slots=True)
class State:
    """What there is between two iterations. Going on from equal numbers ends at an equal model."""

    tables: Tables
    source_totals: FloatArray
    target_totals: FloatArray
    jumps: tuple[FloatArray, FloatArray]
    iterations: tuple[Iteration, ...] = ()


class Training:
    """A training that is done iteration by iteration, so that it can be watched and taken up again.

    Sentence pairs with an empty side or too many words (MAX_CELLS) are left out.
    Raises ValueError when there are too many different word pairs for the memory's numbers.
    """

    def __init__(self, pairs: Sequence[Pair], parameters: TrainingParameters, relations: Relations) -> None:
        pairs = [pair for pair in pairs if 0 < len(pair[0]) * len(pair[1]) <= MAX_CELLS]
        if parameters.lexicon:
            words = dict.fromkeys(token.lower() for pair in pairs for side in pair for token in side)
            pairs += [((word,), (word,)) for word in words]
        self.parameters = parameters
        self.relations = relations
        self.iterations = parameters.ibm1_iterations + parameters.hmm_iterations
        """How many there are in all."""
        self._models: list[tuple[State, TranslationModel]] = []
        self._sources = sources = Vocabulary()
        self._targets = targets = sources if parameters.one_language else Vocabulary()
        self._source = source = Text.of((pair[0] for pair in pairs), sources)
        self._target = target = Text.of((pair[1] for pair in pairs), targets)
        self._entries = entries = cooccurrences(
            source,
            target,
            source_words=len(sources),
            target_words=len(targets),
            shared=parameters.one_language,
        )
        related = relations.between(sources.words, targets.words, entries)
        places = np.flatnonzero((related.kinds > 0) | (related.spelling > 0))
        given = pseudo_counts(parameters, Related(related.kinds[places], related.spelling[places]))
        del related
        self._estimator = Estimator(entries, len(sources), len(targets), places, given.astype(np.float64))
        self._nulls = null_probabilities(parameters, source.lengths, target.lengths)

    def start(self) -> State:
        """The state before the first iteration."""
        return State(
            self._estimator.start(self._source, self._target),
            np.zeros(len(self._sources)),
            np.zeros(len(self._targets)),
            (hmm.first_jumps(), hmm.first_jumps()),
        )

    def advance(self, state: State) -> State:
        """The state after one more iteration: of IBM Model 1 as long as there are any, then of the HMM."""
        parameters, jumps = self.parameters, state.jumps
        source, target, nulls = self._source, self._target, self._nulls
        if len(state.iterations) < parameters.ibm1_iterations:
            kernel = ibm1.kernel(source, target, state.tables, nulls)
            counts, _, *likelihoods = expected_counts(source, target, self._entries, state.tables, kernel)
            iteration = Iteration("ibm1", *likelihoods)
        else:
            kernel = hmm.kernel(
                source, target, state.tables, jumps, nulls,
                uniform=parameters.uniform, prune=parameters.prune,
            )  # fmt: skip
            counts, seen, *likelihoods = expected_counts(source, target, self._entries, state.tables, kernel)
            jumps = (seen[0], seen[1])
            if parameters.one_language:
                jumps = (jumps[0] + jumps[1],) * 2
            # A jump that was never seen stays possible.
            jumps = (jumps[0] + 0.1, jumps[1] + 0.1)
            iteration = Iteration("hmm", *likelihoods)
        return State(*self._estimator.probabilities(counts), jumps, (*state.iterations, iteration))

    def model(self, state: State) -> TranslationModel:
        """The model as the state has it; the last one is cached."""
        if not self._models or self._models[0][0] is not state:
            entries, tables, sources, targets = self._entries, state.tables, self._sources, self._targets
            model = TranslationModel(
                self.parameters, self.relations, sources, targets, entries.rows, entries.targets,
                tables.forward, tables.backward, state.source_totals, state.target_totals,
                tables.null_forward, tables.null_backward, state.jumps,
                np.bincount(self._source.words, minlength=len(sources)).astype(float),
                np.bincount(self._target.words, minlength=len(targets)).astype(float), list(state.iterations),
            )  # fmt: skip
            self._models = [(state, model)]
        return self._models[0][1]

    def save(self, path: Path, state: State) -> None:
        """Write a state, exact to the last bit. Raises OSError where it cannot be written."""
        numbers = {name: getattr(state.tables, name) for name in _TABLES}
        numbers |= {"source_totals": state.source_totals, "target_totals": state.target_totals}
        numbers["jumps"] = np.vstack(state.jumps)
        description = {"kind": _KIND, "iterations": [asdict(iteration) for iteration in state.iterations]}
        save(path, numbers, description, compressed=False)

    def load(self, path: Path) -> State:
        """The state that was saved. Raises FileProblem for a file that is none or was damaged."""
        numbers, description = load(path)
        if description.get("kind") != _KIND:
            raise FileProblem("It is not a saved training state.", "Train again.", file=str(path))
        jumps = numbers["jumps"]
        sizes = (len(numbers[name]) for name in ("forward", "null_backward", "null_forward"))
        tables = Tables.zeros(*sizes)
        for name in _TABLES:
            getattr(tables, name)[:] = numbers.pop(name)
        return State(
            tables,
            numbers["source_totals"],
            numbers["target_totals"],
            (np.ascontiguousarray(jumps[0]), np.ascontiguousarray(jumps[1])),
            tuple(Iteration(**iteration) for iteration in description["iterations"]),
        )


def train(pairs: Sequence[Pair], parameters: TrainingParameters, relations: Relations) -> TranslationModel:
    """Train on sentence pairs; see `Training`. The same pairs in the same order give the same numbers."""
    training = Training(pairs, parameters, relations)
    state = training.start()
    for _ in range(training.iterations):
        state = training.advance(state)
    return training.model(state)


class ModelTraining(Training, SteppedTraining):
    """A training that ends with an aligner; `aligner` makes it of the trained model."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        parameters: TrainingParameters,
        relations: Relations,
        aligner: Callable[..., Aligner],
    ) -> None:
        super().__init__(pairs, parameters, relations)
        self._aligner = aligner

    def finish(self, state: State) -> Aligner:
        return self._aligner(self.model(state))


class GoldTraining(ModelTraining):
    """A training after whose last iteration a classifier of links learns from gold ones.

    `aligner` takes that classifier as well, and what `adapt` says of `start`, a classifier learned elsewhere
    that gold links pull; without gold links it is used as it is. `without` is as for `link_classifier.fit`,
    and `seed` decides the folds of the gold pairs.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        parameters: TrainingParameters,
        relations: Relations,
        aligner: Callable[..., Aligner],
        gold: Sequence[LinkedPair],
        *,
        start: LinkClassifier | None,
        without: Collection[str],
        seed: int,
    ) -> None:
        super().__init__(pairs, parameters, relations, aligner)
        self._start = start and start.without(without)
        self._texts: list[Pair] = [(linked.tokens.source, linked.tokens.target) for linked in gold]
        self._links = [linked.links for linked in gold]
        self._candidates: list[Evidence] = []
        self._without = without
        self._seed = seed

    def evidence(self, state: State) -> list[Evidence]:
        """The candidate links of every gold pair, after the last iteration."""
        if not self._candidates:
            model = self.model(state)
            self._candidates = [own for batch in batches(self._texts) for own in evidence_of(model, batch)]
        return self._candidates

    def finish(self, state: State) -> Aligner:
        if not self._links:
            return self.without_gold(state)
        return self._aligner(self.model(state), *self._learned(self.evidence(state), self._links))

    def without_gold(self, state: State) -> Aligner:
        return self._aligner(self.model(state), self._start, None)

    def _learned(
        self, candidates: Sequence[Evidence], gold: Sequence[Links]
    ) -> tuple[LinkClassifier, Transfer | None]:
        if self._start is None:
            return fit(candidates, gold, without=self._without), None
        return adapt(self._start, candidates, gold, without=self._without, seed=self._seed)

    def held_out_links(self, state: State, *, fold: int, size: int) -> dict[int, list[Link]]:
        """Where the other pairs leave nothing to learn, what was learned elsewhere draws the links, or none.

        Smaller sizes are parts of larger ones.
        """
        candidates = self.evidence(state)
        held_out = folds(groups_of(self._texts), seed=self._seed)[fold]
        others = np.setdiff1d(np.arange(len(candidates)), held_out)
        chosen = np.random.default_rng([self._seed, fold]).permutation(others)[:size].tolist()
        known = [candidates[n] for n in chosen], [self._links[n] for n in chosen]
        classifier = self._start
        with suppress(ValueError):
            classifier, _ = self._learned(*known)
        if classifier is None:
            return {n: [] for n in held_out}
        return {n: classifier.links(candidates[n]) for n in held_out}
