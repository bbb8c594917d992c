"""Gold sets: labels decided by a named rule, frozen with all they were decided from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Batch, BatchKind, GoldJudgement, GoldSet, Item, Label
from paragold.agreement.estimates import Agreement, agreement_of_labels
from projects.errors import PublicError
from projects.models import GoldRule, Project, Scheme

from .freezing import (
    Forecast,
    begin_freeze,
    forecast_of,
    kept_decision,
    next_version,
    unless_unchanged,
)
from .pseudonyms import pseudonyms
from .review import ReviewedItem, review_items

VERSION = 1
NEGATIVE: dict[str, str] = {Scheme.BINARY: Label.NOT_PARAPHRASE, Scheme.THREE_WAY: Label.PARTIAL}


def by_unanimity(entry: ReviewedItem, scheme: str) -> str | None:
    """Brockett & Dolan (2005), section 3.3: wherever annotators disagree, the pair is not a paraphrase.

    In the three-way scheme a dispute over `paraphrase` becomes `partial`, which binary reads as negative.
    """
    labels = set(entry.labels)
    if len(labels) == 1:
        return labels.pop()
    return NEGATIVE[scheme]


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


@dataclass(frozen=True, slots=True)
class GoldOutcome:
    """What judgements come to by a rule: the items labelled by enough annotators, those of them with a gold
    label, and the counts of the gold set, with the items that are left out."""

    rule: str
    scheme: str
    complete: list[ReviewedItem]
    judged: list[tuple[ReviewedItem, str]]
    counts: dict[str, int]

    @property
    def agreement(self) -> dict[str, Agreement]:
        """Over all that enough annotators labelled, whatever the rule makes of it."""
        return agreement_of_labels(
            [{vote.annotator: vote.label for vote in entry.votes} for entry in self.complete]
        )


def gold_outcome(*, project: Project, batches: Sequence[Batch], rule: str | None = None) -> GoldOutcome:
    """What freezing these batches would give now. The caller has checked that the reader may know.

    Items that fewer than two annotators (one, where the batch asks for one) have labelled are left out
    and counted. Raises PublicError for batches that cannot be in one gold set.
    """
    rule = rule or project.gold_rule
    if rule not in RULES:
        raise PublicError(f"{rule!r} is no rule; there are: {', '.join(RULES)}.")
    if not batches:
        raise PublicError("A gold set needs at least one batch.", field="batches")
    for batch in batches:
        if batch.project_id != project.pk or batch.kind != BatchKind.JUDGE:
            raise PublicError(f"{batch.name} is not a judging batch of this project.")
    schemes = {batch.scheme for batch in batches}
    if len(schemes) > 1:
        message = "These batches were judged by different schemes; make a gold set of each."
        raise PublicError(message, field="batches")
    scheme = schemes.pop()
    complete = [
        entry for entry in review_items(batches) if len(entry.labels) >= min(2, entry.item.batch.overlap)
    ]
    decided = [(entry, RULES[rule](entry, scheme)) for entry in complete]
    judged = [(entry, label) for entry, label in decided if label is not None]
    labels = Counter(label for _, label in judged)
    total = Item.objects.filter(batch__in=batches).count()
    counts = {
        "items": total,
        "judgements_missing": total - len(complete),
        "waiting_for_adjudicator": len(decided) - len(judged),
        "disputed": sum(entry.disputed for entry, _ in judged),
        "pairs": len(judged),
        **{label: labels.get(label, 0) for label in Label.values if labels.get(label)},
    }
    return GoldOutcome(rule, scheme, complete, judged, counts)


def gold_forecast(*, project: Project, batches: Sequence[Batch], rule: str | None = None) -> Forecast:
    """How many items a freeze would leave out, and why."""
    counts = gold_outcome(project=project, batches=batches, rule=rule).counts
    return forecast_of(counts, frozen=counts["pairs"])


@transaction.atomic
def freeze_gold_set(
    *, project: Project, by: User | None, name: str, batches: Sequence[Batch], rule: str | None = None
) -> GoldSet:
    """Freeze the judgements of one or more batches of one scheme as the next version of a gold set.

    See `gold_outcome` for what is left out. Where nothing has changed since the latest version of that name,
    that one is returned and says `already_frozen`. Raises PublicError when no item is left, saying why.
    """
    name = begin_freeze(project, name, *batches, noun="A gold set")
    outcome = gold_outcome(project=project, batches=batches, rule=rule)
    rule, scheme, judged, counts = outcome.rule, outcome.scheme, outcome.judged, outcome.counts
    if not judged:
        raise PublicError(
            f"No pair can be gold yet: of {counts['items']}, {counts['judgements_missing']} lack judgements "
            f"and {counts['waiting_for_adjudicator']} wait for an adjudicator.",
            field="batches",
        )
    gold_set = GoldSet.objects.create(
        project=project,
        name=name,
        version=next_version(project.gold_sets, name),
        rule=rule,
        scheme=scheme,
        agreement={figure: asdict(value) for figure, value in outcome.agreement.items()},
        counts=counts,
        signature=f"gold|rule:{rule}|scheme:{scheme}|batches:{','.join(sorted(b.name for b in batches))}"
        f"|pairs:{len(judged)}|version:{VERSION}",
        created_by=by,
    )
    gold_set.batches.set(batches)
    adjudicators = {entry.decision.adjudicator_id for entry, _ in judged if entry.decision}
    names = pseudonyms(project, adjudicators)
    GoldJudgement.objects.bulk_create(
        [
            GoldJudgement(
                gold_set=gold_set,
                item=entry.item,
                label=label,
                votes=[_vote(vote) for vote in entry.votes],
                adjudication=kept_decision(entry.decision, names),
            )
            for entry, label in judged
        ],
        batch_size=1000,
    )
    return unless_unchanged(gold_set, rows="judgements")


def _vote(vote: Any) -> dict[str, Any]:
    fields = asdict(vote)
    del fields["user_id"]
    return fields
