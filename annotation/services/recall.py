"""What share of all paraphrases extractions find, from gold sets whose batches hold rejected pairs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from annotation.models import Batch, GoldSet, Label
from corpus.models import Extraction, Finding, HeldOut
from paragold.agreement.recall import RecallEstimate, Sampled, recall_estimate, signature
from paragold.sampling.strategy import REJECTED

from .precision import drawn_at_random


@dataclass(frozen=True, slots=True)
class BatchRecall:
    """One batch's samples: of its dataset, and of the sentence pairs of the same clusters outside of it.

    `whole` is the recall of the dataset, `extractions` that of each method it is made of.
    """

    batch: Batch
    accepted: Sampled
    rejected: Sampled
    whole: RecallEstimate
    extractions: list[tuple[Extraction, RecallEstimate]]
    signature: str


def recall_estimates(gold_set: GoldSet) -> list[BatchRecall]:
    """For each batch of plain random draws that holds rejected pairs, judged ones of both kinds."""
    batches = gold_set.batches.select_related("dataset").order_by("pk")
    return [found for batch in batches if (found := _of_batch(gold_set, batch)) is not None]


def _of_batch(gold_set: GoldSet, batch: Batch) -> BatchRecall | None:
    strata = {stratum["stratum"]: stratum for stratum in batch.sampling.get("strata", [])}
    source = strata.get(REJECTED)
    if batch.dataset is None or source is None or not drawn_at_random(batch):
        return None
    positive: dict[bool, list[int]] = {True: [], False: []}
    judged = {True: 0, False: 0}
    rows = gold_set.judgements.filter(item__batch=batch).values_list("item__stratum", "item__pair", "label")
    for stratum, pair, label in rows:
        rejected = stratum == REJECTED
        judged[rejected] += 1
        if label == Label.PARAPHRASE:
            positive[rejected].append(pair)
    if not judged[True] or not judged[False]:
        return None
    pairs = batch.dataset.pairs()
    if batch.sampling["clusters"] != HeldOut.ALL:
        pairs = pairs.filter(cluster__held_out=batch.sampling["clusters"] == HeldOut.ONLY)
    # Of the sentence pairs that were looked at, some are in the dataset or the same text twice.
    outside = round(source["sentence_pairs"] * source["drawn"] / source["looked_at"])
    accepted = Sampled(len(positive[False]), judged[False], max(pairs.count(), judged[False]))
    rejected_sample = Sampled(len(positive[True]), judged[True], max(outside, judged[True]))
    found_by: dict[int, set[int]] = defaultdict(set)
    findings = Finding.objects.filter(
        pair__in=positive[False], extraction__in=batch.dataset.extractions.values("pk")
    )
    for extraction, pair in findings.values_list("extraction", "pair"):
        found_by[extraction].add(pair)
    return BatchRecall(
        batch=batch,
        accepted=accepted,
        rejected=rejected_sample,
        whole=recall_estimate(accepted, rejected_sample),
        extractions=[
            (method, recall_estimate(accepted, rejected_sample, by_method=len(found_by[method.pk])))
            for method in batch.dataset.extractions.order_by("pk")
        ],
        signature=f"{signature()}|gold:{gold_set}|batch:{batch.name}",
    )
