"""From the texts of a dataset to the word pairs of a lexicon."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from corpus.models import Dataset

if TYPE_CHECKING:
    from paragold.classification.association import Association

ROWS_AT_ONCE = 2_000


def texts_of(dataset: Dataset) -> Iterator[tuple[str, str]]:
    """The texts of a dataset's pairs, in an order that depends on the texts alone."""
    rows = dataset.pairs().order_by("content_key", "pk")
    yield from rows.values_list("sentence_a__text", "sentence_b__text").iterator(chunk_size=ROWS_AT_ONCE)


def associate_dataset(
    dataset: Dataset, parameters: Mapping[str, Any], *, without: Collection[frozenset[str]] = ()
) -> list[Association]:
    """Word association over a dataset, apart from pairs whose two texts are among `without`.

    parameters: "ranks", the most word pairs that are kept; "min_together", in how many sentence pairs they
    face each other at least; "min_score", the least log-likelihood ratio.
    """
    from paragold.classification.association import associate

    texts = (pair for pair in texts_of(dataset) if frozenset(pair) not in without)
    found = associate(texts, ranks=parameters["ranks"], min_together=parameters["min_together"])
    return [one for one in found if one.score >= parameters["min_score"]]
