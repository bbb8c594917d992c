"""Files that a page or the API gives to be kept."""

from __future__ import annotations

from django.utils.http import content_disposition_header


def attachment(filename: str) -> dict[str, str]:
    """The headers of a response that a browser saves under this name."""
    return {"Content-Disposition": str(content_disposition_header(as_attachment=True, filename=filename))}
