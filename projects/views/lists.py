"""Pages that list things: `corpus/list.html` draws the tables of a view, `projects/_table.html` one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.module_loading import import_string
from django.utils.translation import gettext

from paragold.formats.tables import CSV_START, csv_lines
from projects.columns import Column
from projects.downloads import attachment
from projects.errors import PublicError
from projects.listings import (
    CHANGED_AT_ONCE,
    MAX_CHOSEN,
    MAX_COUNTED,
    Action,
    ListFilters,
    Outcome,
    Resource,
    resources,
    row_id,
)
from projects.models import Project
from projects.permissions import can_manage, check_manage
from projects.reports import CSV, asked_format, flat

from .keyset import PAGE_SIZE, KeysetPage, keyset_page
from .project_view import POST, SAFE, back_to, next_address, project_view, show_error, user_of

WRITTEN_AT_ONCE = 500
REASONS_SHOWN = 3
ROWS_NAMED = 10


@dataclass(frozen=True, slots=True)
class Table:
    """A page of a list, and what can be done with its rows.

    label: what it lists; `heading` says whether that is its heading, as where a page has several tables.
    columns: those that the page has. row: the template of a row, a `<tr>` that gets the row as `row`, where
    the columns do not draw it. count: how many rows there are on all pages, at most MAX_COUNTED + 1.
    kept: what of the address stays whatever the filters are. address: what of it is about this list.
    folded: whether the filters are shown on request.
    """

    resource: Resource
    label: str
    rows: Collection[Any]
    columns: Sequence[Column]
    page: KeysetPage
    filters: ListFilters
    queryset: QuerySet[Any]
    count: int
    address: QueryDict
    actions: Sequence[tuple[Action, Any]] = ()
    row: str = ""
    heading: bool = False
    kept: Mapping[str, str] = field(default_factory=dict)
    folded: bool = False

    @property
    def counted(self) -> str:
        """How many rows there are in words, on all its pages."""
        text = self.resource.many(min(self.count, MAX_COUNTED))
        return gettext("More than %(text)s") % {"text": text} if self.count > MAX_COUNTED else text

    @property
    def beyond(self) -> bool:
        """Whether an action can take in more rows than those of this page."""
        return bool((self.page.previous or self.page.next) and not self.filters.form.errors)

    @property
    def every(self) -> str:
        """The words of the checkbox that takes in the rows of all pages."""
        many = self.resource.nouns if self.count > MAX_COUNTED else self.resource.many(self.count)
        text = gettext("All %(many)s, on all pages")
        if self.narrowed:
            text = gettext("All %(many)s that match the filters, on all pages")
        return text % {"many": many}

    @property
    def whole(self) -> str:
        """The address without filters."""
        return f"?{urlencode(self.kept)}"

    @property
    def downloadable(self) -> bool:
        return bool(self.rows and (self.resource.head or self.resource.serializer))

    @property
    def there(self) -> bool:
        """Whether it has a row, or would have one with other filters."""
        return bool(self.rows or self.narrowed)

    @property
    def narrowed(self) -> bool:
        return bool(self.filters.given or self.filters.form.errors)


def list_view(resource: Resource) -> Callable[..., HttpResponseBase]:
    """The page of a resource that needs nothing but its declaration."""

    @project_view(resource.check, SAFE)
    def page(request: HttpRequest, project: Project) -> HttpResponseBase:
        return resource_page(request, project, resource)

    return page


def resource_page(
    request: HttpRequest, project: Project | None, resource: Resource, **of: Any
) -> HttpResponseBase:
    """The page of a resource that has its words; of: as of `table_of`."""
    table, words = table_of(request, project, resource, **of), resource.page
    begin = ""
    if project and words and words.begin:
        _, address, *kind = words.begin
        begin = reverse(address, args=[project.slug, *kind])
    return list_response(request, project, "corpus/list.html", table, words=words, begin_url=begin)


def table_of(
    request: HttpRequest,
    project: Project | None,
    resource: Resource,
    *,
    columns: Sequence[Column] = (),
    label: str = "",
    fixed: Mapping[str, str] | None = None,
    dressed: Callable[[list[Any]], Collection[Any]] | None = None,
    order: str = "",
    size: int = PAGE_SIZE,
    count: int | None = None,
    of: str = "",
    **more: Any,
) -> Table:
    """A page of a list, as the address asks: its filters, `sort`, and `after` or `before` a row.

    columns, order: instead of those of the resource. dressed: makes of a page's rows what the template shows
    of each. fixed: what the page says of the filters, whatever the address does. count: how many rows there
    are, where that is known. of: names the list where a page has several: it heeds only an address that says
    `of` it. project: None for a list of the whole installation, which has no actions.
    """
    address = address_of(request, of)
    if of:
        more["kept"] = {"of": of}
    data = address.copy()
    data.update(fixed or {})
    available = resource.rows(request.user, project)
    filters = resource.filters(data, queryset=available, request=request)
    if "archived" in resource.filters.base_filters:
        hidden = data.copy()
        hidden["archived"] = "true"
        there = resource.filters(hidden, queryset=available, request=request).qs.exists()
        request.has_archived = there or getattr(request, "has_archived", False)  # type: ignore[attr-defined]  # for the tag `archived`
    rows = filters.qs
    parameters: dict[str, Any] = {"sort": order or resource.order} | address.dict()
    if count is None or filters.given:
        count = rows.order_by().values("pk")[: MAX_COUNTED + 1].count()
    page = keyset_page(rows, parameters, resource.filters.sorts(), size=size, few=count <= MAX_COUNTED)
    actions: Sequence[tuple[Action, Any]] = ()
    if project and can_manage(request.user, project):
        actions = [
            (action, action.form and action.form(project=project, auto_id=False))
            for action in resource.actions
        ]
    return Table(
        resource=resource,
        label=label or resource.nouns.capitalize(),
        rows=dressed(page.rows) if dressed else page.rows,
        columns=columns or resource.columns,
        page=page,
        filters=filters,
        queryset=rows,
        count=count,
        address=address,
        actions=actions,
        **more,
    )


def address_of(request: HttpRequest, of: str) -> QueryDict:
    """What the address asks of one of the lists of a page; of the others it says only whether they show what
    is archived."""
    if request.GET.get("of", "") == of:
        return request.GET
    address = QueryDict(mutable=True)
    if of:
        address["of"] = of
    if "archived" in request.GET:
        address["archived"] = request.GET["archived"]
    return address


def list_response(
    request: HttpRequest, project: Project | None, template: str, *tables: Table, **context: Any
) -> HttpResponseBase:
    """The page of long lists, or with `?format=csv` all rows of the one that the address names as a file.

    Its template extends `corpus/list.html`. `listed` is whether any of the tables has a row, or would have
    one with other filters.
    """
    if asked_format(request) == CSV:
        named = [table for table in tables if table.kept.get("of") == request.GET.get("of")]
        return list_csv(request, project, (named or tables)[0])
    listed = any(table.there for table in tables)
    return render(request, template, {"tables": tables, "table": tables[0], "listed": listed} | context)


def list_csv(request: HttpRequest, project: Project | None, table: Table) -> HttpResponseBase:
    """All rows that the filters leave, in the order of the page, as a CSV file.

    Its columns are the fields of the rows in the API, those within objects too; lists are left out.
    """
    resource, page = table.resource, table.page
    order, sign = resource.filters.sorts()[page.sort], "-" if page.descending else ""
    rows = table.queryset.order_by(f"{sign}{order}", f"{sign}pk")

    def cells(some: list[Any]) -> list[dict[str, Any]]:
        context = {"request": request, "user": request.user}
        return [dict(flat(row)) for row in resource.serializer(some, many=True, context=context).data]

    def lines() -> Iterator[str]:
        head = list(resource.head)
        read = rows.iterator(WRITTEN_AT_ONCE)
        some = list(islice(read, WRITTEN_AT_ONCE))
        if resource.cells is None:
            head = list(dict.fromkeys(name for row in cells(some) for name in row))
        yield CSV_START + csv_lines([head])
        while some:
            if resource.cells is None:
                yield csv_lines([[row.get(name) for name in head] for row in cells(some)])
            else:
                yield csv_lines(resource.cells(project, some))
            some = list(islice(read, WRITTEN_AT_ONCE))

    filename = f"{project.slug}-{resource.name}.csv" if project else f"{resource.name}.csv"
    headers = attachment(filename, project, asked=request.GET.urlencode())
    return StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8", headers=headers)


@project_view(check_manage, POST)
def list_action(request: HttpRequest, project: Project, name: str) -> HttpResponse:
    """Do with the chosen rows of a list what the button says.

    It asks before where that destroys, or where it takes in all rows that the filters leave, not only those
    of a page. Then it names their number, and asks again if that has changed when the answer comes.
    """
    resource = resources().get(name)
    if resource is None:
        raise Http404(gettext("There is no list %(name)s.") % {"name": name})
    action = resource.action(request.POST.get("action", ""))
    filters = None
    if "all" in request.POST:
        filters = resource.matching(request, project, request.POST.get("filter", ""))
        ids = filtered_ids(filters)
    else:
        ids = [pk for text in request.POST.getlist("chosen")[:MAX_CHOSEN] if (pk := row_id(text))]
    large = len(ids) > CHANGED_AT_ONCE
    rows = [] if large else resource.chosen(request.user, project, ids)
    count = len(ids) if large else len(rows)
    form = action.form(request.POST, project=project) if action and action.form else None
    confirmed = request.POST.get("confirmed", "")
    if action is None or not count:
        messages.warning(
            request,
            gettext("Nothing was changed. Select at least one %(noun)s first.") % {"noun": resource.noun},
        )
    elif form is not None and not form.is_valid():
        reasons = " ".join(str(error) for errors in form.errors.values() for error in errors)
        messages.error(request, gettext("Nothing was changed. %(reasons)s") % {"reasons": reasons})
    elif confirmed != str(count) if filters is not None else action.destroys and not confirmed:
        context = {
            "resource": resource,
            "action": action,
            "filters": filters,
            "rows": rows if filters is None else rows[:ROWS_NAMED],
            "count": count,
            "more": count - ROWS_NAMED if filters is not None and not large else 0,
            "many": resource.many(count),
            "fields": [(field, str(form.cleaned_data[field.name])) for field in form]
            if form is not None
            else [],
            "changed": bool(confirmed),
            "job": large,
            "back": next_address(request) or reverse("project", args=[project.slug]),
        }
        return render(request, "projects/list_confirm.html", context)
    elif large:
        fields = {name: request.POST.get(name, "") for name in form.fields} if form is not None else {}
        job = launch_action(project, user_of(request), resource, action, ids, fields)
        messages.info(
            request,
            gettext("“%(title)s” runs in the background; the list of jobs says how far it is.")
            % {"title": job.title},
        )
    else:
        fields = form.cleaned_data if form is not None else {}
        try:
            with transaction.atomic() if filters is not None else nullcontext():
                outcome = action.act(rows, user_of(request), **fields)
            _report(request, resource, action, outcome)
        except PublicError as error:
            show_error(request, error)
    return back_to(request, "project", project.slug)


def filtered_ids(filters: ListFilters) -> list[int]:
    """The ids of all rows that the filters leave, none where one of them is invalid."""
    return list(filters.qs.order_by("pk").values_list("pk", flat=True)) if filters.is_valid() else []


def launch_action(
    project: Project, by: User, resource: Resource, action: Action, ids: list[int], fields: dict[str, Any]
) -> Any:
    """The job that does an action with more rows than are changed at once; fields: as they were sent."""
    launch = import_string(settings.LIST_ACTION_JOB)
    return launch(project=project, by=by, resource=resource, action=action, ids=ids, fields=fields)


def _report(request: HttpRequest, resource: Resource, action: Action, outcome: Outcome) -> None:
    if outcome.done:
        messages.success(
            request,
            gettext("%(many)s %(done)s.")
            % {"many": resource.many(len(outcome.done)), "done": gettext(action.done)},
        )
    if outcome.refused:
        reasons = list(dict.fromkeys(reason for _, reason in outcome.refused))
        more = len(reasons) - REASONS_SHOWN
        shown = " ".join(reasons[:REASONS_SHOWN])
        if more > 0:
            shown += gettext(" And %(count)s more reasons.") % {"count": more}
        messages.warning(
            request,
            gettext("%(many)s left unchanged. %(shown)s")
            % {"many": resource.many(len(outcome.refused)), "shown": shown},
        )
