"""Requests whose text is not UTF-8 are refused before anything is stored.

`projects.api.parsers` refuses JSON with lone surrogates. Django itself takes them out of names of files.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render

from config.errors import API
from projects.lone_surrogates import REFUSAL, is_surrogate_error

ONLY_UTF8 = "Only UTF-8 is accepted. Send the request again as UTF-8."


class Utf8Requests:
    """Refuses requests in other encodings, and answers 400 to text that can be neither stored nor shown."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # None without a charset, or with one that Python does not know.
        if request.encoding and codecs.lookup(request.encoding).name not in ("utf-8", "ascii"):
            return _refused(request, ONLY_UTF8, 415)
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        return _refused(request, REFUSAL, 400) if is_surrogate_error(error) else None


def _refused(request: HttpRequest, why: str, status: int) -> HttpResponseBase:
    if request.path.startswith(API):
        return JsonResponse({"detail": why}, status=status)
    return render(None, "400.html", {"why": why}, status=status)
