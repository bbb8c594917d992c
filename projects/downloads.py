"""Files that a page or the API gives to be kept. Each download leaves an entry in the audit log."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

from django.http import FileResponse
from django.utils.http import content_disposition_header

from projects.models import Project
from projects.services.audit import record_download


def attachment(filename: str, project: Project | None, **details: Any) -> dict[str, str]:
    """The headers of a response that a browser saves under this name; it is recorded, with `details`."""
    record_download(project, filename, **details)
    return {"Content-Disposition": str(content_disposition_header(as_attachment=True, filename=filename))}


def zip_response(file: Path | IO[bytes], filename: str, project: Project | None) -> FileResponse:
    """A zip file on this disk, saved under this name; it is recorded."""
    record_download(project, filename)
    opened = file.open("rb") if isinstance(file, Path) else file
    return FileResponse(opened, as_attachment=True, filename=filename, content_type="application/zip")
