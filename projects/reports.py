"""Reports: an analysis that one view answers as a page, as JSON, and each of its tables as CSV or LaTeX.

Programs ask with `?format=json`, `csv` or `tex`, or by the Accept header; `?table=` names the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from paragold.charts import Chart
from paragold.formats.tables import csv_table, latex_table, latex_text
from projects.api.endpoint import PARAMETERS, Check, KeySetPagination, ProjectEndpoint
from projects.api.serializers import refuse_unknown
from projects.downloads import attachment
from projects.models import Project
from projects.views.figures import page_with_figures
from projects.views.project_view import SAFE, project_view

JSON, CSV, LATEX = "json", "csv", "tex"
FORMATS = {JSON: JSON, CSV: CSV, LATEX: LATEX, "latex": LATEX}
CONTENT_TYPES = {JSON: "application/json", CSV: "text/csv", LATEX: "application/x-tex"}


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for which project's report, with the choices of the address.

    The form is checked; of a page it may hold errors, and `chosen` only what is valid.
    """

    request: HttpRequest
    project: Project
    form: Any
    by_program: bool

    @property
    def user(self) -> User:
        return cast(User, self.request.user)

    @property
    def chosen(self) -> dict[str, Any]:
        return {name: value for name, value in self.form.cleaned_data.items() if value not in ("", None)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """An analysis.

    answer: single values, and tables as lists of rows, by name: what JSON holds and the template gets.
    page: gives what the template needs beside them, such as rows of the database; not asked for programs.
    figures: its charts by `page`'s result, each of which `?svg=` names as a file. status: of the page, 422
    where its form shows errors. name: how files of its tables begin. files: by format, what writes the file
    where the report has a shape of its own. paged: whether JSON has `items` a page at a time.
    """

    answer: Mapping[str, Any]
    page: Callable[[], Mapping[str, Any]] = dict
    figures: Callable[[Mapping[str, Any]], Collection[Chart | None]] = lambda context: ()
    status: int = 200
    name: str = "report"
    files: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    paged: bool = False

    def file(self, form: str, table: str | None, project: Project) -> HttpResponse:
        """A table, the first unless it is named, as CSV or LaTeX."""
        tables = tables_in(self.answer)
        rows = tables.get(table or next(iter(tables), ""), [])
        if form in self.files and not table:
            text = self.files[form]()
        elif not rows:
            raise Http404(
                _("There is no such table; there are: %(tables)s.")
                % {"tables": ", ".join(tables) or _("none")}
            )
        else:
            head = list(dict.fromkeys(name for row in rows for name in row))
            lines = [[row.get(name) for name in head] for row in rows]
            text = csv_table(head, lines) if form == CSV else latex_of(head, lines)
        headers = attachment(f"{project.slug}-{self.name}.{form}", project)
        return HttpResponse(text, content_type=f"{CONTENT_TYPES[form]}; charset=utf-8", headers=headers)


Compute = Callable[..., Any]


def no_choices(data: Any, project: Project) -> forms.Form:
    return forms.Form(data)


def report(
    template: str,
    check: Check,
    *,
    choices: Callable[[Any, Project], forms.Form] = no_choices,
    refused: Sequence[str] = (),
) -> Callable[[Compute], Callable[..., HttpResponseBase]]:
    """Make `compute(asked, **arguments)` the view of a report, for those whom `check` admits.

    Where a page is asked for it may also give a file of its own.

    choices: makes the form of the address's parameters. Programs get 400 for a parameter that it does not
    have or refuses. refused: as of `project_view`.
    """

    def decorate(compute: Compute) -> Callable[..., HttpResponseBase]:
        def asked(request: HttpRequest, project: Project, by_program: bool) -> Asked:
            form = choices(request.GET, project)
            form.is_valid()
            return Asked(request, project, form, by_program)

        @project_view(check, SAFE, refused=refused)
        def page(request: HttpRequest, project: Project, **arguments: Any) -> HttpResponseBase:
            of = asked(request, project, False)
            made = compute(of, **arguments)
            if isinstance(made, HttpResponseBase):
                return made
            context = {"form": of.form, **made.answer, **made.page()}
            figures = made.figures(context)
            return page_with_figures(request, template, context, figures, status=made.status)

        class Programs(ProjectEndpoint):
            checks = {"GET": check}
            wanted = JSON

            def get(self, request: Request, **arguments: Any) -> HttpResponseBase:
                del arguments["slug"]
                of = asked(request._request, self.project, True)
                given = [name for name in request.query_params if name not in (*PARAMETERS, "table")]
                refuse_unknown(given, of.form.fields, "filter")
                made = None if of.form.errors else compute(of, **arguments)
                if made is None or of.form.errors:
                    raise ValidationError(of.form.errors.as_data())
                if self.wanted == JSON and made.paged:
                    pages = KeySetPagination()
                    return pages.get_paginated_response(
                        pages.paginate_queryset(made.answer["items"], request)
                    )
                if self.wanted == JSON:
                    return Response(made.answer)
                return made.file(self.wanted, request.query_params.get("table"), self.project)

        views = {name: Programs.as_view(wanted=wanted) for name, wanted in FORMATS.items()}
        return page_or_data(page, views)

    return decorate


def tables_in(
    answer: Mapping[str, Any], before: str = "", outer: Mapping[str, Any] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """All lists of rows by name. Those within a row are a table of their own, `passes.words`, with the cells
    of that row before them."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for name, value in answer.items():
        table = before + name
        rows = [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []
        for row in rows:
            cells = dict(outer or {}) | dict(flat(row))
            tables.setdefault(table, []).append(cells)
            of_row = {f"{table}.{column}": cell for column, cell in cells.items()}
            for inner, inner_rows in tables_in(row, f"{table}.", of_row).items():
                tables.setdefault(inner, []).extend(inner_rows)
        if isinstance(value, Mapping):
            tables |= tables_in(value, f"{table}.", outer)
    return tables


def latex_of(head: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
    """A table with its head as LaTeX."""
    texts = [["" if cell is None else latex_text(str(cell)) for cell in line] for line in (head, *lines)]
    return latex_table("l" * len(head), texts[:1], texts[1:])


def asked_format(request: HttpRequest) -> str:
    """What a program asks for; "" for a page."""
    if request.method not in SAFE:
        return ""
    by_type = {content_type: name for name, content_type in CONTENT_TYPES.items()}
    return request.GET.get("format") or by_type.get(request.headers.get("Accept", ""), "")


def page_or_data(
    page: Callable[..., HttpResponseBase], views: Mapping[str, Callable[..., HttpResponseBase]]
) -> Callable[..., HttpResponseBase]:
    """The view of an address: the page, or by the format that is asked for what one of `views` answers.

    These take the logins of the API, tokens and sessions, and their errors are JSON. Their other parameters
    are those of the page.
    """

    def view(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        answer = views.get(asked_format(request))
        if answer is None:
            return page(request, **arguments)
        parameters = request.GET.copy()
        parameters.pop("format", None)  # it is no filter
        for name in [name for name, value in parameters.items() if not value]:
            del parameters[name]  # a field of the page's form that was left empty
        request.GET = parameters  # type: ignore[assignment]  # mutable or not is all the same
        return answer(request, **arguments)

    view.data_formats = views.keys()  # type: ignore[attr-defined]  # for LoginRequired
    return view


def flat(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The cells of a row by column: those of an object within are columns too, lists are left out."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{name}_")
        elif not isinstance(value, list | tuple):
            yield before + str(name), value
