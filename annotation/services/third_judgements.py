"""A third judgement where the two annotators of a pair differ, asked for when the second answer comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection
from django.db.models import Count, Q

from annotation.models import Assignment, AssignmentState, Batch, BatchKind, HandingOut, Item
from annotation.schemes import SCHEME_LABELS
from paragold.metrics.competence import competence_tables, fit
from projects.models import Project

from .answer_rows import locking
from .batches import active_annotators
from .competence import judged_items
from .pseudonyms import pseudonyms
from .reassignment import give

# In SQL (docs/adr/0038): both are asked with every label of a batch with third judgements.
# Two who answer the same item at once wait here for each other, so that the later sees both labels.
THE_ITEM = "SELECT id FROM annotation_item WHERE id = %s"
DIFFER = """
SELECT COUNT(judgement.label) = 2 AND COUNT(DISTINCT judgement.label) = 2
    AND COUNT(*) FILTER (WHERE place.state = 'open') = 0
FROM annotation_assignment place
LEFT JOIN annotation_judgement judgement ON judgement.assignment_id = place.id
WHERE place.item_id = %s
"""


def lacks_third(item: int) -> bool:
    """Whether an item has two labels, which differ, and nobody is asked for another; locks the item."""
    with connection.cursor() as cursor:
        cursor.execute(locking(THE_ITEM, "FOR NO KEY UPDATE"), [item])
        cursor.execute(DIFFER, [item])
        return bool(cursor.fetchone()[0])


def ask_third(item: Item) -> None:
    """Ask for a third judgement where the two there are differ; within the transaction that stores a label.

    On demand a free annotator takes it. Assigned at once, it goes to the one of the batch's annotators who
    has the highest known competence, then to the one with the fewest open items; `give` says who may get it.
    Where nobody may, it waits for an annotator.
    """
    if not lacks_third(item.pk):
        return
    place = Assignment.objects.create(item=item, position=0)
    batch = Batch.objects.select_related("project").get(pk=item.batch_id)
    if batch.handing_out == HandingOut.AT_ONCE:
        competence = dict(batch.annotators.values_list("annotator", "competence"))
        give(batch, [place], active_annotators(batch), competence)


def known_competence(project: Project, scheme: str) -> dict[int, float]:
    """By user id, the balanced accuracy of those whose earlier judgements in the project show it."""
    batches = Batch.objects.filter(project=project, kind=BatchKind.JUDGE, scheme=scheme, trial=False)
    judged, _ = judged_items(project, Item.objects.filter(batch__in=batches))
    labels = tuple(map(str, SCHEME_LABELS[scheme]))
    tables = competence_tables(fit([item.labels for item in judged], labels), resamples=0) if judged else {}
    balanced = {row["annotator"]: row["balanced"]["value"] for row in tables.get("annotators", ())}
    people = Assignment.objects.filter(item__batch__in=batches, annotator__isnull=False).order_by()
    names = pseudonyms(project, people.values_list("annotator", flat=True).distinct())
    return {user: value for user, name in names.items() if (value := balanced.get(name)) is not None}


def rank_annotators(batch: Batch) -> None:
    """Keep the competence of a new batch's annotators."""
    known = known_competence(batch.project, batch.scheme)
    for row in batch.annotators.filter(annotator__in=known):
        row.competence = known[row.annotator_id]
        row.save(update_fields=["competence"])


def third_judgements(batch: Batch) -> Mapping[str, Any]:
    """What third judgements where two differ save, over the `pairs` whose first two judgements are in.

    `thirds`: of how many a third was asked; `asked`: all judgements; `all_three`: those that three
    judgements of each pair would take; `saved`: the share that is not needed, None without a pair.
    """
    there = ~Q(assignments__state=AssignmentState.SKIPPED)
    counts = batch.items.order_by().annotate(
        labels=Count("assignments__judgement"), places=Count("assignments", filter=there)
    )
    rows = list(counts.filter(labels__gte=2).values_list("places", flat=True))
    pairs, thirds = len(rows), sum(places > 2 for places in rows)
    asked, every = 2 * pairs + thirds, 3 * pairs
    saved = (every - asked) / every if every else None
    return {"pairs": pairs, "thirds": thirds, "asked": asked, "all_three": every, "saved": saved}
