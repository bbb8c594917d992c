"""Pages that list things: `corpus/list.html` draws the tables of a view, `projects/_table.html` one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from paragold.formats.tables import CSV_START, csv_lines
from projects.downloads import attachment
from projects.errors import PublicError
from projects.listings import COUNTED_AT_MOST, Action, ListFilters, Listing, Outcome, listings
from projects.models import Project
from projects.permissions import can_manage, check_manage

from .keyset import PAGE_SIZE, KeysetPage, keyset_page
from .project_view import back_to, next_address, project_view, tell, user_of

WRITTEN_AT_ONCE = 500
REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a list page.

    label: what it lists; `heading` says whether that is its heading, as where a page has several tables.
    row: the template of a row, a `<tr>`, which gets the row as `row`.
    columns: their headings; `numbers` are those of them whose cells are numbers.
    listing, found, page, filters, actions, count: of a long list, see `table_of`. sorts: heading -> name of
    the order. kept: what of the address stays whatever the filters are.
    """

    label: str
    rows: Collection[Any]
    row: str
    columns: Sequence[str]
    numbers: Collection[str] = ()
    heading: bool = False
    listing: Listing | None = None
    found: QuerySet[Any] | None = None
    page: KeysetPage | None = None
    filters: ListFilters | None = None
    sorts: Mapping[str, str] = field(default_factory=dict)
    actions: Sequence[tuple[Action, Any]] = ()
    count: int = 0
    kept: Mapping[str, str] = field(default_factory=dict)

    @property
    def heads(self) -> list[tuple[str, str, bool]]:
        """Each column with the name of its order, "" without one, and whether it holds numbers."""
        return [(column, self.sorts.get(column, ""), column in self.numbers) for column in self.columns]

    @property
    def counted(self) -> str:
        """How many rows there are in words, on all its pages."""
        more, listing = self.count > COUNTED_AT_MOST, self.listing
        text = listing.many(min(self.count, COUNTED_AT_MOST)) if listing else str(self.count)
        return f"More than {text}" if more else text

    @property
    def downloadable(self) -> bool:
        return self.listing is not None and self.listing.cells is not None

    @property
    def whole(self) -> str:
        """The address without filters."""
        return f"?{urlencode(self.kept)}"

    @property
    def narrowed(self) -> bool:
        return self.filters is not None and bool(self.filters.asked or self.filters.form.errors)


def list_page(request: HttpRequest, template: str, *tables: Table, **context: Any) -> HttpResponse:
    """A page whose template extends `corpus/list.html` with a heading and with what is said of an empty list.

    `listed` is whether any of the tables has a row, or would have one with other filters.
    """
    listed = any(table.rows or table.narrowed for table in tables)
    return render(request, template, {"tables": tables, "listed": listed} | context)


def table_of(
    request: HttpRequest,
    project: Project,
    listing: Listing,
    *,
    row: str,
    columns: Mapping[str, str],
    label: str = "",
    numbers: Collection[str] = (),
    narrow: Callable[[ListFilters], Any] = lambda filters: filters.qs,
    dressed: Callable[[list[Any]], Collection[Any]] | None = None,
    default: str = "",
    size: int = PAGE_SIZE,
    count: int | None = None,
    **more: Any,
) -> Table:
    """A page of a long list, as the address asks: its filters, `sort`, and `after` or `before` a row.

    columns: heading -> name of the order by it, "" for none. dressed: makes of a page's rows what the
    template shows of each. default: the order without one in the address. narrow: the rows that the filters
    leave. count: how many rows there are, where that is known.
    """
    filters = listing.filters(request.GET, queryset=listing.rows(request.user, project), request=request)
    rows = narrow(filters)
    asked = {"sort": default} | request.GET.dict()
    page = keyset_page(rows, asked, listing.filters.sorts(), size=size)
    if count is None or filters.asked:
        whole = page.previous is None and page.next is None
        count = len(page.rows) if whole else rows.order_by().values("pk")[: COUNTED_AT_MOST + 1].count()
    actions = listing.actions if can_manage(request.user, project) else ()
    return Table(
        label=label or listing.many(2).partition(" ")[2].capitalize(),
        rows=dressed(page.rows) if dressed else page.rows,
        row=row,
        columns=list(columns),
        numbers=numbers,
        listing=listing,
        found=rows,
        page=page,
        filters=filters,
        sorts={heading: sort for heading, sort in columns.items() if sort},
        actions=[(one, one.form and one.form(project=project, auto_id=False)) for one in actions],
        count=count,
        **more,
    )


def csv_asked(request: HttpRequest) -> bool:
    return request.GET.get("format") == "csv"


def list_csv(request: HttpRequest, project: Project, table: Table) -> HttpResponseBase:
    """All rows that the filters leave, in the order of the page, as a CSV file."""
    listing, found, page = table.listing, table.found, table.page
    assert listing is not None and listing.cells is not None  # noqa: S101 - for the type checker
    assert found is not None and page is not None  # noqa: S101 - for the type checker
    write, order = listing.cells, listing.filters.sorts()[page.sort]
    sign = "-" if page.descending else ""
    rows = found.order_by(f"{sign}{order}", f"{sign}pk")

    def lines() -> Iterator[str]:
        yield CSV_START + csv_lines([listing.head])
        read = rows.iterator(WRITTEN_AT_ONCE)
        while some := list(islice(read, WRITTEN_AT_ONCE)):
            yield csv_lines(write(project, some))

    return StreamingHttpResponse(
        lines(),
        content_type="text/csv; charset=utf-8",
        headers=attachment(f"{project.slug}-{listing.name}.csv"),
    )


@require_POST
@project_view(check_manage)
def list_action(request: HttpRequest, project: Project, name: str) -> HttpResponse:
    """Do with the chosen rows of a list what the button says; where it destroys, ask before."""
    listing = listings()[name]
    action = listing.action(request.POST.get("action", ""))
    ids = [int(pk) for pk in request.POST.getlist("chosen") if pk.isascii() and pk.isdigit() and len(pk) < 19]
    rows = listing.chosen(request.user, project, ids)
    form = action.form(request.POST, project=project) if action and action.form else None
    if action is None or not rows:
        messages.warning(request, f"Nothing was changed. Select at least one {listing.noun} first.")
    elif form is not None and not form.is_valid():
        reasons = " ".join(str(error) for errors in form.errors.values() for error in errors)
        messages.error(request, f"Nothing was changed. {reasons}")
    elif action.destroys and "confirmed" not in request.POST:
        many, back = listing.many(len(rows)), next_address(request) or reverse("project", args=[project.slug])
        context = {"listing": listing, "action": action, "rows": rows, "many": many, "back": back}
        return render(request, "projects/list_confirm.html", context)
    else:
        fields = form.cleaned_data if form is not None else {}
        try:
            _report(request, listing, action, action.act(rows, user_of(request), **fields))
        except PublicError as error:
            tell(request, error)
    return back_to(request, "project", project.slug)


def _report(request: HttpRequest, listing: Listing, action: Action, outcome: Outcome) -> None:
    if outcome.done:
        messages.success(request, f"{listing.many(len(outcome.done))} {action.done}.")
    if outcome.refused:
        reasons = list(dict.fromkeys(reason for _, reason in outcome.refused))
        more = len(reasons) - REASONS_SHOWN
        shown = " ".join(reasons[:REASONS_SHOWN]) + (f" And {more} more reasons." if more > 0 else "")
        messages.warning(request, f"{listing.many(len(outcome.refused))} left unchanged. {shown}")
