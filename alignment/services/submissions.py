"""What annotators submitted for the items of a linking batch."""

from __future__ import annotations

from collections import defaultdict

from alignment.models import Alignment
from annotation.models import AssignmentState, Batch


def submitted_alignments(batch: Batch) -> dict[int, list[Alignment]]:
    """The submitted alignments of each item of a linking batch, by item id, annotators in order."""
    found: dict[int, list[Alignment]] = defaultdict(list)
    for alignment in (
        Alignment.objects.filter(assignment__item__batch=batch, assignment__state=AssignmentState.DONE)
        .select_related("assignment__item__pair__sentence_a", "assignment__item__pair__sentence_b")
        .prefetch_related("links")
        .order_by("assignment__item__number", "assignment__annotator_id")
    ):
        found[alignment.assignment.item_id].append(alignment)
    return dict(found)
