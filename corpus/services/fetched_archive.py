"""The archive of the pages that a fetch kept, as an upload that an import reads."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from corpus.models import AddressState, Fetch
from paragold.sources.articles.page_files import FetchedPage, write_fetched

PAGES_AT_ONCE = 20


def write_archive(fetch: Fetch, path: Path) -> None:
    """Write the kept pages to `path`, whole or not at all. For workers: it takes long for many pages."""
    unfinished = path.with_suffix(".part")
    try:
        write_fetched(unfinished, _pages(fetch))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _pages(fetch: Fetch) -> Iterator[tuple[FetchedPage, bytes]]:
    kept = fetch.addresses.filter(state=AddressState.KEPT).order_by("number")
    for row in kept.iterator(chunk_size=PAGES_AT_ONCE):
        page = FetchedPage(
            file=f"pages/{row.number:06}.{row.kind}",
            cluster_id=row.cluster,
            id=row.key,
            url=row.final_url,
            kind=row.kind,
            encoding=row.encoding,
        )
        yield page, zlib.decompress(row.page or b"")
