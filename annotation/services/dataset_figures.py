"""Estimates over extractions and datasets from judgements: precision, recall, phenomena of paraphrases.

The share of an extraction's pairs that are paraphrases, and the share of all paraphrases that it finds, are
estimated from the judged pairs. Dolan, Quirk & Brockett (2004), section 3.1.1: 26.3 % of F2 were full,
33.7 % partial paraphrases. The mean numbers of phenomena are in the shape of their table 2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
from django.db.models import Count, Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from annotation.models import Batch, GoldSet, Item, Judgement, Phenomenon, PhenomenonCount
from annotation.schemes import COUNTED_LABELS, SCHEME_LABELS, Label
from corpus.models import Dataset, Extraction, Finding, HeldOut
from paragold.metrics.samples import (
    label_shares,
    mean_counts,
    mean_signature,
    recall_estimate,
    signature,
)
from paragold.sampling.sampling import distance_bin
from paragold.sampling.strategy import CHOSEN, RANDOM, REJECTED
from projects.models import PhenomenaScope

VERSION = 2


def drawn_at_random(batch: Batch) -> bool:
    """Whether every pair of the batch's dataset was as likely to be drawn as any other."""
    sampling = batch.sampling
    narrowed = sampling.get("per_cluster") or sampling.get("paraphrases_of")
    return sampling.get("by", RANDOM) == RANDOM and not narrowed


def extraction_precision(gold_set: GoldSet) -> dict[str, Any]:
    """The shares of a gold set's labels in its `datasets`, among the pairs that each of its `extractions`
    found, and by bin of the edit distance (`distances`): each with `shares`, as `label_share` has them.

    Only pairs from random draws count, each two texts once, and for an extraction only those drawn from a
    dataset that it belongs to: pairs drawn from another method's dataset are no sample of it. `counted` of
    the gold set's `pairs` were drawn at random. With the size of a dataset shares are projected to numbers
    of pairs, and with that of an extraction where the datasets drawn from hold all that it found.
    """
    batches = [batch for batch in gold_set.batches.select_related("dataset") if drawn_at_random(batch)]
    extractions = {
        batch.pk: set(batch.dataset.extractions.values_list("pk", flat=True)) if batch.dataset else set()
        for batch in batches
    }
    rows = (
        gold_set.judgements.filter(item__batch__in=batches)
        .exclude(item__stratum__in=(REJECTED, CHOSEN))
        .values_list(
            *("label", "item__batch_id", "item__pair__edit_distance", "item__pair_id"),
            Cast("item__pair__content_key", TextField()),  # Django takes long to make UUIDs
        )
    )
    # All that is drawn from the whole of one extraction was found by it: that need not be looked up.
    alone = {
        batch.pk: tuple(extractions[batch.pk])
        for batch in batches
        if len(extractions[batch.pk]) == 1 and _is_whole(batch.dataset)
    }
    found_by: dict[int, tuple[int, ...]] = defaultdict(tuple)
    findings = Finding.objects.filter(
        pair__in=gold_set.judgements.exclude(item__batch__in=alone).order_by().values("item__pair"),
        extraction__in={pk for of_batch in extractions.values() for pk in of_batch},
    )
    for pair, extraction in findings.values_list("pair_id", "extraction_id"):
        found_by[pair] += (extraction,)
    datasets = {batch.pk: batch.dataset for batch in batches}
    seen: set[str] = set()
    kinds: Counter[tuple[str, int, int, tuple[int, ...]]] = Counter()
    for label, batch, distance, pair, key in rows:
        if key not in seen:
            seen.add(key)
            kinds[label, batch, distance, alone.get(batch) or found_by[pair]] += 1
    by_dataset: Counter[tuple[Dataset, str]] = Counter()
    by_extraction: Counter[tuple[int, str]] = Counter()
    by_distance: Counter[tuple[int, str]] = Counter()
    for (label, batch, distance, found), number in kinds.items():
        by_distance[distance, label] += number
        if dataset := datasets[batch]:
            by_dataset[dataset, label] += number
        for extraction in extractions[batch].intersection(found):
            by_extraction[extraction, label] += number
    labels = tuple(str(label) for label in SCHEME_LABELS[gold_set.scheme])
    known = Extraction.objects.select_related("job").in_bulk({pk for pk, _ in by_extraction})
    parts = {pk for batch, own in extractions.items() for pk in own if not _is_whole(datasets[batch])}
    sizes = {pk: row.job.counts.get("pairs_kept") for pk, row in known.items() if pk not in parts}
    methods = label_shares(by_extraction, labels, {pk: size for pk, size in sizes.items() if size})
    pools = {dataset: dataset.size for dataset, _ in by_dataset}
    drawn_from = label_shares(by_dataset, labels, pools)
    in_bins: Counter[tuple[str, str]] = Counter()
    for (distance, label), number in sorted(by_distance.items()):
        in_bins[distance_bin(distance), label] += number
    bins = label_shares(in_bins, labels)
    return {
        "pairs": gold_set.counts["pairs"],
        "counted": len(seen),
        "datasets": [
            {"dataset": dataset.pk, "name": dataset.name, "shares": shares}
            for dataset, shares in drawn_from.items()
        ],
        "extractions": [
            {"extraction": pk, "name": known[pk].name, "shares": methods[pk]} for pk in sorted(methods)
        ],
        "distances": [{"edit_distance": name, "shares": shares} for name, shares in bins.items()],
        "signature": f"precision|version:{VERSION}|gold:{gold_set}|random-draws-only|pairs:{len(seen)}"
        "|interval:wilson,95%",
    }


