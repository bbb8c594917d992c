"""The folds that a gold alignment set's pairs are held out in."""

from __future__ import annotations

from alignment.models import GoldAlignmentSet
from alignment.services.gold_links import linked_pairs
from paragold.aligners.cross_validation import folds, groups_of
from paragold.aligners.recipe import Recipe


def gold_folds(recipe: Recipe, gold_set: GoldAlignmentSet) -> list[list[int]]:
    """The numbers of the pairs of each fold, in the order of `linked_pairs`."""
    pairs = ((pair.tokens.source, pair.tokens.target) for pair in linked_pairs(gold_set))
    return folds(groups_of(pairs), seed=recipe.seed)
