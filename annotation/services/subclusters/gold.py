"""Gold sub-clusters: how annotators split clusters, merged by a named rule and frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import (
    Batch,
    BatchKind,
    Decision,
    GoldSubclusters,
    GoldSubclusterSet,
    ItemHeadline,
    SubclusterRule,
)
from annotation.services.decisions import latest_decisions
from annotation.services.freezing import (
    Forecast,
    begin_freeze,
    forecast_of,
    given_version,
    kept_decision,
    next_version,
    unless_unchanged,
)
from annotation.services.pseudonyms import pseudonyms
from paragold.agreement.partitions import shared_groups
from paragold.formats.judgements import subclusters_jsonl
from projects.errors import PublicError
from projects.models import Project

from .agreement import compared, figures, overall
from .placements import Submission, SubmittedItem, submitted_items

VERSION = 1


@dataclass(frozen=True, slots=True)
class SubclustersOutcome:
    """What submitted sub-clusters come to by a rule: the clusters split by enough annotators, those of them
    with gold sub-clusters, and the counts of the gold set, with the clusters that are left out."""

    complete: list[SubmittedItem]
    kept: list[SubmittedItem]
    decisions: dict[int, Decision]
    gold: dict[int, list[list[int]]]
    counts: dict[str, int]


def subclusters_outcome(
    *, project: Project, batch: Batch, rule: str = SubclusterRule.ADJUDICATED
) -> SubclustersOutcome:
    """What freezing the sub-clusters of this batch would give now; the caller has checked the reader's right.

    Clusters that fewer than two annotators (one, where the batch asks for one) have submitted are left out
    and counted; so are, under the rule "adjudicated", those on which people differ and nobody has decided.
    """
    if batch.project_id != project.pk or batch.kind != BatchKind.SPLIT:
        raise PublicError(f"{batch.name} is not a batch for splitting of this project.", field="batch")
    if rule not in SubclusterRule.values:
        raise PublicError(f"{rule!r} is no rule; there are: {', '.join(SubclusterRule.values)}.")
    total = batch.items.count()
    complete = [entry for entry in submitted_items(batch) if len(entry.submissions) >= needed(batch)]
    adjudicated = rule == SubclusterRule.ADJUDICATED
    decisions = latest_decisions(entry.item for entry in complete) if adjudicated else {}
    merged = {entry.item: _merged(entry, rule, decisions.get(entry.item)) for entry in complete}
    gold = {item: groups for item, groups in merged.items() if groups is not None}
    kept = [entry for entry in complete if entry.item in gold]
    counts = {
        "items": total,
        "not_split_by_enough": total - len(complete),
        "undecided": len(merged) - len(gold),
        "disputed": sum(entry.disputed for entry in kept),
        "clusters": len(gold),
        "subclusters": sum(len(groups) for groups in gold.values()),
        "headlines": sum(entry.size for entry in kept),
        "grouped": sum(len(group) for groups in gold.values() for group in groups),
    }
    return SubclustersOutcome(complete, kept, decisions, gold, counts)


def needed(batch: Batch) -> int:
    """How many annotators a cluster needs before it can be gold."""
    return min(2, batch.overlap)


def subclusters_forecast(
    *, project: Project, batch: Batch, rule: str = SubclusterRule.ADJUDICATED
) -> Forecast:
    """How many clusters a freeze would leave out, and why."""
    counts = subclusters_outcome(project=project, batch=batch, rule=rule).counts
    return forecast_of(counts, frozen=counts["clusters"])


@transaction.atomic
def freeze_gold_subclusters(
    *,
    project: Project,
    by: User | None,
    name: str,
    batch: Batch,
    rule: str = SubclusterRule.ADJUDICATED,
) -> GoldSubclusterSet:
    """Merge the submitted sub-clusters of a batch and freeze them as the next version of a gold set.

    See `subclusters_outcome` for what is left out. Where nothing has changed since the latest version of that
    name, that one is returned and says `already_frozen`. Raises PublicError when no cluster is left, saying
    why.
    """
    name = begin_freeze(project, name, batch, noun="A gold set of sub-clusters")
    outcome = subclusters_outcome(project=project, batch=batch, rule=rule)
    kept, gold, decisions, counts = outcome.kept, outcome.gold, outcome.decisions, outcome.counts
    if not outcome.complete:
        message = f"None of the {counts['items']} clusters has been split by {needed(batch)} annotators yet."
        raise PublicError(message, field="batch")
    if not gold:
        undecided = counts["undecided"]
        message = f"People differ on all {undecided} clusters, and an adjudicator has decided none of them."
        raise PublicError(message, field="rule")
    # Of all clusters that were split by enough: those that a rule leaves out are the ones people differ on.
    agreed = compared(batch, outcome.complete)
    people = {one.assignment.person for entry in kept for one in entry.submissions}
    names = pseudonyms(project, people | {decision.adjudicator_id for decision in decisions.values()})
    keys = _article_keys(gold)
    gold_set = GoldSubclusterSet.objects.create(
        project=project,
        name=name,
        version=next_version(project.gold_subcluster_sets, name),
        batch=batch,
        rule=rule,
        agreement={**figures(overall(agreed)), "clusters": sum(len(row.clusters) for row in agreed)},
        counts=counts,
        lineage={"batch": batch.name, "seed": batch.seed, "sampling": batch.sampling},
        signature=f"gold-subclusters|rule:{rule}|batch:{batch.name}|clusters:{len(gold)}|version:{VERSION}",
        created_by=by,
    )
    GoldSubclusters.objects.bulk_create(
        [
            GoldSubclusters(
                gold_set=gold_set,
                item_id=entry.item,
                subclusters=_named(gold[entry.item], keys[entry.item]),
                versions=[_version(one, names, keys[entry.item]) for one in entry.submissions],
                adjudication=kept_decision(decisions.get(entry.item), names),
            )
            for entry in kept
        ],
        batch_size=500,
    )
    return unless_unchanged(gold_set, rows="clusters")


def gold_jsonl(gold_set: GoldSubclusterSet) -> str:
    """A gold set as a file of `subclusters_jsonl`. The same set gives the same text."""
    rows = gold_set.clusters.order_by("item__number").values_list("item__cluster__key", "subclusters")
    return subclusters_jsonl.dumps(rows)


def _merged(entry: SubmittedItem, rule: str, decision: Decision | None) -> list[list[int]] | None:
    """The gold groups of a cluster; None where the rule leaves it to an adjudicator who has not decided."""
    if rule == SubclusterRule.SHARED:
        return shared_groups(entry.partitions)
    if decision is not None:
        return decision.content or []
    return None if entry.disputed else entry.partitions[0]


def _article_keys(items: Mapping[int, Any]) -> dict[int, dict[int, str]]:
    """By item, the keys of its articles by the numbers of their headlines."""
    found: dict[int, dict[int, str]] = {item: {} for item in items}
    rows = ItemHeadline.objects.filter(item__in=list(items)).order_by("item", "number")
    for item, number, key in rows.values_list("item", "number", "article__key"):
        found[item][number] = key
    return found


def _named(groups: list[list[int]], keys: Mapping[int, str]) -> list[list[str]]:
    return [[keys[number] for number in group] for group in groups]


def _version(one: Submission, names: Mapping[int, str], keys: Mapping[int, str]) -> dict[str, Any]:
    return given_version(one.assignment, names[one.assignment.person], subclusters=_named(one.groups, keys))