def _is_whole(dataset: Dataset | None) -> bool:
    """Whether a dataset holds all that its extractions found."""
    return (
        dataset is not None
        and not dataset.criteria
        and dataset.refined_from_id is None
        and dataset.held_out == HeldOut.ALL
    )


def recall_estimates(gold_set: GoldSet) -> list[dict[str, Any]]:
    """For each batch of plain random draws that holds rejected pairs, judged ones of both kinds.

    `samples` are of its dataset (`accepted`) and of the sentence pairs of the same clusters outside of it
    (`rejected`); `dataset` is the recall of the dataset, `extractions` have that of each method it is made
    of, as `recall_estimate` has it.
    """
    batches = gold_set.batches.select_related("dataset").order_by("pk")
    return [recall for batch in batches if (recall := _of_batch(gold_set, batch)) is not None]


def _of_batch(gold_set: GoldSet, batch: Batch) -> dict[str, Any] | None:
    strata = {stratum["stratum"]: stratum for stratum in batch.sampling.get("strata", [])}
    source = strata.get(REJECTED)
    if batch.dataset is None or source is None or not drawn_at_random(batch):
        return None
    positive: dict[bool, list[int]] = {True: [], False: []}
    judged = {True: 0, False: 0}
    rows = gold_set.judgements.filter(item__batch=batch).exclude(item__stratum=CHOSEN)
    for stratum, pair, label in rows.values_list("item__stratum", "item__pair", "label"):
        rejected = stratum == REJECTED
        judged[rejected] += 1
        if label == Label.PARAPHRASE:
            positive[rejected].append(pair)
    if not judged[True] or not judged[False]:
        return None
    pairs = batch.dataset.pairs().of_clusters(batch.sampling["clusters"])
    # Of the sentence pairs that were looked at, some are in the dataset or the same text twice.
    outside = round(source["sentence_pairs"] * source["drawn"] / source["looked_at"])
    accepted = len(positive[False]), judged[False], max(pairs.count(), judged[False])
    rejected_sample = len(positive[True]), judged[True], max(outside, judged[True])
    findings = Finding.objects.filter(
        pair__in=positive[False], extraction__in=batch.dataset.extractions.values("pk")
    )
    found_by = dict(findings.order_by().values_list("extraction").annotate(Count("pair", distinct=True)))
    return {
        "batch": batch.pk,
        "samples": {"accepted": accepted, "rejected": rejected_sample},
        "dataset": recall_estimate(accepted, rejected_sample),
        "extractions": [
            {
                "extraction": method.pk,
                "name": method.name,
                "recall": recall_estimate(accepted, rejected_sample, by_method=found_by.get(method.pk, 0)),
            }
            for method in batch.dataset.extractions.order_by("pk")
        ],
        "signature": f"{signature()}|gold:{gold_set}|batch:{batch.name}",
    }


