"""Gold sets: labels and sub-clusters decided by a named rule, frozen with all they were decided from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from annotation.models import (
    POSTERIOR,
    Batch,
    BatchKind,
    Decision,
    GoldJudgement,
    GoldSet,
    GoldSubclusters,
    GoldSubclusterSet,
    Item,
    ItemHeadline,
    ModelAnnotator,
    SecondLook,
    SubclusterRule,
)
from annotation.schemes import GOLD_VERSION, SCHEME_LABELS, Label, most_cautious
from corpus.models import in_held_out_cluster
from paragold.formats.gold_jsonl import subclusters_text
from paragold.metrics.competence import VERSION, fit
from paragold.metrics.label_agreement import agreement_of_labels
from paragold.metrics.partitions import shared_groups
from paragold.metrics.third_judgements import ENOUGH
from paragold.statistics import RESAMPLES
from projects.errors import PublicError
from projects.models import GoldRule, Project
from projects.services.projects import next_version

from .answer_kinds import Answers
from .batch_figures import BatchFigures, batch_figures, figures_of, while_unchanged
from .decisions import latest_decisions
from .freezing import (
    ADJUDICATED,
    Forecast,
    begin_freeze,
    decisions_in,
    default_rule,
    forecast_of,
    given_version,
    kept_decision,
    noted,
    signed,
    stored_agreement,
    unless_unchanged,
)
from .model_answers import people_of, with_models
from .pseudonyms import pseudonyms
from .review import ReviewedItem, Vote, review_items
from .subclusters import (
    Submission,
    SubmittedItem,
    compared,
    submitted_items,
)

SUBCLUSTERS_VERSION = 1
DECIDING = (ADJUDICATED, POSTERIOR)
"""The rules that use the decisions of adjudicators."""


def by_unanimity(entry: ReviewedItem, scheme: str) -> str | None:
    """Brockett & Dolan (2005), section 3.3: wherever annotators disagree, the pair is not a paraphrase.

    The most cautious label that anyone gave is taken: of three labels `partial` before `paraphrase`, and
    `unrelated` before both. Binary reads either as negative.
    """
    return most_cautious(entry.labels, scheme)


def by_majority(entry: ReviewedItem, scheme: str) -> str | None:
    """The label of more than half of the annotators; without one, as `by_unanimity`."""
    label, votes = Counter(entry.labels).most_common(1)[0]
    return label if 2 * votes > len(entry.labels) else by_unanimity(entry, scheme)


def by_adjudication(entry: ReviewedItem, scheme: str) -> str | None:
    """The agreed label, else the adjudicator's; None while a disputed pair waits for one."""
    if entry.decision is not None:
        return entry.decision.label
    return None if entry.disputed else entry.labels[0]


RULES: dict[str, Callable[[ReviewedItem, str], str | None]] = {
    GoldRule.DISAGREEMENT_NEGATIVE: by_unanimity,
    GoldRule.MAJORITY: by_majority,
    GoldRule.ADJUDICATED: by_adjudication,
}


def by_posterior(
    entries: Sequence[ReviewedItem], scheme: str, times: Sequence[int] | None = None
) -> list[str | None]:
    """The adjudicator's labels, else the most probable ones whose posterior is above ENOUGH; None elsewhere.

    times: how many items each entry stands for. Raises PublicError where the judgements cannot show the
    competence of their annotators.
    """
    judgements = [
        {vote.annotator: vote.label for vote in entry.votes if vote.label is not None} for entry in entries
    ]
    of = np.repeat(np.arange(len(entries)), times or 1)
    fitted = fit(judgements, tuple(map(str, SCHEME_LABELS[scheme])), of=of)
    if not fitted.identified:
        reason = next(iter(fitted.unknown_because.values()), "There are no judgements.")
        raise PublicError(
            "No label has a posterior. %(reason)s Choose another rule.", field="rule", reason=reason
        )
    labels: list[str | None] = []
    known = fitted.known_items
    for entry, place in zip(entries, np.searchsorted(of, np.arange(len(entries))).tolist(), strict=True):
        label, posterior = fitted.label_of(place)
        probable = label if known[place] and posterior > ENOUGH else None
        labels.append(entry.decision.label if entry.decision else probable)
    return labels


