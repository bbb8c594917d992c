"""Errors outside any view: JSON under /api/, a page elsewhere."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.defaults import bad_request, page_not_found, server_error

from config import overload

API = overload.API


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if request.path.startswith(API):
        return JsonResponse({"detail": "There is nothing at this address."}, status=404)
    return page_not_found(request, exception)


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if request.path.startswith(API):
        return JsonResponse(
            {"detail": "The request could not be read. Check it and send it again."}, status=400
        )
    return bad_request(request, exception)


def broken(request: HttpRequest) -> HttpResponseBase:
    """Every error that nobody has caught, in views and middleware alike."""
    hindrance = overload.overload_of(sys.exception())
    if hindrance is not None:
        return overload.answer(request, hindrance)
    if request.path.startswith(API):
        return JsonResponse({"detail": "Something broke here; the server's log says what."}, status=500)
    return server_error(request)
