"""What waits for a person in a project: items to answer, and disputes to decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.urls import reverse

from alignment.services.disputes import disputes_of
from annotation.models import Batch, BatchKind, HandingOut
from annotation.services.waiting import Waiting, waiting_for, waiting_items
from projects.models import Project, Role
from projects.permissions import MANAGERS, roles_of

from .step import Action


def own_work(user: Any, project: Project) -> list[Action]:
    """What waits for this person: the first batch of each kind to answer, then to decide."""
    return own_actions(waiting_for(user, project)) + decisions(user, project)


def decisions(user: Any, project: Project) -> list[Action]:
    """What waits for the decision of an adjudicator: the first batch of each kind."""
    if Role.ADJUDICATOR not in roles_of(user, project):
        return []
    disputes = [one for one in disputes_of(user, project) if one.decidable]
    waiting = [(one.batch, len(one.decidable)) for one in disputes]
    return [
        Action(f"Decide {things}", url, f"{things} wait{'s' if count == 1 else ''} for your decision.")
        for things, count, url in _by_kind(project, waiting)
    ]


def undecided(user: Any, project: Project) -> list[Action]:
    """What waits for a manager whose project has no adjudicator: disputes that nobody may decide."""
    adjudicators = project.memberships.filter(role=Role.ADJUDICATOR, user__is_active=True)
    if not roles_of(user, project) & MANAGERS or adjudicators.exists():
        return []
    waiting = [(one.batch, len(one.undecided)) for one in disputes_of(user, project)]
    return [
        Action(f"Find an adjudicator for {things}", url, "Nobody in the project may decide them.")
        for things, _, url in _by_kind(project, waiting)
    ]


def _by_kind(project: Project, disputes: Sequence[tuple[Batch, int]]) -> list[tuple[str, int, str]]:
    """For each kind of batch, what waits in words, how many, and the address of the first batch."""
    found = []
    for kind, thing, view in (
        (BatchKind.JUDGE, "disputed pair", "review-batch"),
        (BatchKind.LINK, "disputed linked pair", "link-review"),
        (BatchKind.SPLIT, "disputed cluster", "split-review"),
    ):
        waiting = [(batch, count) for batch, count in disputes if batch.kind == kind]
        if waiting:
            count = sum(number for _, number in waiting)
            url = reverse(view, args=[project.slug, waiting[0][0].pk]) + "?show=undecided"
            found.append((f"{count:,} {thing}{'' if count == 1 else 's'}", count, url))
    return found


def own_actions(waiting: Iterable[Waiting]) -> list[Action]:
    """The way into the first of the batches of each kind."""
    actions = []
    for kind, verb, thing, view in (
        (BatchKind.JUDGE, "Judge", "pair", "judge-batch"),
        (BatchKind.LINK, "Link", "pair", "link-batch"),
        (BatchKind.SPLIT, "Split", "cluster", "split-batch"),
    ):
        of_kind = [entry for entry in waiting if entry.batch.kind == kind]
        if of_kind:
            batch = of_kind[0].batch
            count = waiting_items(of_kind, kind)
            why = "They are assigned to you; every answer is saved as you go."
            if batch.handing_out == HandingOut.AS_THEY_COME:
                why = "You get them as you go; every answer is saved."
            url = reverse(view, args=[batch.project.slug, batch.pk])
            actions.append(Action(f"{verb} {count:,} {thing}{'' if count == 1 else 's'}", url, why))
    return actions
