"""Further judgements where they are needed: a third where two differ, and of the most uncertain labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import F

from annotation.models import Assignment, AssignmentState, Batch, BatchKind, HandingOut, Item
from annotation.schemes import SCHEME_LABELS
from jobs.services.removal import keep_own
from paragold.metrics.competence import Fit, competence_tables
from paragold.metrics.third_judgements import most_uncertain
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record

from .answer_kinds import answered_items
from .answer_rows import locking
from .answers import write_lock
from .batches import active_annotators, batches_that_grow
from .competence import JudgedItems, judged_items
from .reassignment import give

# In SQL (docs/adr/0038): both are asked with every label of a batch with third judgements.
# Two who answer the same item at once wait here for each other, so that the later sees both labels.
# Control items, whose right label is known, need no other: both are asked of them too, for equal times.
THE_ITEM = "SELECT known_label FROM annotation_item WHERE id = %s"
DIFFER = """
SELECT COUNT(judgement.label) = 2 AND COUNT(DISTINCT judgement.label) = 2
    AND COUNT(*) FILTER (WHERE place.state = 'open') = 0
FROM annotation_assignment place
LEFT JOIN annotation_judgement judgement ON judgement.assignment_id = place.id
WHERE place.item_id = %s
"""


def lacks_third(item: int) -> bool:
    """Whether an item has two labels, which differ, and nobody is asked for another; locks the item.

    Never of a control item.
    """
    with connection.cursor() as cursor:
        cursor.execute(locking(THE_ITEM, "FOR NO KEY UPDATE"), [item])
        [known_label] = cursor.fetchone()
        cursor.execute(DIFFER, [item])
        [differ] = cursor.fetchone()
        return bool(differ) and not known_label


def ask_third(item: Item) -> None:
    """Ask for a third judgement where the two there are differ; within the transaction that stores a label.

    On demand a free annotator takes it. Assigned at once, it goes to the one of the batch's annotators who
    has the highest known competence, then to the one with the fewest open items; `give` says who may get it.
    Where nobody may, it waits for an annotator.
    """
    if not lacks_third(item.pk):
        return
    place = Assignment.objects.create(item=item, position=0)
    _assign(Batch.objects.select_related("project").get(pk=item.batch_id), [place])


def ask_for_uncertain(*, project: Project, by: User | None, batch: Batch, pairs: int) -> Batch:
    """Ask for another judgement of those `pairs` of an open batch whose labels are the most uncertain.

    They have a posterior of at most ENOUGH, by all judgements of the project in this scheme, and wait for no
    answer. They are assigned as `ask_third` does. Raises PublicError where there is no such pair, and where
    the judgements cannot show how competent the annotators are.
    """
    # Before the lock, for which annotators would wait.
    judged, fitted = fitted_judgements(project, batch.scheme)
    if not fitted.identified:
        reason = next(iter(fitted.unknown_because.values()), "There are no judgements.")
        raise PublicError("It is not known which labels are uncertain. %(reason)s", reason=reason)
    places = most_uncertain(fitted)
    uncertain = judged.items[places][judged.batches[places] == batch.pk].tolist()
    return _ask_again(project, by, batch, uncertain, pairs, known_competence(project, fitted))


@write_lock()
def _ask_again(
    project: Project,
    by: User | None,
    batch: Batch,
    uncertain: Sequence[int],
    pairs: int,
    competence: Mapping[int, float],
) -> Batch:
    keep_own(project, batch, field="batch")
    batch = Batch.objects.select_for_update(of=("self",), no_key=True).get(pk=batch.pk)
    if not batches_that_grow(project).filter(pk=batch.pk).exists():
        raise PublicError(
            "%(batch)s takes no further judgements: it is closed, or in its second pass.", batch=batch
        )
    open_places = Assignment.objects.filter(item__batch=batch, state=AssignmentState.OPEN)
    waiting = set(open_places.values_list("item", flat=True))
    chosen = [item for item in uncertain if item not in waiting][:pairs]
    if not chosen:
        raise PublicError("No pair of %(batch)s is uncertain that waits for no answer.", batch=batch)
    places = Assignment.objects.bulk_create(Assignment(item_id=item, position=0) for item in chosen)
    rank_annotators(batch, competence)
    _assign(batch, places)
    target = f"batch {batch.pk}: {batch}"
    record("judgements-asked", actor=by, project=project, target=target, pairs=len(chosen))
    return batch


def _assign(batch: Batch, places: Sequence[Assignment]) -> None:
    if batch.handing_out == HandingOut.AT_ONCE:
        competence = dict(batch.annotators.values_list("annotator", "competence"))
        give(batch, places, active_annotators(batch), competence)


def fitted_judgements(project: Project, scheme: str) -> tuple[JudgedItems, Fit]:
    """The judged pairs of a project in a scheme, without trials, and Dawid & Skene's model of them."""
    batches = Batch.objects.filter(project=project, kind=BatchKind.JUDGE, scheme=scheme, trial=False)
    judged = judged_items(project, answered_items(Item.objects.filter(batch__in=batches), taken=True))
    return judged, judged.fit(tuple(map(str, SCHEME_LABELS[scheme])))


def known_competence(project: Project, fitted: Fit) -> dict[int, float]:
    """By user id, the balanced accuracy of those whose judgements show it."""
    rows = competence_tables(fitted, resamples=0)["annotators"] if fitted.identified else []
    balanced = {row["annotator"]: row["balanced"]["value"] for row in rows}
    names = {str(entry): entry.user_id for entry in project.pseudonyms.all()}
    return {names[name]: value for name, value in balanced.items() if value is not None}


def rank_annotators(batch: Batch, competence: Mapping[int, float]) -> None:
    """Keep the competence of a batch's annotators, by user id; of others the one they had stays."""
    for row in batch.annotators.filter(annotator__in=competence):
        row.competence = competence[row.annotator_id]
        row.save(update_fields=["competence"])


def third_judgements(batch: Batch) -> Mapping[str, Any]:
    """What third judgements where two differ save, over the `pairs` with two judgements or more.

    `thirds`: how many of them have more, or wait for one; `asked`: all judgements, given or waited for;
    `all_three`: those that three of each pair would take; `saved`: the share that is not needed; `agreed`:
    the share of pairs on which the first two agree, which later judgements do not raise. The shares are None
    without a pair.
    """
    return third_judgements_of([batch])[batch.pk]


def third_judgements_of(batches: Sequence[Batch]) -> dict[int, Mapping[str, Any]]:
    """`third_judgements` by batch id."""
    counted = Assignment.objects.filter(item__batch__in=batches, item__known_label="")
    places = counted.exclude(state=AssignmentState.SKIPPED)
    labels: dict[int, dict[int, list[str | None]]] = {batch.pk: defaultdict(list) for batch in batches}
    rows = places.order_by(F("answered_at").asc(nulls_last=True), "pk")
    for batch, item, label in rows.values_list("item__batch", "item", "judgement__label"):
        labels[batch][item].append(label)
    return {batch: _saving(list(of_items.values())) for batch, of_items in labels.items()}


def _saving(labels: Sequence[Sequence[str | None]]) -> Mapping[str, Any]:
    judged = [given for given in labels if sum(label is not None for label in given) > 1]
    pairs, asked = len(judged), sum(map(len, judged))
    counts = {"pairs": pairs, "thirds": sum(len(given) > 2 for given in judged), "asked": asked}
    return counts | {
        "all_three": 3 * pairs,
        "saved": 1 - asked / (3 * pairs) if pairs else None,
        "agreed": sum(first == second for first, second, *_ in judged) / pairs if pairs else None,
    }
