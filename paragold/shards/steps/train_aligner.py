"""The step `train-aligner`: expected counts of each part, added up after every iteration.

The counts are whole numbers (docs/adr/0024), so that the aligner has the bytes of one that was trained in one
process. A part's words and word pairs are numbered by themselves; the task `join` numbers those of all. It
and the tasks that add up write the probabilities of each part into a file, which is what a count reads. They
hold the words of all parts and a range of their word pairs (`aligners.joined_words`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from paragold.formats.model_files import load, save
from paragold.shards.commits import place, record
from paragold.shards.plan import Plan
from paragold.shards.steps.align import tokens_of
from paragold.shards.steps.step import Asked, Stage, Step, pair_batches
from paragold.spec import Spec, SpecError, param

if TYPE_CHECKING:
    from paragold.aligners.expectation_maximisation import Estimator
    from paragold.aligners.joined_words import Both, JoinedWords
    from paragold.aligners.method import Pair
    from paragold.aligners.shards import Shard, Sums, WordPairs
    from paragold.aligners.training import State

_WITHOUT_LINKS = ("null_forward", "null_backward", "jumps", "likelihoods")


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
        joined = record(folder, "join", 0)
        return {name: joined[name] for name in ("source_words", "target_words", "word_pairs")}


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


def _list_words(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the word pairs of a part and how often each word occurs."""
    from paragold.aligners.joined_words import save_words

    pairs = _pairs(plan, number)
    shard = _Setup(plan.settings).shard(pairs)
    save_words(inside / "words.npz", shard.word_pairs)
    return {"pairs": len(pairs)}


