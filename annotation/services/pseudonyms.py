"""The numbers under which annotators appear to others."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from annotation.models import Pseudonym
from projects.models import Project


@transaction.atomic
def pseudonyms(project: Project, users: Iterable[int]) -> dict[int, str]:
    """A pseudonym for each user id; a person keeps theirs for the life of the project."""
    Project.objects.select_for_update().get(pk=project.pk)
    known = {entry.user_id: entry for entry in project.pseudonyms.all()}
    for user in sorted(set(users) - set(known)):
        known[user] = Pseudonym.objects.create(project=project, user_id=user, number=len(known) + 1)
    return {user: str(entry) for user, entry in known.items()}


def number_of(pseudonym: str) -> int:
    """The number of `annotator-1`, by which addresses name the person."""
    return int(pseudonym.rpartition("-")[2])
