"""What one row of an experiment's table trains, and the links that it draws on the test sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from alignment.models import ExperimentRow
from corpus.errors import PublicError
from paragold.aligners.recipe import Recipe
from paragold.aligners.registry import Pair, aligner
from paragold.metrics.links import Link, LinkedPair

from .gold_links import linked_pairs

if TYPE_CHECKING:
    from paragold.aligners.translation_model import TranslationModel

LinkLists = list[list[Link]]
TestSets = Sequence[Sequence[Pair]]


def texts_of(gold: Sequence[LinkedPair]) -> list[Pair]:
    return [(one.tokens.source, one.tokens.target) for one in gold]


def draw(row: ExperimentRow, pairs: Sequence[Pair], tests: TestSets) -> tuple[list[LinkLists], str]:
    """The links of every test set by an aligner trained on `pairs`, and its signature.

    Raises PublicError for a program that is missing or fails.
    """
    if row.dataset is None:
        method = aligner(row.aligner)
        return [[method.align(*pair) for pair in test] for test in tests], method.signature
    recipe = Recipe.of(row.parameters)
    if recipe.by_program:
        return _by_program(recipe, pairs, tests)
    gold = linked_pairs(row.taught_by) if row.taught_by else []
    model = train_model(recipe, [*pairs, *texts_of(gold)])
    if gold:
        return _taught(recipe, model, gold, tests)
    trained = recipe.finish(model)
    return [trained.align_all(test) for test in tests], trained.signature


def train_model(recipe: Recipe, pairs: Sequence[Pair]) -> TranslationModel:
    """The translation model of a recipe, trained on these pairs here and now."""
    training = recipe.training(pairs)
    state = training.start()
    for _ in range(training.iterations):
        state = training.advance(state)
    return training.model(state)


def _by_program(recipe: Recipe, pairs: Sequence[Pair], tests: TestSets) -> tuple[list[LinkLists], str]:
    from paragold.aligners.program_aligner import drawn
    from paragold.aligners.program_runs import ProgramError

    trained = recipe.program(pairs)
    try:
        # One run for all: a program trains anew each time.
        found = trained.align_all([pair for test in tests for pair in test])
    except ProgramError as error:
        raise PublicError(str(error)) from error
    links = iter(found)
    return [list(islice(links, len(test))) for test in tests], f"{trained.signature}|{drawn(found)}"


def _taught(
    recipe: Recipe, model: TranslationModel, gold: list[LinkedPair], tests: TestSets
) -> tuple[list[LinkLists], str]:
    """Links by a classifier that never learned from the gold links of the pair at hand.

    Pairs that are among those learned from, by their text, are held out in folds; all others are linked by
    what was learned from all.
    """
    from paragold.aligners.best import STRENGTH, evidence_of
    from paragold.aligners.cross_validation import folds, groups_of, held_out_links
    from paragold.aligners.link_classifier import fit
    from paragold.aligners.statistical import batches

    answers = [one.links for one in gold]
    candidates = [found for batch in batches(texts_of(gold)) for found in evidence_of(model, batch)]
    try:
        classifier = fit(candidates, answers, strength=STRENGTH, without=recipe.without)
    except ValueError as error:
        raise PublicError(f"Nothing can be learned: {error}.") from error
    trained = recipe.finish(model, classifier)
    places = {_key(pair): number for number, pair in enumerate(texts_of(gold))}
    wanted = {places[_key(pair)] for test in tests for pair in test if _key(pair) in places}
    known: dict[int, list[Link]] = {}
    groups = groups_of(texts_of(gold))
    for fold, held_out in enumerate(folds(groups, seed=recipe.seed)):
        if wanted & set(held_out):
            known |= held_out_links(
                candidates,
                answers,
                groups=groups,
                fold=fold,
                size=len(gold),
                seed=recipe.seed,
                without=recipe.without,
            )
    drawn = []
    for test in tests:
        links = trained.align_all(test)
        drawn.append(
            [
                known[places[_key(pair)]] if _key(pair) in places else found
                for pair, found in zip(test, links, strict=True)
            ]
        )
    return drawn, f"{trained.signature}|held-out:{len(wanted)}"


def _key(pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(pair[0]), tuple(pair[1])