def _join(plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the word pairs of all parts together, and the state before the first iteration."""
    from paragold.aligners.cooccurrences import Vocabulary
    from paragold.aligners.joined_words import join, load_words, save_words
    from paragold.aligners.shards import lexicon
    from paragold.aligners.training import first_state

    setup = _Setup(plan.settings)
    parts = [place(folder, "words", n) / "words.npz" for n in range(len(plan.reads))]
    first, second = set[str](), set[str]()
    for path in parts:
        own = load_words(path)
        first.update(own.sources.numbers)
        second.update(own.targets.numbers)
    if setup.parameters.lexicon:
        first = second = first | second
        parts.append(inside / "lexicon.npz")
        shard = setup.shard(lexicon(first))
        save_words(parts[-1], shard.word_pairs)
    sources = Vocabulary(sorted(first))
    targets = sources if setup.parameters.one_language else Vocabulary(sorted(second))
    joined, size = join(inside, parts, sources, targets, setup.estimator)
    state = first_state(joined.words, joined.estimator)
    with TemporaryDirectory(dir=inside) as scratch:
        # As in `Estimator.start`: every word that occurs with another as likely as the next.
        _, probabilities = joined.probabilities(
            Path(scratch), lambda _, size: np.ones((size, 2), dtype=np.float32)
        )
        _save_states(inside, joined, state, probabilities)
    return {"source_words": len(sources), "target_words": len(targets), "word_pairs": size}


def _save_states(inside: Path, joined: JoinedWords, state: State, probabilities: Iterable[Both]) -> None:
    """Write what each part counts with: of a state without word pairs, and of their probabilities."""
    from paragold.aligners.joined_words import append
    from paragold.aligners.shards import part_of

    parts = range(len(joined.edges))
    for part in parts:
        own = joined.places(part)
        totals = state.source_totals[own.sources], state.target_totals[own.targets]
        tables = part_of(state.tables, own)
        of_part = replace(state, tables=tables, source_totals=totals[0], target_totals=totals[1])
        of_part.save(inside / f"state-{part:06}.npz")
        (inside / f"tables-{part:06}").touch()
    for number, both in enumerate(probabilities):
        for part in parts:
            append(inside / f"tables-{part:06}", both[joined.entries(part, number)])


def _count(iteration: int, plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the expected counts of a part; the last one is the lexicon, each word with itself."""
    from paragold.aligners.joined_words import append, load_words, read
    from paragold.aligners.shards import lexicon
    from paragold.aligners.training import State

    setup = _Setup(plan.settings)
    if number < len(plan.reads):
        pairs = _pairs(plan, number)
    else:
        words = load_words(place(folder, "join", 0) / "lexicon.npz")
        pairs = lexicon(words.sources.words)
    shard, before = setup.shard(pairs), _before(folder, iteration)
    state = State.load(before / f"state-{number:06}.npz")
    size = len(shard.word_pairs.entries)
    both = read(before / f"tables-{number:06}", np.float32, 0, size, width=2)
    tables = state.tables._replace(forward=both[:, 0], backward=both[:, 1])
    counts = shard.counts(tables, state.jumps, model=setup.model_of(iteration))
    append(inside / "links", np.column_stack(counts.whole()))
    numbers = {name: getattr(counts, name) for name in _WITHOUT_LINKS}
    save(inside / "counts.npz", numbers, {}, compressed=False)
    return {}


def _before(folder: Path, iteration: int) -> Path:
    """Where the states of the parts before an iteration are."""
    return place(folder, f"add-{iteration - 1}" if iteration > 1 else "join", 0)


def _add(iteration: int, plan: Plan, folder: Path, number: int, inside: Path) -> dict[str, Any]:
    """Write the state after an iteration; after the last one the aligner and its counts."""
    from paragold.aligners.expectation_maximisation import LINKS_UNIT
    from paragold.aligners.joined_words import NONE, JoinedWords, append, read
    from paragold.aligners.shards import Sums
    from paragold.aligners.training import State, after

    setup, joined = _Setup(plan.settings), JoinedWords.load(place(folder, "join", 0))
    counted = [place(folder, f"count-{iteration}", part) for part in range(len(joined.edges))]
    sums = Sums.zeros(joined.words)
    for part, path in enumerate(counted):
        sums.add(Sums(NONE, NONE, **load(path / "counts.npz")[0]), joined.places(part))
    # Of the state before, only the jumps and the list of iterations are needed, which all parts have.
    state = State.load(_before(folder, iteration) / "state-000000.npz")
    state = after(state, sums, joined.estimator, model=setup.model_of(iteration))
    with TemporaryDirectory(dir=inside) as name:
        scratch = Path(name)
        append(scratch / "links", NONE)

        def links(number: int, size: int) -> np.ndarray:
            """The expected counts of the word pairs of a range in all parts."""
            total = np.zeros((size, 2), dtype=np.int64)
            for part, path in enumerate(counted):
                own = read(path / "links", np.int64, *joined.between(part, number), width=2)
                total[joined.entries(part, number)] += own
            append(scratch / "links", total)
            return (total * LINKS_UNIT).astype(np.float32)

        totals, probabilities = joined.probabilities(scratch, links)
        state = replace(state, source_totals=totals[0], target_totals=totals[1])
        if iteration < setup.iterations:
            _save_states(inside, joined, state, probabilities)
            return {}
        forward, backward = np.concatenate([np.zeros((0, 2), dtype=np.float32), *probabilities]).T
        state = replace(state, tables=state.tables._replace(forward=forward, backward=backward))
        forward, backward = read(scratch / "links", np.int64, 0, len(forward), width=2).T
        sums = replace(sums, forward=forward, backward=backward)
    _save_aligner(setup, joined, state, sums, inside)
    return {}


def _save_aligner(setup: _Setup, joined: JoinedWords, state: State, sums: Sums, inside: Path) -> None:
    """Write the aligner and its counts, with the numbers of all word pairs in memory."""
    from paragold.aligners.extension import Counts
    from paragold.aligners.registry import save_aligner
    from paragold.aligners.training import model_of

    words = joined.with_word_pairs()
    model = model_of(state, words, setup.parameters, setup.relations)
    save_aligner(inside / "aligner.npz", setup.method.aligner(model, setup.recipe.parameters))
    Counts(setup.recipe, words, sums, state.iterations).save(inside / "counts.npz")