def decided_labels(
    entries: Sequence[ReviewedItem], rule: str, scheme: str, times: Sequence[int] | None = None
) -> list[str | None]:
    """The label of each item by a rule; None where it waits for an adjudicator."""
    if rule == POSTERIOR:
        return by_posterior(entries, scheme, times)
    return [RULES[rule](entry, scheme) for entry in entries]


@dataclass(frozen=True, slots=True)
class GoldOutcome:
    """The result of a rule for judgements: the items labelled by enough annotators, those of them with a gold
    label, and the counts of the gold set, with the items that are left out."""

    complete: list[ReviewedItem]
    judged: list[tuple[ReviewedItem, str]]
    counts: dict[str, int]


def gold_outcome(
    *, project: Project, batches: Sequence[Batch], rule: str, models: Sequence[ModelAnnotator] = ()
) -> GoldOutcome:
    """The result of freezing these batches now. The caller has checked that the reader may see it.

    Items that fewer than two annotators (one, where the batch asks for one) have labelled are left out
    and counted, and so are those that wait for a third judgement. The answers of `models` count as those of
    further annotators: `model_decided` counts the labels that would be others, or none, without them. Raises
    PublicError for batches that cannot be in one gold set, and for models that did not answer them.
    """
    scheme = _check(project, batches, rule)
    by_people = review_items(batches, with_texts=False)
    complete, judged = _judged(with_models(by_people, models, batches), rule, scheme)
    held_out = set(_held_out(batches).values_list("pk", flat=True))
    counts = _counts(
        batches,
        rule,
        complete=len(complete),
        judged=[(entry, 1, label) for entry, label in judged],
        held_out=sum(entry.item.pk in held_out for entry, _ in judged),
        **({"model_decided": _decided_by_models(by_people, judged, rule, scheme)} if models else {}),
    )
    return GoldOutcome(complete, judged, counts)


def _check(project: Project, batches: Sequence[Batch], rule: str) -> str:
    """The scheme of the batches. Raises PublicError where they cannot be in one gold set by this rule."""
    if rule not in (rules := [*RULES, POSTERIOR]):
        raise PublicError(
            "%(rule)r is not a rule; choose one of: %(choices)s.", rule=rule, choices=", ".join(rules)
        )
    if not batches:
        raise PublicError("A gold set needs at least one batch.", field="batches")
    for batch in batches:
        if batch.project_id != project.pk or batch.kind != BatchKind.JUDGE:
            raise PublicError("%(batch)s is not a judging batch of this project.", batch=batch.name)
        if batch.trial:
            raise PublicError(
                "%(batch)s is a trial, which is never frozen as gold. Draw a batch and judge that.",
                field="batches",
                batch=batch.name,
            )
    scheme = batches[0].scheme
    if any(batch.scheme != scheme for batch in batches):
        raise PublicError(
            "These batches have different judging schemes. Freeze a gold set for each scheme.",
            field="batches",
        )
    return scheme


def _held_out(batches: Sequence[Batch]) -> QuerySet[Item]:
    return Item.objects.filter(in_held_out_cluster("pair__"), batch__in=batches)


def _counts(
    batches: Sequence[Batch],
    rule: str,
    *,
    complete: int,
    judged: Sequence[tuple[ReviewedItem, int, str]],
    held_out: int,
    **further: int,
) -> dict[str, int]:
    """The counts of a gold set of items with how many are alike, and their label."""
    labels: Counter[str] = Counter()
    for _, times, label in judged:
        labels[label] += times
    used = sum(times for entry, times, _ in judged if entry.decision is not None) if rule in DECIDING else 0
    total = Item.objects.filter(batch__in=batches).count()
    pairs = labels.total()
    return {
        "items": total,
        "judgements_missing": total - complete,
        "uncertain" if rule == POSTERIOR else "waiting_for_adjudicator": complete - pairs,
        "disputed": sum(times for entry, times, _ in judged if entry.disputed),
        "pairs": pairs,
        **{label: labels[label] for label in Label.values if labels[label]},
        **further,
        **noted(held_out=held_out, decisions_unused=decisions_in(batches) - used),
    }


Judged = list[tuple[ReviewedItem, str]]


