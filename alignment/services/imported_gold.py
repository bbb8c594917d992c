"""Imported links as gold: somebody else settled them, and no annotator of the project drew them."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from alignment.models import GoldAlignment, GoldAlignmentSet
from annotation.models import Batch, Item
from annotation.services.freezing import next_version
from paragold.metrics.links import LinkedPair

from .gold_links import rows_from_links
from .lineage import pairs_of

RULE = "imported"
ROWS_AT_ONCE = 500


def freeze_imported(
    batch: Batch,
    pairs: Sequence[LinkedPair],
    items: Sequence[Item],
    *,
    by: User | None,
    filename: str,
    sha256: str,
) -> tuple[GoldAlignmentSet, bool]:
    """The gold alignment set of these links, named as the batch, and whether it is new.

    Links that are gold of the batch already stay as they are; other ones become the next version.
    """
    linked = {item.pk: rows_from_links(pair.links) for item, pair in zip(items, pairs, strict=True)}
    for known in batch.gold_alignment_sets.filter(rule=RULE):
        if dict(known.alignments.values_list("item", "links")) == linked:
            return known, False
    gold_set = GoldAlignmentSet.objects.create(
        project=batch.project,
        name=batch.name,
        version=next_version(batch.project.gold_alignment_sets, batch.name),
        batch=batch,
        rule=RULE,
        agreement={"measure": "1 - average directional AER", "value": None, "pairs": 0},
        counts={
            "items": batch.items.count(),
            "not_linked_by_all": batch.items.count() - len(linked),
            "pairs": len(linked),
            "sure": sum(len(pair.links.sure) for pair in pairs),
            "possible_only": sum(len(pair.links.possible_only) for pair in pairs),
        },
        lineage={
            "batch": batch.name,
            "pairs": pairs_of(batch),
            "links": {"file": filename, "sha256": sha256},
        },
        signature=f"gold-links|rule:{RULE}|batch:{batch.name}|pairs:{len(linked)}|file:{sha256[:16]}",
        created_by=by,
    )
    GoldAlignment.objects.bulk_create(
        [GoldAlignment(gold_set=gold_set, item=item, links=linked[item.pk], versions=[]) for item in items],
        batch_size=ROWS_AT_ONCE,
    )
    return gold_set, True
