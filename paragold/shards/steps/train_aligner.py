"""The step `train-aligner`: expected counts of each part, added up after every iteration.

The counts are whole numbers (docs/adr/0024), so that the aligner has the bytes of one that was trained in one
process. A part's words and word pairs are numbered by themselves; the task `join` numbers those of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paragold.formats.model_files import load, save
from paragold.shards.commits import place
from paragold.shards.plan import Plan
from paragold.shards.steps.align import tokens_of
from paragold.shards.steps.step import Asked, Step, pair_batches
from paragold.spec import Spec, SpecError, param

if TYPE_CHECKING:
    from paragold.aligners.method import Pair
    from paragold.aligners.registry import Recipe
    from paragold.aligners.shards import Shard, Sums, WordPairs
    from paragold.aligners.statistical import ModelMethod

AT = "{}.npz"
AllWords = tuple["WordPairs", "tuple[np.ndarray, np.ndarray]"]


class TrainAlignerSpec(Spec):
    """Which aligner is trained; `set` of a plan file has its own parameters."""

    aligner: str = param("best", "Aligner", "One that counts: best, hmm or ibm1.")


class TrainAligner(Step):
    """A stored aligner and its expected counts, as `train-alignment` writes them."""

    id, label = "train-aligner", "train a word aligner"
    reads, gives = "pairs", "aligner"
    parameters = TrainAlignerSpec
    stages = {
        "words": "list the word pairs of each part",
        "join": "number the word pairs of all parts",
        "count-": "count, iteration",
        "add-": "add the counts up, iteration",
    }

    def check(self, values: Spec, more: Mapping[str, Any]) -> None:
        from paragold.aligners.registry import Recipe

        try:
            _method(Recipe.of({**values.as_json(), **more}))
        except SpecError as error:
            raise SpecError(
                [("set" if name in more else name, text) for name, text in error.problems]
            ) from error
        except ValueError as error:
            raise SpecError([("aligner", str(error))]) from error

    def plan(self, asked: Asked) -> Plan:
        from paragold.aligners.registry import Recipe

        settings = Recipe.of({**asked.values.as_json(), **asked.more}).as_json()
        return super().plan(Asked(asked.inputs, asked.values, settings))

    def tasks(self, plan: Plan) -> dict[str, int]:
        recipe, parts = recipe_of(plan), len(plan.reads)
        tasks = {"words": parts, "join": 1}
        counted = parts + _has_lexicon(recipe)
        for number in range(1, _method(recipe).iterations(recipe.parameters) + 1):
            tasks |= {f"count-{number}": counted, f"add-{number}": 1}
        return tasks

    def needs(self, plan: Plan, stage: str) -> list[str]:
        if stage in ("words", "join"):
            return ["words"] if stage == "join" else []
        kind, _, number = stage.partition("-")
        before = f"add-{int(number) - 1}" if int(number) > 1 else "join"
        return ["words", "join", before, *([f"count-{number}"] if kind == "add" else [])]

    def work(self, plan: Plan, folder: Path, stage: str, number: int, inside: Path) -> dict[str, Any]:
        kind, _, iteration = stage.partition("-")
        if kind == "words":
            return _list_words(plan, number, inside)
        if kind == "join":
            return _join(plan, folder, inside)
        if kind == "count":
            return _count(plan, folder, int(iteration), number, inside)
        return _add(plan, folder, int(iteration), inside)

    def described(self, folder: Path, plan: Plan, files: Mapping[str, Any]) -> dict[str, Any]:
        from paragold.aligners.extension import Counts

        counts = Counts.load(folder / "counts.npz")
        words = counts.words
        numbers = {
            "source_words": len(words.sources),
            "target_words": len(words.targets),
            "word_pairs": len(words.entries),
        }
        return {"counts": numbers, "details": {"settings": plan.settings}}


def recipe_of(plan: Plan) -> Recipe:
    from paragold.aligners.registry import Recipe

    return Recipe.of(plan.settings)


def _method(recipe: Recipe) -> ModelMethod:
    from paragold.aligners.extension import counting_method

    return counting_method(recipe)


def _has_lexicon(recipe: Recipe) -> bool:
    return bool(_method(recipe).training_parameters(recipe.parameters).lexicon)


def _pairs(plan: Plan, number: int) -> list[Pair]:
    from paragold.aligners.shards import usable

    return usable([pair for batch in pair_batches(plan.inputs[number]) for pair in tokens_of(batch)])


def _shard(plan: Plan, pairs: list[Pair]) -> Shard:
    from paragold.aligners.shards import Shard

    recipe = recipe_of(plan)
    return Shard(pairs, _method(recipe).training_parameters(recipe.parameters))


def _save_words(path: Path, words: WordPairs, frequencies: tuple[Any, Any], pairs: int) -> None:
    numbers = {
        "keys": words.keys,
        "sources": words.sources.as_bytes(),
        "targets": words.targets.as_bytes(),
        "source_frequencies": frequencies[0],
        "target_frequencies": frequencies[1],
    }
    save(path, numbers, {"shared": words.entries.shared, "pairs": pairs}, compressed=False)


def _load_words(path: Path) -> AllWords:
    from paragold.aligners.cooccurrences import Vocabulary
    from paragold.aligners.shards import WordPairs, entries_of

    numbers, description = load(path)
    sources = Vocabulary.of_bytes(numbers["sources"])
    targets = sources if description["shared"] else Vocabulary.of_bytes(numbers["targets"])
    entries = entries_of(numbers["keys"], len(sources), len(targets), shared=description["shared"])
    frequencies = numbers["source_frequencies"], numbers["target_frequencies"]
    return WordPairs(sources, targets, entries), frequencies


def _list_words(plan: Plan, number: int, inside: Path) -> dict[str, Any]:
    """Write the word pairs of a part and how often each word occurs."""
    pairs = _pairs(plan, number)
    shard = _shard(plan, pairs)
    _save_words(inside / "words.npz", shard.word_pairs, shard.frequencies, len(pairs))
    return {"pairs": len(pairs)}


def _join(plan: Plan, folder: Path, inside: Path) -> dict[str, Any]:
    """Write the word pairs of all parts together, and the state before the first iteration."""
    from paragold.aligners.shards import WordPairs, lexicon
    from paragold.aligners.training import estimator, first_state

    parts = [_load_words(place(folder, "words", n) / "words.npz") for n in range(len(plan.reads))]
    recipe = recipe_of(plan)
    if _has_lexicon(recipe):
        known = {
            word for words, _ in parts for side in (words.sources, words.targets) for word in side.numbers
        }
        shard = _shard(plan, lexicon(known))
        parts.append((shard.word_pairs, shard.frequencies))
    words = WordPairs.union([own for own, _ in parts])
    frequencies = tuple(np.zeros(len(side), dtype=np.int64) for side in (words.sources, words.targets))
    for own, of_part in parts:
        for total, places, counts in zip(frequencies, own.places_in(words)[:2], of_part, strict=True):
            total[places] += counts
    both = frequencies[0], frequencies[1]
    _save_words(inside / "words.npz", words, both, 0)
    method = _method(recipe)
    maximisation = estimator(
        words, method.training_parameters(recipe.parameters), method.relations(recipe.parameters)
    )
    first_state(words, maximisation, both).save(inside / "state.npz")
    return {"word_pairs": len(words.entries)}


def _state_path(folder: Path, iteration: int) -> Path:
    """Where the state after so many iterations is."""
    return place(folder, f"add-{iteration}" if iteration else "join", 0) / "state.npz"


def _model_of(plan: Plan, iteration: int) -> str:
    recipe = recipe_of(plan)
    ibm1 = _method(recipe).training_parameters(recipe.parameters).ibm1_iterations
    return "ibm1" if iteration <= ibm1 else "hmm"


def _count(plan: Plan, folder: Path, iteration: int, number: int, inside: Path) -> dict[str, Any]:
    """Write the expected counts of a part; the last one is the lexicon, each word with itself."""
    from paragold.aligners.shards import Places, Sums, lexicon, part_of
    from paragold.aligners.training import State

    words, _ = _load_words(place(folder, "join", 0) / "words.npz")
    if number < len(plan.reads):
        pairs = _pairs(plan, number)
    else:
        pairs = lexicon({*words.sources.numbers, *words.targets.numbers})
    shard, state = _shard(plan, pairs), State.load(_state_path(folder, iteration - 1))
    own = shard.word_pairs
    tables = part_of(state.tables, own.places_in(words))
    counts = shard.counts(tables, state.jumps, model=_model_of(plan, iteration))
    sums = Sums.zeros(own)
    sums.add(counts, Places(*(np.arange(len(part)) for part in (own.sources, own.targets, own.entries))))
    numbers = {one.name: getattr(sums, one.name) for one in fields(Sums)}
    keys = {"places": own.places_in(words).entries}
    sides = {"source_places": own.places_in(words).sources, "target_places": own.places_in(words).targets}
    save(inside / "counts.npz", {**numbers, **keys, **sides}, {}, compressed=False)
    return {}


def _add(plan: Plan, folder: Path, iteration: int, inside: Path) -> dict[str, Any]:
    """Write the state after an iteration; after the last one the aligner and its counts."""
    from paragold.aligners.extension import Counts
    from paragold.aligners.registry import save_aligner
    from paragold.aligners.shards import Places, Sums
    from paragold.aligners.training import State, after, estimator, model_of

    recipe = recipe_of(plan)
    method = _method(recipe)
    parameters, relations = method.training_parameters(recipe.parameters), method.relations(recipe.parameters)
    words, frequencies = _load_words(place(folder, "join", 0) / "words.npz")
    total = Sums.zeros(words)
    stage = f"count-{iteration}"
    tasks = TrainAligner().tasks(plan)
    for number in range(tasks[stage]):
        numbers, _ = load(place(folder, stage, number) / "counts.npz")
        places = Places(numbers["source_places"], numbers["target_places"], numbers["places"])
        part: Sums = Sums(*[numbers[one.name] for one in fields(Sums)])
        total.add(part, places)
    state = State.load(_state_path(folder, iteration - 1))
    state = after(state, total, estimator(words, parameters, relations), model=_model_of(plan, iteration))
    if f"add-{iteration + 1}" in tasks:
        state.save(inside / "state.npz")
        return {}
    model = model_of(state, words, frequencies, parameters, relations)
    save_aligner(inside / "aligner.npz", method.aligner(model, recipe.parameters))
    Counts(recipe, words, total, frequencies, state.iterations).save(inside / "counts.npz")
    return {}
