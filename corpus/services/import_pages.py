"""The HTML pages of an import that waits: their blocks may be marked, and they be read by another method."""

from __future__ import annotations

from corpus.importers.records import Refusal
from corpus.importers.sources.page_list import ListedPage, list_pages
from corpus.models import CorpusImport, ImportState

from .import_reading import Reading
from .uploads import upload_path

WAITING = (ImportState.CHECKED, ImportState.REFUSED)


def pages_of(source: CorpusImport) -> list[ListedPage]:
    """The HTML pages of an import that is checked, or in which no story was found; none of another one."""
    if source.state not in WAITING or source.options.get("format") != "archive":
        return []
    if source.state == ImportState.REFUSED and not source.options.get("storyless"):
        return []
    path = upload_path(source.token)
    if not source.token or not path.is_file():
        return []
    try:
        return list_pages(path, encoding=source.options["encoding"])
    except Refusal:
        return []


def is_storyless(reading: Reading) -> bool:
    """Whether nothing is wrong with a source but that no story was found in it."""
    counts = reading.counts
    empty = bool(counts.get("empty_clusters")) and not counts.get("clusters")
    return empty and len(reading.problems) == 1
