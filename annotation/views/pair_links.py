"""Addresses of the pairs that a number counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from annotation.models import Batch
from annotation.services.pseudonyms import pseudonyms
from projects.models import Project

from .letters import number


def pairs_url(project: Project, **query: Any) -> str:
    """The address of the pairs that a number counts; what is None is not asked."""
    asked = urlencode({name: value for name, value in query.items() if value is not None})
    return f"{reverse('judged-pairs', args=[project.slug])}?{asked}"


def person_links(
    project: Project, users: Iterable[int], batch: Batch | None = None
) -> dict[int, dict[str, str]]:
    """By user id, the addresses of what the person answered, has left, skipped and flagged, for managers.

    People stand in addresses under the numbers of their pseudonyms.
    """
    states = {"answered": "answered", "left": "open", "skipped": "skipped", "flagged": "flagged"}
    asked = {} if batch is None else {"batch": batch.pk}
    return {
        user: {
            name: pairs_url(project, **asked, person=number(pseudonym), state=state)
            for name, state in states.items()
        }
        for user, pseudonym in pseudonyms(project, users).items()
    }
