"""By what method the story of an import's pages was found, and by which others it can be."""

from __future__ import annotations

from typing import Any

from corpus.models import CorpusImport
from corpus.services.importing import page_count
from corpus.services.main_text import method_of


def story_context(source: CorpusImport) -> dict[str, Any]:
    """What the page of an import shows of it; `pages` is 0 where it holds none, or does not wait any more."""
    pages = page_count(source)
    if not pages:
        return {"pages": 0}
    return {
        "pages": pages,
        "method": method_of(source),
        "story_models": source.project.story_models.all(),
        "marked_pages": source.project.marked_pages.count(),
    }
