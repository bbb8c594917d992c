"""The HTML pages of an import that waits: their blocks may be marked, and they be read by another method."""

from __future__ import annotations

from corpus.models import CorpusImport, ImportState
from paragold.problems import FileProblem
from paragold.sources.articles.page_files import ListedPage, list_pages

from .import_reading import Reading
from .uploads import upload_path

WAITING = (ImportState.CHECKED, ImportState.REFUSED)


def page_count(source: CorpusImport) -> int:
    """How many HTML pages an import holds that is checked, or in which no story was found; 0 of another one.

    The worker counted them: the archive is not opened.
    """
    if source.state not in WAITING or source.options.get("format") != "archive":
        return 0
    if source.state == ImportState.REFUSED and not source.options.get("storyless"):
        return 0
    if not source.token or not upload_path(source.token).is_file():
        return 0
    return int(source.options.get("pages", 0))


def pages_of(source: CorpusImport) -> list[ListedPage]:
    """Those pages, from the directory of an archive that a worker has checked."""
    return _listed(source) if page_count(source) else []


def count_pages(source: CorpusImport) -> int:
    """Count the HTML pages of an upload. For workers: the archive may be anything."""
    return len(_listed(source)) if source.options["format"] == "archive" else 0


def _listed(source: CorpusImport) -> list[ListedPage]:
    try:
        return list_pages(upload_path(source.token), encoding=source.options["encoding"])
    except FileProblem:
        return []


def is_storyless(reading: Reading) -> bool:
    """Whether nothing is wrong with a source but that no story was found in it."""
    counts = reading.counts
    empty = bool(counts.get("empty_clusters")) and not counts.get("clusters")
    return empty and len(reading.problems) == 1
