"""The step `train-aligner`: expected counts of each part, added up after every iteration.

The counts are whole numbers (docs/adr/0024), so that the aligner has the bytes of one that was trained in one
process. A part's words and word pairs are numbered by themselves; the task `join` numbers those of all. It
and the tasks that add up write the probabilities of each part into a file, which is what a count reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paragold.formats.model_files import load, save
from paragold.shards.commits import place
from paragold.shards.plan import Plan
from paragold.shards.steps.align import tokens_of
from paragold.shards.steps.step import Asked, Stage, Step, pair_batches
from paragold.spec import Spec, SpecError, param

if TYPE_CHECKING:
    from paragold.aligners.expectation_maximisation import Estimator
    from paragold.aligners.method import Pair
    from paragold.aligners.shards import Places, Shard, WordPairs
    from paragold.aligners.training import State

AllWords = tuple["WordPairs", "tuple[np.ndarray, np.ndarray]"]


class TrainAlignerSpec(Spec):
    """Which aligner is trained; `set` of a plan file has its own parameters."""

    aligner: str = param("best", "Aligner", "One that counts: best, hmm or ibm1.")


class TrainAligner(Step):
    """A stored aligner and its expected counts, as `train-alignment` writes them."""

    id, label = "train-aligner", "train a word aligner"
    reads, gives = "pairs", "aligner"
    parameters = TrainAlignerSpec

    def check(self, values: Spec, more: Mapping[str, Any]) -> None:
        try:
            _Setup({**values.as_json(), **more})
        except SpecError as error:
            raise SpecError(
                [("set" if name in more else name, text) for name, text in error.problems]
            ) from error
        except ValueError as error:
            raise SpecError([("aligner", str(error))]) from error

    def plan(self, asked: Asked) -> Plan:
        settings = _Setup({**asked.values.as_json(), **asked.more}).recipe.as_json()
        return super().plan(Asked(asked.inputs, asked.values, settings))

    def stages(self, plan: Plan) -> dict[str, Stage]:
        setup, parts = _Setup(plan.settings), len(plan.reads)
        stages = {
            "words": Stage("list the word pairs of each part", _list_words, parts),
            "join": Stage("number the word pairs of all parts", _join, 1, ("words",)),
        }
        before: tuple[str, ...] = ("words", "join")
        for number in range(1, setup.iterations + 1):
            count, add = f"count-{number}", f"add-{number}"
            counted = parts + bool(setup.parameters.lexicon)
            stages[count] = Stage(f"count, iteration {number}", partial(_count, number), counted, before)
            adding = f"add the counts up, iteration {number}"
            stages[add] = Stage(adding, partial(_add, number), 1, (*before, count))
            before = ("words", "join", add)
        return stages

    def counts(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, int]:
        from paragold.aligners.extension import Counts

        words = Counts.load(folder / "counts.npz").words
        return {
            "source_words": len(words.sources),
            "target_words": len(words.targets),
            "word_pairs": len(words.entries),
        }


class _Setup:
    """The aligner that is trained. Raises ValueError, and SpecError, for one that cannot be."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        # Here and not above, as below: other steps do not need the aligners.
        from paragold.aligners.extension import counting_method
        from paragold.aligners.registry import Recipe

        self.recipe = Recipe.of(settings)
        self.method = counting_method(self.recipe)
        self.parameters = self.method.training_parameters(self.recipe.parameters)
        self.iterations = self.method.iterations(self.recipe.parameters)

    @cached_property
    def relations(self) -> Any:
        return self.method.relations(self.recipe.parameters)

    def estimator(self, words: WordPairs) -> Estimator:
        from paragold.aligners.training import estimator

        return estimator(words, self.parameters, self.relations)

    def shard(self, pairs: list[Pair]) -> Shard:
        from paragold.aligners.shards import Shard

        return Shard(pairs, self.parameters)

    def model_of(self, iteration: int) -> str:
        return "ibm1" if iteration <= self.parameters.ibm1_iterations else "hmm"


def _pairs(plan: Plan, number: int) -> list[Pair]:
    from paragold.aligners.shards import usable

    return usable([pair for batch in pair_batches(plan.inputs[number]) for pair in tokens_of(batch)])


def _save_words(path: Path, words: WordPairs, frequencies: tuple[Any, Any]) -> None:
    numbers = {
        "keys": words.keys,
        "sources": words.sources.as_bytes(),
        "targets": words.targets.as_bytes(),
        "source_frequencies": frequencies[0],
        "target_frequencies": frequencies[1],
    }
    save(path, numbers, {"shared": words.entries.shared}, compressed=False)


def _load_words(path: Path) -> AllWords:
    from paragold.aligners.cooccurrences import Vocabulary
    from paragold.aligners.shards import WordPairs, entries_of

    numbers, description = load(path)
    sources = Vocabulary.of_bytes(numbers["sources"])
    targets = sources if description["shared"] else Vocabulary.of_bytes(numbers["targets"])
    entries = entries_of(numbers["keys"], len(sources), len(targets), shared=description["shared"])
    frequencies = numbers["source_frequencies"], numbers["target_frequencies"]
    return WordPairs(sources, targets, entries), frequencies


