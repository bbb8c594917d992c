"""What every decision of an adjudicator on an item begins with, whatever is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from django.contrib.auth.models import User

from annotation.models import Item
from projects.errors import Conflict, PublicError

from .answers import COMMENT_LIMIT
from .obstacles import check_adjudicate


class Reviewed(Protocol):
    """What annotators made of an item: the version of the last decision, and those of their answers."""

    @property
    def version(self) -> int: ...
    @property
    def basis(self) -> list[int]: ...


def locked_for_decision(item: Item, by: User) -> Item:
    """The item, held until the transaction ends. Raises PermissionDenied for who may not decide it."""
    item = Item.objects.select_for_update(of=("self",)).select_related("batch__project").get(pk=item.pk)
    # An answer that is being saved waits, or is seen.
    list(item.assignments.select_for_update().order_by("pk").values_list("pk", flat=True))
    check_adjudicate(by, item)
    return item


def check_seen(review: Reviewed, *, version: int, basis: Sequence[int], comment: str, changed: str) -> None:
    """That the adjudicator saw what is there now.

    Raises Conflict, with `changed` as its words, when anything was decided or answered meanwhile, PublicError
    for a comment that is too long.
    """
    if version != review.version or list(basis) != review.basis:
        raise Conflict(changed, {"version": review.version, "basis": review.basis})
    if len(comment) > COMMENT_LIMIT:
        raise PublicError(f"The comment has {len(comment)} characters; {COMMENT_LIMIT} are allowed.")
