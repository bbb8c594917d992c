"""Who may see and answer what in annotation. Blindness is a matter of querysets: an annotator's reads
start from `Assignment.objects.of(user)`, and nothing here widens them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from projects.models import Membership, Project, Role
from projects.permissions import MANAGERS, roles_of

from .models import Assignment, AssignmentState, Batch, BatchState, Item, TrainingTry
from .models.item import takes_part

ANSWER_READERS = MANAGERS | {Role.ADJUDICATOR}


def own_assignment(user, pk: int, *, with_sentences: bool = True) -> Assignment:
    """The user's own assignment, while the user is an annotator of its project. Raises Http404 otherwise, and
    PermissionDenied where a training has to be passed first."""
    if with_sentences:
        mine = Assignment.objects.of(user).filter(
            _annotates(user, "item__batch__project"), pk=pk, item__batch__deleted_at=None
        )
        assignment = mine.with_sentences().order_by().first()
        if assignment is not None and (required := assignment.item.batch.requires_id):
            passed = TrainingTry.objects.filter(batch=required, annotator=user, passed=True)
            assignment.item.batch.qualified = passed.exists()
    else:
        assignment = Assignment.objects.own_with_batch(user, pk)
    if assignment is None:
        raise Http404(_("This pair is not assigned to you."))
    check_qualified(assignment.item.batch)
    return assignment


def check_qualified(batch: Batch) -> None:
    """Raises PermissionDenied for an own batch that requires a training which its person has not passed."""
    if not batch.qualified:
        raise PermissionDenied(_("Pass the training %(training)s first.") % {"training": batch.requires})


def check_ready(batch: Batch) -> None:
    """Raises PermissionDenied, saying what to do, for an own batch that requires a training, or whose person
    has to confirm new guidelines."""
    check_qualified(batch)
    if not batch.guidelines_read:
        raise PermissionDenied(
            _("The guidelines have changed. Reload the page of the batch to read and confirm them.")
        )


def own_batch(user, pk: int) -> Batch:
    """A batch in which the user has assignments. Raises Http404 otherwise."""
    batch = Batch.objects.own(user, pk)
    if batch is None:
        raise Http404(_("Nothing in this batch is assigned to you."))
    return batch


def _annotates(user, project: str) -> Exists:
    """Whether the user annotates the project of an outer query."""
    return Exists(Membership.objects.filter(project=OuterRef(project), user=user, role=Role.ANNOTATOR))


def can_see_answers(user, project: Project) -> bool:
    """Managers and administrators, always (and it is logged); adjudicators see closed items, see below."""
    return bool(roles_of(user, project) & ANSWER_READERS)


def check_see_answers(user, project: Project) -> None:
    if not can_see_answers(user, project):
        raise PermissionDenied(_("Only managers and adjudicators can see other people's answers."))


def own_progress_only(user, project: Project) -> QuerySet[Batch]:
    """The batches of which the user sees the own progress only, not the others': those the user annotates,
    unless the user manages the project."""
    if roles_of(user, project) & MANAGERS:
        return Batch.objects.none()
    mine = Assignment.objects.filter(annotator=user, item__batch=OuterRef("pk"))
    return Batch.objects.filter(Exists(mine) | Exists(takes_part(user, "pk")), project=project)


def visible_items(user, project: Project, batches: Iterable[Any] | None = None) -> QuerySet[Item]:
    """The items whose answers the user may see: all for managers; for an adjudicator those whose answers are
    all in, and never an own one.

    batches: only those of these batches of the project. No item is joined with its batch: a database without
    statistics would read the batches again for each.
    """
    if not roles_of(user, project) & MANAGERS:
        items = adjudicable_items(user, project)
        return items if batches is None else items.filter(batch__in=batches)
    return Item.objects.filter(
        batch__in=Batch.objects.filter(project=project) if batches is None else batches
    )


def adjudicable_items(user, project: Project) -> QuerySet[Item]:
    """The items that the user may adjudicate: answered by everybody, in a running second pass too.

    A closed batch takes no more answers, so missing ones are not waited for. But annotators of the batch see
    nothing early, since it may be opened again (docs/adr/0009).
    """
    if Role.ADJUDICATOR not in roles_of(user, project):
        return Item.objects.none()
    answers = Assignment.objects.filter(item=OuterRef("pk"))
    looks = answers.filter(second_look__done=False, second_look__second_pass__ended_at=None)
    closed = Q(batch__state=BatchState.CLOSED) & ~Exists(takes_part(user, "batch"))
    return Item.objects.filter(
        closed | ~Exists(answers.filter(state=AssignmentState.OPEN)) & ~Exists(looks),
        ~Exists(answers.filter(annotator=user)),
        batch__project=project,
        batch__deleted_at=None,
    )


def can_see_gold(user, project: Project) -> bool:
    """Gold sets are released to everybody who reads the corpus; annotators see their own answers only."""
    return bool(roles_of(user, project) & (MANAGERS | {Role.ADJUDICATOR, Role.VIEWER}))


def check_see_gold(user, project: Project) -> None:
    if not can_see_gold(user, project):
        raise PermissionDenied(_("Only managers, adjudicators and viewers can see gold sets."))
