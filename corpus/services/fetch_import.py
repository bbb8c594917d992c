"""The pages that were fetched go the way of every import: checked, seen, and then stored at once."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction

from corpus.errors import PublicError
from corpus.importers.pages.story_hmm import StoryModel
from corpus.importers.sources.fetched_pages import FetchedPage, write_fetched
from corpus.importers.sources.opening import SourceOptions
from corpus.models import AddressState, CorpusImport, Fetch, ImportState

from .import_jobs import launch_check
from .importing import discard_import
from .uploads import Upload, new_token, remove_files, upload_path

PAGES_AT_ONCE = 20


def check_fetched(*, fetch: Fetch, by: User | None, model: StoryModel | None = None) -> CorpusImport:
    """Have the articles found in the fetched pages, by trafilatura or by `model`; nothing is stored yet.

    An earlier check of the same pages is forgotten. Raises PublicError while pages are fetched, and when
    there is none.
    """
    if fetch.job.active:
        raise PublicError("Pages are still being fetched. Wait for the end, or stop it.")
    if not fetch.addresses.filter(state=AddressState.KEPT).exists():
        raise PublicError("No page was fetched; there is nothing to import.")
    earlier = fetch.corpus_import
    if earlier is not None and earlier.state in (ImportState.CHECKING, ImportState.STORING):
        raise PublicError(f"{earlier.filename} is being worked on already.")
    token = new_token()
    path = upload_path(token)
    try:
        write_fetched(path, _pages(fetch))
        upload = Upload(
            token=token,
            filename=f"{fetch.filename} (fetched)",
            encoding="utf-8",
            project=fetch.project_id,
            user=by.pk if by else 0,
            size=path.stat().st_size,
        )
        with transaction.atomic():
            if earlier is not None and earlier.state in (ImportState.CHECKED, ImportState.REFUSED):
                discard_import(source=earlier)
            source = launch_check(
                project=fetch.project,
                by=by,
                upload=upload,
                options=SourceOptions("archive", story_model=model),
            )
            Fetch.objects.filter(pk=fetch.pk).update(corpus_import=source)
    except BaseException:
        remove_files(token)
        raise
    return source


def _pages(fetch: Fetch) -> Iterator[tuple[FetchedPage, bytes]]:
    kept = fetch.addresses.filter(state=AddressState.KEPT).order_by("number")
    for row in kept.iterator(chunk_size=PAGES_AT_ONCE):
        told = FetchedPage(
            file=f"pages/{row.number:06}.{row.kind}",
            cluster_id=row.cluster,
            id=row.key,
            url=row.final_url,
            kind=row.kind,
            encoding=row.encoding,
        )
        yield told, zlib.decompress(row.page or b"")