def _judged(entries: Sequence[ReviewedItem], rule: str, scheme: str) -> tuple[list[ReviewedItem], Judged]:
    """The items that enough annotators labelled, and those of them that get a gold label."""
    complete = [entry for entry in entries if len(entry.labels) >= needed(entry.item.batch, entry)]
    decided = zip(complete, decided_labels(complete, rule, scheme), strict=True)
    return complete, [(entry, label) for entry, label in decided if label is not None]


def _decided_by_models(by_people: Sequence[ReviewedItem], judged: Judged, rule: str, scheme: str) -> int:
    """How many labels people alone would not have got by the rule."""
    try:
        alone = {entry.item.pk: label for entry, label in _judged(by_people, rule, scheme)[1]}
    except PublicError:  # no posterior without the models
        alone = {}
    return sum(alone.get(entry.item.pk) != label for entry, label in judged)


def needed(batch: Batch, entry: ReviewedItem | None = None) -> int:
    """How many annotators an item needs before it can be gold; three where a third is asked as two differ."""
    waits = entry is not None and batch.third_judgement and entry.disputed and entry.decision is None
    return 3 if waits else min(2, batch.overlap)


def gold_forecast(
    *,
    project: Project,
    batches: Sequence[Batch],
    rule: str | None = None,
    models: Sequence[ModelAnnotator] = (),
) -> Forecast:
    """How many items a freeze would leave out, and why."""
    rule = rule or default_rule(batches, project.gold_rule)
    if models:
        counts = while_unchanged(
            f"gold-forecast:4:{rule}:{sorted(model.pk for model in models)}",
            *(None, project, batches),
            lambda: gold_outcome(project=project, batches=batches, rule=rule, models=models).counts,
        )
    else:
        counts = _expected(project, batches, rule)
    return forecast_of(counts, frozen=counts["pairs"], rule=rule)


def _expected(project: Project, batches: Sequence[Batch], rule: str) -> dict[str, int]:
    """The counts of `gold_outcome` without models, from how many items were answered and decided alike."""
    scheme = _check(project, batches, rule)
    kinds = _kinds(project, batches, batch_figures(None, project, batches))
    complete = {
        kind: (entry, times)
        for kind, (entry, times) in kinds.items()
        if len(entry.labels) >= needed(entry.item.batch, entry)
    }
    entries, times = zip(*complete.values(), strict=True) if complete else ((), ())
    decided = decided_labels(entries, rule, scheme, times)
    labels = {kind: label for kind, label in zip(complete, decided, strict=True) if label is not None}
    held_out = 0
    if project.clusters.filter(held_out=True).exists():
        apart = while_unchanged("held-out:1", None, project, batches, lambda: figures_of(_held_out(batches)))
        held_out = sum(
            times for kind, (_, times) in _kinds(project, batches, apart).items() if kind in labels
        )
    return _counts(
        batches,
        rule,
        complete=sum(times),
        judged=[(*complete[kind], label) for kind, label in labels.items()],
        held_out=held_out,
    )


def _kinds(
    project: Project, batches: Sequence[Batch], figures: Mapping[int, BatchFigures]
) -> dict[tuple[int, Answers, str | None], tuple[ReviewedItem, int]]:
    """By batch, answers and decision, an item that stands for all with these, and how many they are."""
    rows = [(batch, *kind) for batch in batches if batch.pk in figures for kind in figures[batch.pk].kinds]
    people = {person for _, answers, _, _ in rows for person, _, _ in answers if person is not None}
    names = pseudonyms(project, people)
    return {
        (batch.pk, answers, decided): (
            ReviewedItem(
                item=Item(batch=batch),
                annotators=[],
                basis=[],
                decision=None if decided is None else Decision(label=decided),
                votes=[Vote(names[person], label) for person, label, _ in answers if person is not None],
            ),
            times,
        )
        for batch, answers, decided, times in rows
    }


