"""Files that a browser sends in one request: bounded, kept by the uploads service."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from django import forms
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from corpus.services import uploads
from corpus.services.importing import import_kinds
from corpus.services.uploads import MEGABYTES_AT_MOST, Upload, check_room, may_send_large
from projects.error_responses import (
    FULL,
    TOO_LITTLE_ROOM,
    Overload,
    answer_overload,
    asks_for_json,
    overload_of,
)
from projects.errors import TooLittleRoom
from projects.models import Project
from projects.parsing.process import prepare
from projects.submissions import submit_once
from projects.views.project_view import FORM, ResultT, submitted


class SizeLimit(FileUploadHandler):
    """Stops an upload that grows beyond the limit, or does not fit on the disk, and reads on to its end: so
    the browser gets the answer. Put it before the handlers that write.

    `exceeded` says afterwards whether it was too large, `refusal` why there was no room.
    """

    exceeded = False
    received = 0
    refusal: Overload | None = None

    def __init__(self, request: HttpRequest, megabytes: int) -> None:
        super().__init__(request)
        self.megabytes = megabytes
        if megabytes > MEGABYTES_AT_MOST and request.method == "POST":
            try:
                check_room(int(request.META.get("CONTENT_LENGTH") or 0))
            except TooLittleRoom as error:
                self.refusal = Overload(str(error), FULL.retry_after)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        self.exceeded = self.received > self.megabytes << 20
        if self.exceeded or self.refusal:
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


class BoundedFiles(TemporaryFileUploadHandler):
    """Writes files to the disk until that is full."""

    def __init__(self, request: HttpRequest, limit: SizeLimit) -> None:
        super().__init__(request)
        self._limit = limit

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        try:
            super().receive_data_chunk(raw_data, start)
        except OSError as error:
            if overload_of(error) is not FULL:
                raise
            self._limit.refusal = FULL
            self.file.close()
            raise StopUpload(connection_reset=False) from error


def bounded_upload(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A page that files are sent to: they go to the disk, and stop at the limit, its argument `limit`.

    It is that of the `kind` of import, if the address has one. A script that asks for JSON is told the
    address that the page leads to.
    """

    @csrf_protect
    def protected(request: HttpRequest, limit: SizeLimit, **arguments: Any) -> HttpResponseBase:
        def work() -> HttpResponse:
            if limit.refusal:
                return answer_overload(request, limit.refusal, TOO_LITTLE_ROOM)
            return view(request, limit=limit, **arguments)

        response = submit_once(request, work)
        if asks_for_json(request) and isinstance(response, HttpResponseRedirect):
            return JsonResponse({"address": response.url})
        return response

    @csrf_exempt  # the body is read once the handlers are in place: then `protected` checks the token
    @require_http_methods(FORM)
    @wraps(view)
    def bounded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if request.method == "GET":
            prepare()
        limit = SizeLimit(request, _megabytes(request, **arguments))
        request.upload_handlers = [limit, BoundedFiles(request, limit)]
        return protected(request, limit=limit, **arguments)

    return bounded


def _megabytes(request: HttpRequest, *, kind: str = "", slug: str | None = None, **others: object) -> int:
    if not kind:
        return MEGABYTES_AT_MOST
    sent = import_kinds()[kind]
    if sent.megabytes > MEGABYTES_AT_MOST and not may_send_large(request.user, slug):
        return MEGABYTES_AT_MOST
    return sent.megabytes * len(sent.parts)


def submitted_files(form: forms.Form, limit: SizeLimit, act: Callable[[], ResultT]) -> ResultT | None:
    """As `submitted`; files that are too large together are refused, whatever else is wrong."""
    if limit.exceeded:
        form.errors.clear()
        form.add_error(
            None, _("These files are larger than %(limit)s MB together.") % {"limit": limit.megabytes}
        )
        return None
    return submitted(form, act)


def keep_upload(file: UploadedFile, *, encoding: str, project: Project | None, user: Any) -> Upload:
    """Store an uploaded file under a random name; its own name is only remembered, never used as a path."""
    return uploads.keep_upload(
        pieces=Path(file.temporary_file_path()) if isinstance(file, TemporaryUploadedFile) else file.chunks(),
        size=file.size or 0,
        filename=file.name or "upload",
        encoding=encoding,
        project=project,
        user=user,
    )
