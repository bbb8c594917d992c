"""Figures of pages, each a file of its own as well: `?svg=` and its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from paragold.charts import Figure
from projects.downloads import attachment
from projects.models import Project


def page_with_figures(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    figures: Iterable[Figure | None],
    *,
    status: int = 200,
) -> HttpResponse:
    """The page, or the one of its figures that `?svg=` names as a file."""
    name = request.GET.get("svg")
    if name is None:
        return render(request, template, dict(context), status=status)
    for figure in figures:
        if figure is not None and figure.chart.name == name:
            return svg_file(figure, getattr(request, "project", None))
    raise Http404(f"There is no figure {name}.")


def svg_file(figure: Figure, project: Project | None) -> HttpResponse:
    headers = attachment(f"{figure.chart.name}.svg", project)
    return HttpResponse(svg_text(figure), content_type="image/svg+xml", headers=headers)


def svg_text(figure: Figure) -> str:
    """A figure that needs nothing but itself: with its title, on white, for print."""
    return render_to_string("figures/file.svg", {"figure": figure})