def phenomena_means(items: QuerySet[Item]) -> list[dict[str, Any]]:
    """By dataset and base, those of every pair first, over those of the items in which somebody counted.

    base: every pair of random draws whose batch asks for counts in each (table 2 of the paper), or of all
    batches the pairs that an annotator called a paraphrase or partial paraphrase. judged: how many of these
    were judged; pairs: in how many of them somebody counted. means: over these, a row for each `phenomenon`.
    Where several annotators counted in a pair, the pair has the mean of theirs.
    """
    batches = Batch.objects.filter(pk__in=items.order_by().values("batch"))
    dataset_of = dict(batches.values_list("pk", "dataset"))
    random = {
        batch.pk
        for batch in batches.filter(count_phenomena=PhenomenaScope.EVERY_PAIR)
        if drawn_at_random(batch)
    }
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    about: dict[int, tuple[Any, ...]] = {}
    rows = PhenomenonCount.objects.filter(assignment__item__in=items.order_by()).values_list(
        *("assignment", "phenomenon", "count", "assignment__judgement__label"),
        *("assignment__item__batch", "assignment__item__stratum", "assignment__item__pair"),
    )
    for assignment, phenomenon, count, *of_assignment in rows:
        counts[assignment][phenomenon] = count
        about[assignment] = tuple(of_assignment)
    names = [str(name) for name in Phenomenon.values]
    by_pair: dict[tuple[PhenomenaScope, int], dict[int, list[list[int]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for assignment, (label, batch, stratum, pair) in about.items():
        bases = []
        if dataset_of[batch] is None:
            continue
        if label and batch in random and stratum not in (REJECTED, CHOSEN):
            bases.append(PhenomenaScope.EVERY_PAIR)
        if label in COUNTED_LABELS:
            bases.append(PhenomenaScope.PARAPHRASES)
        for base in bases:
            by_pair[base, dataset_of[batch]][pair].append([counts[assignment][name] for name in names])
    datasets = Dataset.objects.in_bulk({dataset for _, dataset in by_pair})
    rows_of_means = []
    for base, dataset in sorted(by_pair, key=lambda key: (key[0] != PhenomenaScope.EVERY_PAIR, key[1])):
        pairs = by_pair[base, dataset]
        table = np.array([np.mean(pairs[pair], axis=0) for pair in sorted(pairs)])
        means = mean_counts(table)
        rows_of_means.append(
            {
                "dataset": dataset,
                "name": datasets[dataset].name,
                "base": base,
                "judged": _judged_pairs(
                    items, base, [batch for batch, of in dataset_of.items() if of == dataset], random
                ),
                "pairs": len(pairs),
                "means": [{"phenomenon": name, **mean} for name, mean in zip(names, means, strict=True)],
                "signature": f"{mean_signature()}|base:{base.value}|pairs:{len(pairs)}",
            }
        )
    return rows_of_means


def _judged_pairs(items: QuerySet[Item], base: PhenomenaScope, batches: list[int], random: set[int]) -> int:
    """How many pairs of the items in these batches of a dataset were judged, of those of the base."""
    judged = items.order_by().filter(batch__in=batches)
    given = Judgement.objects.filter(assignment__item=OuterRef("pk"))
    if base == PhenomenaScope.EVERY_PAIR:
        judged = judged.filter(batch__in=random).exclude(stratum__in=(REJECTED, CHOSEN))
    else:
        given = given.filter(label__in=COUNTED_LABELS)
    return judged.filter(Exists(given)).values("pair").distinct().count()
