"""What a linking item holds for its annotator: the own links, and suggestions where the batch offers them."""

from __future__ import annotations

from typing import Any

from alignment.services.suggestions import current_links
from annotation.models import Assignment

RELATED = ("alignment__links", "item__suggested_links")
"""What to prefetch with assignments whose payloads are asked for together."""


def links_payload(assignment: Assignment) -> dict[str, Any]:
    alignment = getattr(assignment, "alignment", None)
    links = alignment.links.all() if alignment else []
    return {
        "links": [[link.a, link.b, link.strength, link.origin] for link in links],
        "null_a": alignment.null_a if alignment else [],
        "null_b": alignment.null_b if alignment else [],
        "suggestions": current_links(assignment.item),
    }
