"""Analyses answer programs at the address of their page, with `?format=json`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.views import APIView

from .project_view import SAFE


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
