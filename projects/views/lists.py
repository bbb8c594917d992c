"""Pages that list things: `corpus/list.html` draws the tables that a view names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a list page.

    label: what it lists; `heading` says whether that is its heading, as where a page has several tables.
    row: the template of a row, a `<tr>`, which gets the row as `row`.
    columns: their headings; `numbers` are those of them whose cells are numbers.
    """

    label: str
    rows: Collection[Any]
    row: str
    columns: Sequence[str]
    numbers: Collection[str] = ()
    heading: bool = False


def list_page(request: HttpRequest, template: str, *tables: Table, **context: Any) -> HttpResponse:
    """A page whose template extends `corpus/list.html` with a heading and with what is said of an empty list.

    `listed` is whether any of the tables has a row.
    """
    listed = any(table.rows for table in tables)
    return render(request, template, {"tables": tables, "listed": listed} | context)