@transaction.atomic
def freeze_gold_set(
    *,
    project: Project,
    by: User | None,
    name: str,
    batches: Sequence[Batch],
    rule: str | None = None,
    models: Sequence[ModelAnnotator] = (),
) -> GoldSet:
    """Freeze the judgements of one or more batches of one scheme as the next version of a gold set.

    Without a rule it is the adjudicated one if an adjudicator has decided anything in the batches, else the
    project's. See `gold_outcome` for what is left out, and for `models`; agreement is that of people in any
    case. Where nothing has changed since the latest version of that name, that one is returned and says
    `already_frozen`. Raises PublicError when no item is left, saying why.
    """
    name = begin_freeze(project, name, *batches, *models, noun="A gold set")
    rule = rule or default_rule(batches, project.gold_rule)
    outcome = gold_outcome(project=project, batches=batches, rule=rule, models=models)
    scheme, judged, counts = batches[0].scheme, outcome.judged, outcome.counts
    if not judged:
        raise PublicError(
            "No pair can be gold yet: of %(items)s, %(missing)s lack judgements and %(waiting)s wait "
            "for an adjudicator.",
            field="batches",
            items=counts["items"],
            missing=counts["judgements_missing"],
            waiting=len(outcome.complete),
        )
    # Over all that enough annotators labelled, whatever the rule makes of it.
    labels = {
        entry.item.pk: {vote.annotator: vote.label for vote in people_of(entry)} for entry in outcome.complete
    }
    first_labels = _first_labels(project, labels)
    first = [{**given, **first_labels.get(item, {})} for item, given in labels.items()]
    second = agreement_of_labels([*labels.values()], resamples=RESAMPLES) if first_labels else None
    gold_set = GoldSet.objects.create(
        project=project,
        name=name,
        version=next_version(project.gold_sets, name),
        rule=rule,
        scheme=scheme,
        agreement=stored_agreement(agreement_of_labels(first, resamples=RESAMPLES), second),
        counts=counts,
        signature=f"gold|rule:{rule}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|pairs:{len(judged)}{signed(counts)}{'|agreement:by-pass' if second else ''}"
        f"{f'|competence:{VERSION}|above:{ENOUGH}' if rule == POSTERIOR else ''}"
        f"{''.join(f'|model:{model.signature}' for model in models)}"
        f"|version:{GOLD_VERSION[scheme]}",
        created_by=by,
    )
    gold_set.batches.set(batches)
    gold_set.model_annotators.set(models)
    # A rule that ignores decisions makes no adjudicated labels.
    decisions = {entry.item.pk: entry.decision for entry, _ in judged} if rule in DECIDING else {}
    names = pseudonyms(project, {decision.adjudicator_id for decision in decisions.values() if decision})
    GoldJudgement.objects.bulk_create(
        [
            GoldJudgement(
                gold_set=gold_set,
                item=entry.item,
                label=label,
                votes=[asdict(vote) for vote in entry.votes],
                adjudication=kept_decision(decisions.get(entry.item.pk), names),
            )
            for entry, label in judged
        ],
        batch_size=1000,
    )
    return unless_unchanged(gold_set, rows="judgements")


def _first_labels(project: Project, items: Collection[int]) -> dict[int, dict[str, str]]:
    """By item and annotator's pseudonym, the label of the first pass of what was looked at again."""
    looks = SecondLook.objects.filter(assignment__item__in=list(items), assignment__annotator__isnull=False)
    rows = list(looks.values_list("assignment__item", "assignment__annotator", "first_label"))
    names = pseudonyms(project, {person for _, person, _ in rows})
    first: dict[int, dict[str, str]] = defaultdict(dict)
    for item, person, label in rows:
        first[item][names[person]] = label
    return dict(first)


@dataclass(frozen=True, slots=True)
class SubclustersOutcome:
    """The result of a rule for sub-clusters: the clusters split by enough annotators, those of them
    with gold sub-clusters, and the counts of the gold set, with the clusters that are left out."""

    complete: list[SubmittedItem]
    kept: list[SubmittedItem]
    decisions: dict[int, Decision]
    gold: dict[int, list[list[int]]]
    counts: dict[str, int]


def subclusters_outcome(
    *, project: Project, batch: Batch, rule: str = SubclusterRule.ADJUDICATED
) -> SubclustersOutcome:
    """The result of freezing the sub-clusters of this batch now; the caller has checked that the reader may.

    Clusters that fewer than two annotators (one, where the batch asks for one) have submitted are left out
    and counted; so are, under the rule "adjudicated", those on which people differ and nobody has decided.
    """
    if batch.project_id != project.pk or batch.kind != BatchKind.SPLIT:
        raise PublicError(
            "%(batch)s is not a batch for splitting of this project.", field="batch", batch=batch.name
        )
    if rule not in SubclusterRule.values:
        raise PublicError(
            "%(rule)r is not a rule; choose one of: %(choices)s.",
            rule=rule,
            choices=", ".join(SubclusterRule.values),
        )
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
        **noted(
            held_out=Item.objects.filter(pk__in=list(gold), cluster__held_out=True).count(),
            decisions_unused=decisions_in([batch]) - len(decisions.keys() & gold.keys()),
        ),
    }
    return SubclustersOutcome(complete, kept, decisions, gold, counts)


