"""The items on which annotators differ, to be reviewed or adjudicated."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT", bound=Hashable)
AnnotatorT = TypeVar("AnnotatorT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Disagreement(Generic[ItemT, AnnotatorT]):
    """One item with every label that was given to it, in the order of the annotators."""

    item: ItemT
    labels: tuple[tuple[AnnotatorT, str], ...]


def disagreements(
    judgements: Mapping[ItemT, Mapping[AnnotatorT, str | None]],
) -> list[Disagreement[ItemT, AnnotatorT]]:
    """The items with at least two different labels, in the order given; None is a missing label."""
    found = []
    for item, answers in judgements.items():
        labels = tuple((annotator, label) for annotator, label in answers.items() if label is not None)
        if len({label for _, label in labels}) > 1:
            found.append(Disagreement(item, labels))
    return found


def label_table(
    judgements: Mapping[ItemT, Mapping[AnnotatorT, str | None]],
) -> tuple[list[AnnotatorT], list[list[str | None]]]:
    """The annotators, in order of first appearance, and one row of their labels per item.

    The rows, of shape (items, annotators) with None where a label is missing, are what the coefficients
    take; a column is what Cohen's kappa takes.
    """
    annotators = list(dict.fromkeys(annotator for answers in judgements.values() for annotator in answers))
    return annotators, [
        [answers.get(annotator) for annotator in annotators] for answers in judgements.values()
    ]