def _list_words(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the word pairs of a part and how often each word occurs."""
    pairs = _pairs(plan, number)
    shard = _Setup(plan.settings).shard(pairs)
    _save_words(inside / "words.npz", shard.word_pairs, shard.frequencies)
    return {"pairs": len(pairs)}


def _join(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the word pairs of all parts together, and the state before the first iteration."""
    from paragold.aligners.shards import WordPairs, lexicon
    from paragold.aligners.training import first_state

    setup = _Setup(plan.settings)
    parts = [_load_words(place(folder, "words", n) / "words.npz") for n in range(len(plan.reads))]
    if setup.parameters.lexicon:
        known = {
            word for words, _ in parts for side in (words.sources, words.targets) for word in side.numbers
        }
        shard = setup.shard(lexicon(known))
        parts.append((shard.word_pairs, shard.frequencies))
        _save_words(inside / "lexicon.npz", *parts[-1])
    words = WordPairs.union([own for own, _ in parts])
    sources, targets = (np.zeros(len(side), dtype=np.int64) for side in (words.sources, words.targets))
    all_places = []
    for number, (own, (of_sources, of_targets)) in enumerate(parts):
        places = own.places_in(words)
        sources[places.sources] += of_sources
        targets[places.targets] += of_targets
        save(inside / f"places-{number:06}.npz", places._asdict(), {}, compressed=False)
        all_places.append(places)
    _save_words(inside / "words.npz", words, (sources, targets))
    _save_states(inside, first_state(words, setup.estimator(words), (sources, targets)), all_places)
    return {"word_pairs": len(words.entries)}


def _places(plan: Plan, folder: Path) -> Iterator[Places]:
    """Where the words and word pairs of each part are among all; last those of the lexicon, if any."""
    from paragold.aligners.shards import Places

    for number in range(len(plan.reads) + bool(_Setup(plan.settings).parameters.lexicon)):
        yield Places(**load(place(folder, "join", 0) / f"places-{number:06}.npz")[0])


def _save_states(inside: Path, state: State, places: Iterable[Places]) -> None:
    """Write of a state what each part needs of it to count."""
    from paragold.aligners.shards import part_of

    for number, own in enumerate(places):
        totals = state.source_totals[own.sources], state.target_totals[own.targets]
        part = replace(
            state, tables=part_of(state.tables, own), source_totals=totals[0], target_totals=totals[1]
        )
        part.save(inside / f"state-{number:06}.npz")


def _state_path(folder: Path, iteration: int, number: int) -> Path:
    """Where a part's state after so many iterations is."""
    return place(folder, f"add-{iteration}" if iteration else "join", 0) / f"state-{number:06}.npz"


def _count(iteration: int, plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the expected counts of a part; the last one is the lexicon, each word with itself."""
    from paragold.aligners.shards import Places, Sums, lexicon
    from paragold.aligners.training import State

    setup = _Setup(plan.settings)
    if number < len(plan.reads):
        pairs = _pairs(plan, number)
    else:
        words, _ = _load_words(place(folder, "join", 0) / "lexicon.npz")
        pairs = lexicon(words.sources.words)
    shard, state = setup.shard(pairs), State.load(_state_path(folder, iteration - 1, number))
    own = shard.word_pairs
    sums = Sums.zeros(own)
    sums.add(
        shard.counts(state.tables, state.jumps, model=setup.model_of(iteration)),
        Places(*(np.arange(len(part)) for part in (own.sources, own.targets, own.entries))),
    )
    numbers = {one.name: getattr(sums, one.name) for one in fields(Sums)}
    save(inside / "counts.npz", numbers, {}, compressed=False)
    return {}


def _add(iteration: int, plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the state after an iteration; after the last one the aligner and its counts."""
    from paragold.aligners.extension import Counts
    from paragold.aligners.registry import save_aligner
    from paragold.aligners.shards import Sums
    from paragold.aligners.training import State, after, model_of

    setup = _Setup(plan.settings)
    words, frequencies = _load_words(place(folder, "join", 0) / "words.npz")
    total = Sums.zeros(words)
    for part, places in enumerate(_places(plan, folder)):
        numbers, _ = load(place(folder, f"count-{iteration}", part) / "counts.npz")
        total.add(Sums(*[numbers[one.name] for one in fields(Sums)]), places)
    # Of the state before, only the jumps and the list of iterations are needed, which all parts have.
    state = State.load(_state_path(folder, iteration - 1, 0))
    state = after(state, total, setup.estimator(words), model=setup.model_of(iteration))
    if iteration < setup.iterations:
        _save_states(inside, state, _places(plan, folder))
        return {}
    model = model_of(state, words, frequencies, setup.parameters, setup.relations)
    save_aligner(inside / "aligner.npz", setup.method.aligner(model, setup.recipe.parameters))
    Counts(setup.recipe, words, total, frequencies, state.iterations).save(inside / "counts.npz")
    return {}
