"""The pages that were fetched go the way of every import: checked, seen, and then stored at once."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Sum

from corpus.models import AddressState, CorpusImport, Fetch, ImportState
from paragold.sources.articles.opening import SourceOptions
from paragold.sources.pages.main_text_model import MainTextModel
from projects.errors import PublicError

from .import_jobs import launch_check
from .importing import discard_import
from .uploads import Upload, new_token


def check_fetched(*, fetch: Fetch, by: User | None, model: MainTextModel | None = None) -> CorpusImport:
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
    kept = fetch.addresses.filter(state=AddressState.KEPT)
    upload = Upload(
        token=new_token(),
        filename=f"{fetch.filename} (fetched)",
        encoding="utf-8",
        project=fetch.project_id,
        user=by.pk if by else 0,
        size=kept.aggregate(bytes=Sum("size"))["bytes"] or 0,
    )
    with transaction.atomic():
        if earlier is not None and earlier.state in (ImportState.CHECKED, ImportState.REFUSED):
            discard_import(source=earlier)
        # The worker that checks it writes the file (`fetched_archive`).
        source = launch_check(
            project=fetch.project,
            by=by,
            upload=upload,
            options=SourceOptions("archive", story_model=model),
        )
        Fetch.objects.filter(pk=fetch.pk).update(corpus_import=source)
    return source
