"""Refined datasets: those pairs of another one that a classifier accepted (Brockett and Dolan 2005, 4.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from django.db import transaction

from corpus.models import Dataset, DatasetPair
from projects.errors import PublicError

ROWS_AT_ONCE = 5_000


@transaction.atomic
def freeze_refined_dataset(
    *, source: Dataset, name: str, pairs: Iterable[int], refinement: Mapping[str, object]
) -> Dataset:
    """Freeze `pairs` (ids, each once, all of them in `source`) as a dataset of the same project.

    `refinement` says in plain JSON values what chose them and becomes part of the signature. Raises
    PublicError for a name that is empty or taken, and when there is no pair.
    """
    name = name.strip()
    if not name:
        raise PublicError("A dataset needs a name.", field="name")
    if source.project.datasets.filter(name=name).exists():
        raise PublicError(f"A dataset called {name!r} exists; choose another name.", field="name")
    chosen = json.dumps(dict(refinement), sort_keys=True, separators=(",", ":"))
    dataset = Dataset.objects.create(
        project_id=source.project_id,
        name=name,
        held_out=source.held_out,
        criteria=source.criteria,
        refined_from=source,
        refinement=dict(refinement),
        size=0,
        signature=f"{source.signature}|refined[{chosen}]",
    )
    dataset.extractions.set(source.extractions.all())
    members = [DatasetPair(dataset=dataset, pair_id=pair) for pair in pairs]
    if not members:
        raise PublicError("No pair is accepted, so there is no dataset. Choose a lower threshold.")
    DatasetPair.objects.bulk_create(members, batch_size=ROWS_AT_ONCE)
    dataset.size = len(members)
    dataset.save(update_fields=["size"])
    return dataset
