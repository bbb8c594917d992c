"""Files that a browser sends in one request: bounded, kept by the uploads service."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload, TemporaryFileUploadHandler
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from corpus.services import uploads
from corpus.services.uploads import MEGABYTES_AT_MOST, MEGABYTES_IN_PIECES, Upload, UploadGone
from paragold.parsing.process import prepare
from projects.models import Project
from projects.submissions import submit_once
from projects.views.project_view import FORM, ResultT, submitted


class SizeLimit(FileUploadHandler):
    """Stops an upload that grows beyond the limit; put it before the handlers that write.

    `exceeded` says afterwards whether it did.
    """

    exceeded = False
    received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.received > MEGABYTES_AT_MOST << 20:
            self.exceeded = True
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def bounded_upload(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that files are sent to: they go to the disk, and stop at the limit, its argument `limit`."""

    @csrf_protect
    def protected(request: HttpRequest, **arguments: Any) -> HttpResponse:
        return submit_once(request, lambda: view(request, **arguments))

    @csrf_exempt  # the body is read once the handlers are in place: then `protected` checks the token
    @require_http_methods(FORM)
    @wraps(view)
    def bounded(request: HttpRequest, **arguments: Any) -> HttpResponse:
        if request.method == "GET":
            prepare()
        limit = SizeLimit(request)
        request.upload_handlers = [limit, TemporaryFileUploadHandler(request)]
        return protected(request, limit=limit, **arguments)

    return bounded


# What the pages with an upload say of it; a smaller file comes in one request.
UPLOAD_LIMITS = {
    "limit": MEGABYTES_AT_MOST,
    "limit_in_pieces": MEGABYTES_IN_PIECES,
    "at_once_bytes": 1 << 20,
}


def blame_size(form: forms.Form, limit: SizeLimit, command: str = "import_corpus") -> None:
    """Say at the form's file that it is too large, where it was."""
    if limit.exceeded:
        form.errors.pop("file", None)
        form.add_error(
            "file",
            f"This file is larger than {MEGABYTES_AT_MOST} MB, the most that can come in one request. With "
            f"scripts switched on it is sent in pieces; or use `manage.py {command}` on the server.",
        )


def submitted_files(form: forms.Form, limit: SizeLimit, act: Callable[[], ResultT]) -> ResultT | None:
    """As `submitted`; files that are too large together are refused, whatever else is wrong."""
    if limit.exceeded:
        form.errors.clear()
        form.add_error(None, f"These files are larger than {MEGABYTES_AT_MOST} MB together.")
        return None
    return submitted(form, act)


def keep_upload(file: UploadedFile, *, encoding: str, project: Project | None, user: Any) -> Upload:
    """Store an uploaded file under a random name; its own name is only remembered, never used as a path."""
    return uploads.keep_upload(
        pieces=file.chunks(),
        size=file.size or 0,
        filename=file.name or "upload",
        encoding=encoding,
        project=project,
        user=user,
    )


def find_upload(token: str, *, project: Project, user: Any) -> Upload:
    """An upload that a page continues with. Raises Http404 when it is gone or somebody else's."""
    try:
        return uploads.find_upload(token, project=project, user=user)
    except UploadGone as error:
        raise Http404(str(error)) from error
