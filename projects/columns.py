"""Columns of lists, and how a page draws what is in their cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import singledispatch
from typing import Any

from django.http import HttpRequest
from django.template.defaultfilters import date as formatted, floatformat
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext

NUMBER = "num"


@dataclass(frozen=True, slots=True)
class Link:
    """Leads to the page `view` of the project's object `pk`, or where `view` is an address to that.

    query: of the address. back: the page leads back to this row of the list.
    """

    text: Any
    view: str
    pk: int | None = None
    query: str = ""
    back: bool = False

    def address(self, request: HttpRequest) -> str:
        if self.view.startswith("/"):
            return self.view
        slug = request.project.slug  # type: ignore[attr-defined]  # set by `project_view`
        query = self.query
        if self.back:
            query = urlencode({"list": f"{request.get_full_path()}#row-{self.pk}"})
        address = reverse(self.view, args=[slug] if self.pk is None else [slug, self.pk])
        return f"{address}?{query}" if query else address


@dataclass(frozen=True, slots=True)
class Quiet:
    """Said in passing."""

    text: Any


@singledispatch
def drawn(value: object, request: HttpRequest) -> SafeString:
    """The HTML of a value: several of a list with commas, parts of a tuple with spaces between them."""
    text = str(value)
    return format_html("<bdi>{}</bdi>", text) if text else SafeString()


@drawn.register(type(None))
def _(value: None, request: HttpRequest) -> SafeString:
    return SafeString()


@drawn.register
def _(value: SafeString, request: HttpRequest) -> SafeString:
    return value


@drawn.register
def _(value: bool, request: HttpRequest) -> SafeString:
    return SafeString(gettext("yes") if value else "")


@drawn.register
def _(value: int, request: HttpRequest) -> SafeString:
    return SafeString(floatformat(value, "0g"))


@drawn.register
def _(value: float, request: HttpRequest) -> SafeString:
    return SafeString(floatformat(value, 3))


@drawn.register
def _(value: datetime, request: HttpRequest) -> SafeString:
    at = timezone.localtime(value)
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), formatted(at, "Y-m-d H:i"))


@drawn.register
def _(value: date, request: HttpRequest) -> SafeString:
    return format_html('<time datetime="{0}">{0}</time>', value.isoformat())


@drawn.register
def _(value: Link, request: HttpRequest) -> SafeString:
    row = format_html(' id="row-{}"', value.pk) if value.back else ""
    return format_html('<a{} href="{}">{}</a>', row, value.address(request), drawn(value.text, request))


@drawn.register
def _(value: Quiet, request: HttpRequest) -> SafeString:
    return format_html('<span class="quiet">{}</span>', drawn(value.text, request))


@drawn.register
def _(value: list, request: HttpRequest) -> SafeString:
    return format_html_join(", ", "{}", ((drawn(part, request),) for part in value))


@drawn.register
def _(value: tuple, request: HttpRequest) -> SafeString:
    parts = (drawn(part, request) for part in value)
    return format_html_join(" ", "{}", ((part,) for part in parts if part))


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a list on its page.

    value: of a row, a function or the path of an attribute, as "job.state"; `drawn` draws it. sort: the name
    of the order by it. css: class of the cells, NUMBER for numbers and times.
    """

    label: str
    value: str | Callable[[Any], Any] = ""
    sort: str = ""
    css: str = ""

    def cell(self, row: Any, request: HttpRequest) -> SafeString:
        """What it shows of a row; nothing where something on the path is None."""
        if not isinstance(self.value, str):
            return drawn(self.value(row), request)
        for name in self.value.split("."):
            row = None if row is None else getattr(row, name)
        return drawn(row, request)


def number(label: str, value: str | Callable[[Any], Any] = "", sort: str = "") -> Column:
    """A column of numbers or times."""
    return Column(label, value, sort, NUMBER)
