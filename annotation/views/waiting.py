"""Items of a batch that wait for an annotator, as the batch's page shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User

from annotation.models import Assignment, Batch
from annotation.services.reassignment import barred_items, waiting_places


def waiting_context(batch: Batch, people: Iterable[User]) -> dict[str, Any]:
    """How many items wait for an annotator, and how many of them each of the people could take."""
    places = waiting_places(batch)
    if not places:
        return {"waiting": 0}
    items = list(Assignment.objects.filter(pk__in=places).order_by().values_list("item", flat=True))
    able = [
        (person.get_username(), len(items) - len(barred_items(person, batch, items))) for person in people
    ]
    return {"waiting": len(places), "able": [(name, count) for name, count in able if count]}
