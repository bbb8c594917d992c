"""How many of the pairs that an extraction found are paraphrases, estimated from what people judged.

Dolan, Quirk & Brockett (2004), section 3.1.1: 26.3 % of F2 were full, 33.7 % partial paraphrases.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import SCHEME_LABELS, Batch, GoldSet
from corpus.models import Extraction, Finding
from paragold.agreement.label_shares import LabelShare, label_shares
from paragold.sampling.strata import distance_bin
from paragold.sampling.strategy import RANDOM, REJECTED

VERSION = 1
Shares = dict[str, LabelShare]


@dataclass(frozen=True, slots=True)
class PrecisionReport:
    """Shares of the labels by extraction and by bin of the edit distance.

    `counted` of the gold set's `pairs` were drawn at random; the others say nothing of an extraction.
    """

    labels: tuple[str, ...]
    pairs: int
    counted: int
    extractions: list[tuple[Extraction, Shares]]
    distances: list[tuple[str, Shares]]
    signature: str


def drawn_at_random(batch: Batch) -> bool:
    """Whether every pair of the batch's dataset was as likely to be drawn as any other."""
    return batch.sampling.get("by", RANDOM) == RANDOM and not batch.sampling.get("per_cluster")


def extraction_precision(gold_set: GoldSet) -> PrecisionReport:
    """The shares of a gold set's labels among the pairs that each extraction found.

    Only pairs from random draws count, each two texts once, and for an extraction only those drawn from a
    dataset that it belongs to: what another method happened to find too is no sample of it.
    """
    batches = {batch.pk: batch for batch in gold_set.batches.all() if drawn_at_random(batch)}
    extractions = _extractions_of(batches.values())
    rows = (
        gold_set.judgements.filter(item__batch__in=batches)
        .exclude(item__stratum=REJECTED)
        .values_list(
            "label", "item__batch_id", "item__pair_id", "item__pair__content_key", "item__pair__edit_distance"
        )
    )
    found_by: dict[int, set[int]] = defaultdict(set)
    findings = Finding.objects.filter(
        pair__in=gold_set.judgements.order_by().values("item__pair"),
        extraction__in={pk for of_batch in extractions.values() for pk in of_batch},
    )
    for pair, extraction in findings.values_list("pair_id", "extraction_id"):
        found_by[pair].add(extraction)
    by_extraction: list[tuple[int, str]] = []
    by_distance: list[tuple[int, str]] = []
    seen = set()
    for label, batch, pair, key, distance in rows:
        if key in seen:
            continue
        seen.add(key)
        by_distance.append((distance, label))
        by_extraction += [(extraction, label) for extraction in found_by[pair] & extractions[batch]]
    labels = tuple(str(label) for label in SCHEME_LABELS[gold_set.scheme])
    methods = label_shares(by_extraction, labels)
    known = Extraction.objects.in_bulk(list(methods))
    bins = label_shares(((distance_bin(distance), label) for distance, label in sorted(by_distance)), labels)
    return PrecisionReport(
        labels=labels,
        pairs=gold_set.counts["pairs"],
        counted=len(seen),
        extractions=[(known[pk], methods[pk]) for pk in sorted(methods)],
        distances=list(bins.items()),
        signature=f"precision|version:{VERSION}|gold:{gold_set}|random-draws-only|pairs:{len(seen)}|interval:wilson,95%",
    )


def _extractions_of(batches: Iterable[Batch]) -> dict[int, set[int]]:
    """By batch id, the extractions of the dataset that it was drawn from."""
    found: dict[int, set[int]] = {}
    for batch in batches:
        found[batch.pk] = (
            set(batch.dataset.extractions.values_list("pk", flat=True)) if batch.dataset else set()
        )
    return found
