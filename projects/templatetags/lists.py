"""Ways from a long list to what it lists and back: the address of the detail page names the list."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from projects.columns import Column

register = template.Library()


@register.simple_tag(takes_context=True)
def detail_url(context: template.Context, view: str, *arguments: object, row: int | str) -> str:
    """The page of a row of the list that is shown, which leads back to that row.

    The link that it is for has `id="row-..."`, so that a browser focuses it on the way back.
    """
    request: HttpRequest = context["request"]
    return f"{reverse(view, args=arguments)}?{urlencode({'list': f'{request.get_full_path()}#row-{row}'})}"


@register.simple_tag(takes_context=True)
def cell(context: template.Context, column: Column, row: Any, first: bool = False) -> SafeString:
    """What a column shows of a row; the first one names the row."""
    css = format_html(' class="{}"', column.css) if column.css else ""
    tag, scope = ("th", SafeString(' scope="row"')) if first else ("td", "")
    return format_html("<{}{}{}>{}</{}>", tag, scope, css, column.cell(row, context["request"]), tag)


@register.simple_tag(takes_context=True)
def back_link(context: template.Context) -> SafeString | str:
    """The way back to the row of the list that one came from; nothing where one came from elsewhere."""
    request: HttpRequest = context["request"]
    address = request.GET.get("list", "")
    safe = address.startswith("/projects/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return (
        format_html('<a href="{}" data-back>{}</a> / ', address, gettext("Back to the list")) if safe else ""
    )
