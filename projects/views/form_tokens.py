"""A form that makes something carries a token of its own: sent twice, it makes one thing."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString

from projects.services.submissions import Claim, StillRunning, claim

from .project_view import user_of

FIELD = "form_token"


def form_token(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `{{ form_token }}` is the hidden field, new with every page."""
    return {FIELD: hidden_field}


def hidden_field() -> SafeString:
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, secrets.token_urlsafe(18))


class SubmitOnce:
    """Middleware: a form with a token is carried out once; whoever sends it again is led to its result."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        # A view that reads its body by itself calls `submit_once` once it has.
        if request.method != "POST" or getattr(view, "csrf_exempt", False) or FIELD not in request.POST:
            return None
        return submit_once(request, lambda: view(request, *args, **kwargs))


def submit_once(request: HttpRequest, work: Callable[[], HttpResponse]) -> HttpResponse:
    """The response of `work()`, or a redirect to where the same form led before.

    The same is: the same token, address and fields. A form that is changed and sent again, after Back, is
    another; one that was refused may be sent again as it is.
    """
    if FIELD not in request.POST:
        return work()
    key = fingerprint(request)
    try:
        first = claim(user=user_of(request), key=key, body_sha256=key)
    except StillRunning as error:
        messages.warning(request, str(error))
        return redirect(request.get_full_path())
    if not isinstance(first, Claim):
        messages.info(request, "This form was sent before. It was carried out once; this is its result.")
        return redirect(first)
    try:
        response = work()
    except BaseException:
        first.release()
        raise
    if isinstance(response, HttpResponseRedirect) and not getattr(request, "refused", False):
        first.settle(response.url)
    else:
        first.release()
    return response


def fingerprint(request: HttpRequest) -> str:
    """Of all that a form sends, its files' contents among it."""
    fields = sorted((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
    found = sha256(json.dumps([request.get_full_path(), fields]).encode())
    for name, sent in sorted(request.FILES.items()):
        file = cast(UploadedFile, sent)
        found.update(json.dumps([name, file.name, file.size]).encode())
        for piece in file.chunks():
            found.update(piece)
        file.seek(0)
    return found.hexdigest()