def subclusters_forecast(
    *, project: Project, batch: Batch, rule: str = SubclusterRule.ADJUDICATED
) -> Forecast:
    """How many clusters a freeze would leave out, and why."""
    counts = subclusters_outcome(project=project, batch=batch, rule=rule).counts
    return forecast_of(counts, frozen=counts["clusters"], rule=rule)


@transaction.atomic
def freeze_gold_subclusters(
    *, project: Project, by: User | None, name: str, batch: Batch, rule: str = SubclusterRule.ADJUDICATED
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
        raise PublicError(
            "None of the %(items)s clusters has been split by %(needed)s annotators yet.",
            field="batch",
            items=counts["items"],
            needed=needed(batch),
        )
    if not gold:
        undecided = counts["undecided"]
        raise PublicError(
            "Annotators differ on all %(undecided)s clusters, and an adjudicator has decided none of them.",
            field="rule",
            undecided=undecided,
        )
    # Of all clusters that were split by enough: those that a rule leaves out are the ones people differ on.
    agreed, total = compared(batch, outcome.complete)
    people = {answer.assignment.person for entry in kept for answer in entry.submissions}
    names = pseudonyms(project, people | {decision.adjudicator_id for decision in decisions.values()})
    keys = _article_keys(gold)
    gold_set = GoldSubclusterSet.objects.create(
        project=project,
        name=name,
        version=next_version(project.gold_subcluster_sets, name),
        batch=batch,
        rule=rule,
        agreement=total | {"clusters": sum(len(row["clusters"]) for row in agreed)},
        counts=counts,
        lineage={"batch": batch.name, "seed": batch.seed, "sampling": batch.sampling},
        signature=f"gold-subclusters|rule:{rule}|batch:{batch.name}|clusters:{len(gold)}"
        f"{signed(counts)}|version:{SUBCLUSTERS_VERSION}",
        created_by=by,
    )
    GoldSubclusters.objects.bulk_create(
        [
            GoldSubclusters(
                gold_set=gold_set,
                item_id=entry.item,
                subclusters=_named(gold[entry.item], keys[entry.item]),
                versions=[_version(answer, names, keys[entry.item]) for answer in entry.submissions],
                adjudication=kept_decision(decisions.get(entry.item), names),
            )
            for entry in kept
        ],
        batch_size=500,
    )
    return unless_unchanged(gold_set, rows="clusters")


def gold_jsonl(gold_set: GoldSubclusterSet) -> str:
    """A gold set as a file of sub-clusters. The same set gives the same text."""
    rows = gold_set.clusters.order_by("item__number").values_list("item__cluster__key", "subclusters")
    return subclusters_text(rows)


def _merged(entry: SubmittedItem, rule: str, decision: Decision | None) -> list[list[int]] | None:
    """The gold groups of a cluster; None where the rule leaves it to an adjudicator who has not decided."""
    if rule == SubclusterRule.SHARED:
        return shared_groups(entry.partitions)
    if decision is not None:
        return decision.content or []
    return None if entry.disputed else entry.partitions[0]


def _article_keys(items: Mapping[int, Any]) -> dict[int, dict[int, str]]:
    """By item, the keys of its articles by the numbers of their headlines."""
    keys: dict[int, dict[int, str]] = {item: {} for item in items}
    rows = ItemHeadline.objects.filter(item__in=list(items)).order_by("item", "number")
    for item, number, key in rows.values_list("item", "number", "article__key"):
        keys[item][number] = key
    return keys


def _named(groups: list[list[int]], keys: Mapping[int, str]) -> list[list[str]]:
    return [[keys[number] for number in group] for group in groups]


def _version(submission: Submission, names: Mapping[int, str], keys: Mapping[int, str]) -> dict[str, Any]:
    assignment = submission.assignment
    return given_version(assignment, names[assignment.person], subclusters=_named(submission.groups, keys))
