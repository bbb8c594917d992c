"""Sending twice makes one thing: the first request with a key does the work, the others get its result.

A form that makes something carries a token of its own; a request to the API has the header Idempotency-Key.
"""

from __future__ import annotations

import json
import secrets
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from projects.api.transport import NdjsonParser
from projects.errors import KeyReused, PublicError
from projects.models import Project, Submission
from projects.views.project_view import user_of

KEPT = timedelta(days=2)
# A request that has no result after this was cut off with its process; the next one does the work.
CUT_OFF = timedelta(minutes=3)
WAIT_SECONDS = 20.0
POLL_SECONDS = 0.05
FIELD = "form_token"
HEADER = "Idempotency-Key"
MADE = {status.HTTP_201_CREATED, status.HTTP_202_ACCEPTED}

Answer = TypeVar("Answer")


class StillRunning(PublicError):
    """The first request with the key is still at work."""


@dataclass(frozen=True)
class Claim:
    """The right to do the work of a submission. End it with `carry_out`, `settle` or `release`."""

    submission: Submission

    def settle(self, result: Any, project: Project | None = None) -> None:
        """Keep what the work led to (JSON, not None) for whoever sends the same again, as long as the project
        that it belongs to is there."""
        Submission.objects.filter(pk=self.submission.pk).update(result=result, project=project)

    def release(self) -> None:
        """Nothing was made: the next request with the key does the work."""
        Submission.objects.filter(pk=self.submission.pk).delete()

    def carry_out(
        self,
        work: Callable[[], Answer],
        result_of: Callable[[Answer], Any],
        project_of: Callable[[], Project | None] = lambda: None,
    ) -> Answer:
        """Do the work; `result_of` says what to keep of its answer, None where nothing was made, and
        `project_of`, asked afterwards, which project the work was in."""
        try:
            answer = work()
        except BaseException:
            self.release()
            raise
        result = result_of(answer)
        if result is None:
            self.release()
        else:
            self.settle(result, project_of())
        return answer


def claim(*, user: User, key: str, body_sha256: str, wait: float = WAIT_SECONDS) -> Claim | Any:
    """A Claim for the first request with a key; for the others its result, waiting for it if need be.

    Raises KeyReused where the key came with another body before, StillRunning after `wait` seconds.
    """
    deadline = time.monotonic() + wait
    while True:
        now = timezone.now()
        try:
            submission, first = Submission.objects.get_or_create(
                user=user, key=key, defaults={"body_sha256": body_sha256, "begun_at": now}
            )
        except IntegrityError:
            # Somebody else created it after this request looked, and released it before it looked again.
            continue
        if first:
            Submission.objects.filter(begun_at__lt=now - KEPT).delete()
            return Claim(submission)
        if submission.body_sha256 != body_sha256:
            raise KeyReused("This Idempotency-Key was used for another request. Send a new key.")
        if submission.result is not None:
            return submission.result
        if _take_over(submission, now):
            return Claim(submission)
        if time.monotonic() > deadline:
            raise StillRunning("The same request is still running. Wait for its result.")
        time.sleep(POLL_SECONDS)


@transaction.atomic
def _take_over(submission: Submission, now: Any) -> bool:
    cut_off = Submission.objects.filter(pk=submission.pk, result__isnull=True, begun_at__lt=now - CUT_OFF)
    return cut_off.update(begun_at=now) == 1


def fingerprint(address: str, fields: Any, files: Mapping[str, Any]) -> str:
    """Of the address and all that was sent there, the contents of files included."""
    sent = [(name, file.name, file.size, _sha256(file)) for name, file in sorted(files.items())]
    return sha256(json.dumps([address, fields, sent], sort_keys=True, default=str).encode()).hexdigest()


def _sha256(file: UploadedFile) -> str:
    digest = sha256()
    for piece in file.chunks():
        digest.update(piece)
    file.seek(0)
    return digest.hexdigest()


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
    fields = sorted((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
    key = fingerprint(request.get_full_path(), fields, request.FILES)
    try:
        first = claim(user=user_of(request), key=key, body_sha256=key)
    except StillRunning as error:
        messages.warning(request, str(error))
        return redirect(request.get_full_path())
    if not isinstance(first, Claim):
        messages.info(request, _("This form was sent before and carried out once. This is its result."))
        return redirect(first)

    def address_of(response: HttpResponse) -> str | None:
        leads_on = isinstance(response, HttpResponseRedirect) and not getattr(request, "refused", False)
        return response.url if leads_on else None  # type: ignore[attr-defined]  # of a redirect

    return first.carry_out(work, address_of, lambda: getattr(request, "project", None))


def idempotency_key(request: Request) -> uuid.UUID:
    """The key of a request. Raises ValidationError for a missing one and one that is no UUID."""
    try:
        return uuid.UUID(request.headers.get(HEADER, ""))
    except ValueError:
        raise ValidationError(
            {"detail": _("Send a UUID in the header %(header)s.") % {"header": HEADER}}
        ) from None


def once(handler: Callable[..., Response]) -> Callable[..., Response]:
    """A handler that makes one thing for each key, and answers the same to the same request again.

    Corpus files as application/x-ndjson are read as they come: the key does not count for them.
    """

    def handle(request: Request, *args: Any, **kwargs: Any) -> Response:
        if str(request.content_type).startswith(NdjsonParser.media_type):
            return handler(request, *args, **kwargs)
        key = f"api:{idempotency_key(request)}"
        data = request.data
        fields = sorted(data.lists()) if hasattr(data, "lists") else data
        sent = fingerprint(f"{request.method} {request.get_full_path()}", fields, request.FILES)
        first = claim(user=cast(User, request.user), key=key, body_sha256=sent)
        if not isinstance(first, Claim):
            return Response(first["data"], status=first["status"])
        endpoint = getattr(handler, "__self__", None)
        return first.carry_out(
            lambda: handler(request, *args, **kwargs), _made, lambda: getattr(endpoint, "project", None)
        )

    return handle


def forget(*names: str) -> None:
    """Delete the submissions whose results, as JSON, contain one of the names; "" is none."""
    rows = Submission.objects.exclude(result=None).values_list("pk", "result")
    naming = [
        pk
        for pk, result in rows.iterator()
        if any(name and name in json.dumps(result, ensure_ascii=False) for name in names)
    ]
    Submission.objects.filter(pk__in=naming).delete()


def _made(response: Response) -> dict[str, Any] | None:
    """What to answer again, in JSON; None where nothing was made."""
    if response.status_code not in MADE:
        return None
    data = json.loads(json.dumps(response.data, cls=JSONEncoder))
    return {"status": response.status_code, "data": data}
