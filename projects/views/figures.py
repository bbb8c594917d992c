"""The figures of a page, as files too (`?svg=`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import gettext as _

from paragold.charts import Chart
from projects.downloads import attachment
from projects.models import Project


def page_with_figures(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    figures: Iterable[Chart | None],
    *,
    status: int = 200,
) -> HttpResponse:
    """The page, or the one of its figures that `?svg=` names as a file."""
    name = request.GET.get("svg")
    if name is None:
        return render(request, template, dict(context), status=status)
    for figure in figures:
        if figure is not None and figure.name == name:
            return svg_file(figure, getattr(request, "project", None))
    raise Http404(_("There is no figure %(name)s.") % {"name": name})


def linked(text: str, url: str) -> str:
    """A cell of a figure's data that leads to what it counts; the text alone where there is no address."""
    return format_html('<a href="{}">{}</a>', url, text) if url else text


def svg_file(figure: Chart, project: Project | None) -> HttpResponse:
    headers = attachment(f"{figure.name}.svg", project)
    return HttpResponse(svg_text(figure), content_type="image/svg+xml", headers=headers)


def svg_text(figure: Chart) -> str:
    """A figure that needs nothing but itself: with its title, on white, for print."""
    return render_to_string("figures/file.svg", {"figure": figure})
