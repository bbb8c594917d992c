"""Files that a page or the API gives to be kept."""

from __future__ import annotations

from pathlib import Path

from django.http import FileResponse
from django.utils.http import content_disposition_header


def attachment(filename: str) -> dict[str, str]:
    """The headers of a response that a browser saves under this name."""
    return {"Content-Disposition": str(content_disposition_header(as_attachment=True, filename=filename))}


def zip_response(path: Path, filename: str) -> FileResponse:
    """A zip file on this disk, saved under this name."""
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=filename, content_type="application/zip"
    )
