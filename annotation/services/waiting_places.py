"""Places of a batch that nobody answers unless a manager finds an annotator for them."""

from __future__ import annotations

from collections import Counter, defaultdict

from django.contrib.auth.models import User

from annotation.models import Assignment, AssignmentState, Batch, BatchAnnotator, BatchState, HandingOut
from projects.models import Membership, Role


def active_annotators(batch: Batch) -> list[User]:
    """The batch's annotators who are not paused and still annotate the project, by id."""
    people = User.objects.filter(
        pk__in=batch.annotators.filter(paused=False).values("annotator"),
        memberships__project=batch.project_id,
        memberships__role=Role.ANNOTATOR,
        is_active=True,
    )
    return list(people.order_by("pk"))


def waiting_places(batch: Batch) -> list[int]:
    """The ids of the open places of an open batch that nobody will answer, in the order of the items.

    Those are places that belong to nobody, or to somebody who no longer annotates the project. Where items
    are taken as people come, a place that an active annotator may take does not wait.
    """
    if batch.state != BatchState.OPEN:
        return []
    places = Assignment.objects.filter(item__batch=batch, state=AssignmentState.OPEN)
    annotates = Membership.objects.filter(project=batch.project_id, role=Role.ANNOTATOR, user__is_active=True)
    stranded = places.exclude(annotator=None).exclude(annotator__in=annotates.values("user"))
    free = list(places.filter(annotator=None).order_by("item__number").values_list("pk", "item"))
    if batch.handing_out == HandingOut.AS_THEY_COME and free:
        free = _beyond_reach(batch, free)
    return [*stranded.order_by("item__number").values_list("pk", flat=True), *(pk for pk, _ in free)]


def _beyond_reach(batch: Batch, free: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of the free places (place, item) that the active annotators, within their quotas, cannot take."""
    people = {user.pk for user in active_annotators(batch)}
    held: Counter[int] = Counter()
    has: dict[int, set[int]] = defaultdict(set)
    rows = Assignment.objects.filter(item__batch=batch, annotator__in=people).order_by()
    for item, user in rows.values_list("item", "annotator"):
        has[item].add(user)
        held[user] += 1
    limits = BatchAnnotator.objects.filter(batch=batch, annotator__in=people).order_by()
    quotas = {user: quota for user, quota in limits.values_list("annotator", "quota") if quota is not None}
    room = {user: quotas[user] - held[user] if user in quotas else len(free) for user in people}
    left = []
    for place, item in free:
        able = [user for user in people if user not in has[item] and room[user] > 0]
        if not able:
            left.append((place, item))
            continue
        user = max(able, key=lambda one: room[one])
        room[user] -= 1
        has[item].add(user)
    return left
