"""Where gold links came from: the pairs, whose hand or file drew the links, which aligners suggested them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from django.db.models import Count

from alignment.models import Origin, WordLink
from annotation.models import AssignmentState, Batch

NOT_KNOWN = "not known"


def lineage_of(batch: Batch, items: Collection[int]) -> dict[str, Any]:
    """What the links that annotators submitted for items of a batch go back to, as JSON.

    `pairs` names the gold set or the file that the pairs are from; `origins` counts the annotators' links
    by origin, `suggested_by` those that were accepted, by the signature of the aligner.
    """
    rows = (
        WordLink.objects.filter(
            alignment__assignment__item__in=list(items),
            alignment__assignment__state=AssignmentState.DONE,
        )
        .order_by()
        .values_list("origin", "suggested_by__signature")
        .annotate(Count("pk"))
    )
    origins: Counter[str] = Counter()
    suggested_by: Counter[str] = Counter()
    for origin, signature, links in rows:
        origins[origin] += links
        if origin == Origin.ACCEPTED:
            suggested_by[signature or NOT_KNOWN] += links
    return {
        "batch": batch.name,
        "pairs": pairs_of(batch),
        "origins": dict(sorted(origins.items())),
        "suggested_by": dict(sorted(suggested_by.items())),
    }


def pairs_of(batch: Batch) -> dict[str, str]:
    """The gold set, or the imported file with its hash, that a linking batch has its pairs from."""
    if batch.corpus_import is not None:
        return {"file": batch.corpus_import.filename, "sha256": batch.corpus_import.sha256}
    if batch.gold_set is None:
        return {}
    return {"gold_set": str(batch.gold_set), "signature": batch.gold_set.signature}
