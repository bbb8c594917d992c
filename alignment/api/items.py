"""What a linking item holds for its annotator: the own links, and suggestions where the batch offers them."""

from __future__ import annotations

from typing import Any

from alignment.services.suggestions import current_links
from annotation.api.items import ItemKind
from annotation.models import Assignment


def links_payload(assignment: Assignment) -> dict[str, Any]:
    alignment = getattr(assignment, "alignment", None)
    links = alignment.links.all() if alignment else []
    return {
        "links": [[link.a, link.b, link.strength, link.origin] for link in links],
        "null_a": alignment.null_a if alignment else [],
        "null_b": alignment.null_b if alignment else [],
        "suggestions": current_links(assignment.item),
    }


LINK_ITEMS = ItemKind(links_payload, ("alignment__links", "item__suggested_links"))
