"""Pages of a table by key set: the address names the row it goes on from, so no page is ever counted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

from projects.listings import row_id

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class KeysetPage:
    """Some rows of a table in order. `previous` and `next` are the ids to go on from, None at the ends."""

    rows: list[Any]
    previous: int | None
    next: int | None
    sort: str
    descending: bool


def keyset_page(
    rows: QuerySet[Any],
    parameters: Mapping[str, str],
    sorts: Mapping[str, str],
    *,
    size: int = PAGE_SIZE,
    few: bool = False,
) -> KeysetPage:
    """The page of `rows` that the address asks for.

    parameters: `sort` (a name in `sorts`, with a leading hyphen for descending; the first by default),
        `after` or `before` (the id of a row).
    sorts: name in the address -> field or annotation to order by.
    few: whether there are few rows, which are read and sorted; else databases may look for the first of them
        among the rows of all projects in the order of their ids.
    A name that does not exist gives the default order, and in an order other than by id, an id that does not
    exist the first page.
    """
    order = parameters.get("sort", "")
    column = order.removeprefix("-")
    if column not in sorts:
        column, order = next(iter(sorts)), ""
    descending = order.startswith("-")
    field = sorts[column]
    backward = bool(parameters.get("before"))
    directed = "-" if descending != backward else ""
    anchor_id = row_id(parameters.get("before") or parameters.get("after") or "")
    by_id = field == "pk"  # goes on from a row that is no longer in the list, too
    anchor = anchor_id or None
    if anchor_id and not by_id:
        anchor = rows.filter(pk=anchor_id).values_list(field, flat=True).first()
    ordered = rows.order_by(f"{directed}{field}", f"{directed}pk")
    if anchor is None:
        backward = False
        ordered = rows.order_by(*(["-" + field, "-pk"] if descending else [field, "pk"]))
        if few and by_id:
            number = F("pk") + 0  # in no index
            ordered = rows.order_by(number.desc() if descending else number.asc())
    else:
        beyond = "lt" if directed else "gt"
        further = Q(**{f"{field}__{beyond}": anchor})
        if not by_id:
            further |= Q(**{field: anchor, f"pk__{beyond}": anchor_id})
        ordered = ordered.filter(further)
    # First the ids, without what is read of each row: databases sort rows with all that is joined.
    ids = list(ordered.values_list("pk", flat=True)[: size + 1])
    more, ids = len(ids) > size, ids[:size]
    if backward:
        ids.reverse()
    read = {row.pk: row for row in rows.filter(pk__in=ids).order_by()}
    earlier, later = (more, True) if backward else (anchor is not None, more)
    return KeysetPage(
        rows=[read[pk] for pk in ids if pk in read],  # one may have been deleted meanwhile
        previous=ids[0] if earlier and ids else None,
        next=ids[-1] if later and ids else None,
        sort=column,
        descending=descending,
    )


def listed_page(rows: Sequence[Any], parameters: Mapping[str, str], *, size: int = PAGE_SIZE) -> KeysetPage:
    """A page of a list that is computed for each request: `after` and `before` are places in it, from 1."""
    before, after = (row_id(parameters.get(name) or "") for name in ("before", "after"))
    start = max(before - 1 - size, 0) if before else after or 0
    start = start if start < len(rows) else 0
    end = start + size
    return KeysetPage(
        rows=list(rows[start:end]),
        previous=start + 1 if start else None,
        next=end if end < len(rows) else None,
        sort="",
        descending=False,
    )
