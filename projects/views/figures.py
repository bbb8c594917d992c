"""What else a page answers with: its figures as files (`?svg=`), its analysis as JSON (`?format=json`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import format_html
from rest_framework.views import APIView

from paragold.charts import Chart
from projects.downloads import attachment
from projects.models import Project
from projects.views.project_view import SAFE


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
    raise Http404(f"There is no figure {name}.")


def linked(text: str, url: str) -> str:
    """A cell of a figure's data that leads to what it counts; the text alone where there is no address."""
    return format_html('<a href="{}">{}</a>', url, text) if url else text


def svg_file(figure: Chart, project: Project | None) -> HttpResponse:
    headers = attachment(f"{figure.name}.svg", project)
    return HttpResponse(svg_text(figure), content_type="image/svg+xml", headers=headers)


def svg_text(figure: Chart) -> str:
    """A figure that needs nothing but itself: with its title, on white, for print."""
    return render_to_string("figures/file.svg", {"figure": figure})


def wants_json(request: HttpRequest) -> bool:
    return request.method in SAFE and request.GET.get("format") == "json"


def page_and_json(
    page: Callable[..., HttpResponseBase], endpoint: type[APIView]
) -> Callable[..., HttpResponseBase]:
    """The view of an address: the page, or with `?format=json` what the endpoint answers to GET.

    The endpoint takes the logins of the API, tokens and sessions, and its errors are JSON. Its other
    parameters are those of the page.
    """
    answer = endpoint.as_view()

    def view(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if not wants_json(request):
            return page(request, **arguments)
        parameters = request.GET.copy()
        del parameters["format"]  # it is no filter of the endpoint
        for name in [name for name, value in parameters.items() if not value]:
            del parameters[name]  # a field of the page's form that was left empty
        request.GET = parameters  # type: ignore[assignment]  # mutable or not is all the same
        return answer(request, **arguments)

    view.answers_json = True  # type: ignore[attr-defined]  # for LoginRequired
    return view
