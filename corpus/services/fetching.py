"""Fetching pages by their addresses: a list is read, its pages are fetched, and then they are imported."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Sum

from corpus.models import AddressState, Article, CorpusImport, Fetch, FetchedAddress, ImportState
from jobs.kinds import Runner
from jobs.models import Job, JobChunk, JobState
from jobs.services import ledger
from paragold.fetching.robots import NAME
from paragold.parsing.process import OverBounds, limited
from paragold.problems import FileProblem
from paragold.sources.address_lists import AddressList, read_address_list
from paragold.sources.articles.registry import SourceOptions
from paragold.sources.pages.main_text_model import MainTextModel
from projects.errors import PublicError
from projects.models import Project
from projects.services.installation import check_fetching

from .fetch_pages import KIND, SIGNATURE, plan_lanes
from .importing import discard_import, launch_check
from .uploads import Upload, fetch_upload, keep_upload, new_token, remove_files

LIST_KIND = "address-list"
# Five thousand addresses of the maximum length, and some room.
LIST_BYTES = 16 << 20


def launch_reading(
    *, project: Project, by: User, pieces: Iterable[bytes], size: int, filename: str, encoding: str
) -> Job:
    """Ask for a list of `size` bytes to be read and, if nothing is wrong with it, for its pages.

    Raises PublicError where fetching is not allowed and for a list beyond LIST_BYTES.
    """
    check_fetching()
    if size > LIST_BYTES:
        raise PublicError(f"The list is larger than {LIST_BYTES >> 20} MB. Fetch it in parts.")
    upload = keep_upload(
        pieces=pieces, size=size, filename=filename, encoding=encoding, project=project, user=by
    )
    with transaction.atomic():
        job = ledger.request_job(
            project=project,
            by=by,
            kind=LIST_KIND,
            title=f"Read {filename}"[:200],
            parameters={"units": "lists", "filename": filename, "encoding": encoding},
            signature=f"{LIST_KIND}|version:1",
            chunks=[ledger.ChunkPlan(units=1, payload={"token": upload.token})],
            short=True,
        )
        ledger.hand_over(job)
    return job


def fetch_or_problems(job: Job) -> Fetch | list[FileProblem]:
    """The result of reading a list: its fetch, or the problems of the list.

    Raises PublicError when there is nothing to fetch, the job failed, or the fetch was discarded.
    """
    outcome = job.parameters
    if "problems" in outcome:
        return [FileProblem(**problem) for problem in outcome["problems"]]
    fetch = Fetch.objects.filter(project=job.project_id, pk=outcome.get("fetch")).first()
    if fetch is None:
        stopped = (
            "The list was not read completely" if job.state != JobState.DONE else "The fetch is discarded"
        )
        raise PublicError(outcome.get("refused") or job.error or f"{stopped}. Send the list again.")
    return fetch


def _read_list(job: Job, chunk: JobChunk) -> AddressList:
    path = fetch_upload(chunk.payload["token"])
    options = {name: job.parameters[name] for name in ("filename", "encoding")}
    try:
        return limited(read_address_list, path, **options)
    except OverBounds as refusal:
        return AddressList(problems=[refusal])


def _launch_fetch(job: Job, listed: AddressList) -> dict[str, int]:
    outcome: dict[str, object]
    if listed.problems:
        outcome = {"problems": [problem.as_json() for problem in listed.problems]}
    else:
        try:
            fetch = launch_fetch(
                project=job.project, by=job.requested_by, filename=job.parameters["filename"], listed=listed
            )
            outcome = {"fetch": fetch.pk}
        except PublicError as error:
            outcome = {"refused": str(error)}
    Job.objects.filter(pk=job.pk).update(parameters=job.parameters | outcome)
    return {"addresses": len(listed.addresses), "problems": len(listed.problems)}


def _forget_list(job: Job) -> None:
    for chunk in job.chunks.all():
        remove_files(chunk.payload["token"])


def user_agent(contact: str) -> str:
    """The User-Agent header of requests."""
    return f"{NAME}/{settings.VERSION} (+{contact})"


@transaction.atomic
def launch_fetch(*, project: Project, by: User | None, filename: str, listed: AddressList) -> Fetch:
    """Ask for the pages of a list. Those whose articles the corpus has already are not asked for again.

    Raises PublicError where fetching is not allowed, and for a list with problems.
    """
    allowed = check_fetching()
    if listed.problems or not listed.addresses:
        raise PublicError("The list has errors, so nothing was fetched. Correct them and upload it again.")
    rows = [
        FetchedAddress(
            number=number, cluster=row.cluster, key=row.key, url=row.address.url, host=row.address.host
        )
        for number, row in enumerate(listed.addresses, 1)
    ]
    there = set(
        Article.objects.filter(cluster__project=project, cluster__key__in={row.cluster for row in rows})
        .order_by()
        .values_list("cluster__key", "key")
    )
    waiting: list[str] = []
    for row in rows:
        if (row.cluster, row.key) in there:
            row.state = AddressState.THERE
        else:
            waiting.append(row.host)
    if not waiting:
        raise PublicError(f"Nothing to fetch: all {len(rows):,} pages of the list are already in the corpus.")
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Fetch {filename}"[:200],
        parameters={"units": "addresses", "user_agent": user_agent(allowed.fetch_contact)},
        signature=SIGNATURE,
        chunks=plan_lanes(len(set(waiting))),
        total=len(waiting),
        short=len(waiting) <= ledger.SHORT_PAGES,
    )
    fetch = Fetch.objects.create(
        project=project, filename=filename[:255], repeated=listed.repeated, job=job, requested_by=by
    )
    for row in rows:
        row.fetch = fetch
    FetchedAddress.objects.bulk_create(rows, batch_size=500)
    ledger.hand_over(job)
    return fetch


def discard_fetch(*, fetch: Fetch) -> None:
    """Forget a list, its report and its pages; what was imported of them stays."""
    if fetch.job.active:
        ledger.cancel_job(job=fetch.job)
    fetch.delete()


def check_fetched(*, fetch: Fetch, by: User | None, model: MainTextModel | None = None) -> CorpusImport:
    """Have the articles found in the fetched pages, by trafilatura or by `model`; nothing is stored yet.

    An earlier check of the same pages is forgotten. Raises PublicError while pages are fetched, and when
    there is none.
    """
    if fetch.job.active:
        raise PublicError("Pages are still being fetched. Wait, or stop the fetch.")
    kept = fetch.addresses.filter(state=AddressState.KEPT)
    if not kept.exists():
        raise PublicError("No page was fetched; there is nothing to import.")
    earlier = fetch.corpus_import
    if earlier is not None and earlier.state in (ImportState.CHECKING, ImportState.STORING):
        raise PublicError(f"{earlier.filename} is already being processed. Wait for its job to end.")
    user, size = by.pk if by else 0, kept.aggregate(bytes=Sum("size", default=0))["bytes"]
    upload = Upload(new_token(), f"{fetch.filename} (fetched)", "utf-8", fetch.project_id, user, size)
    with transaction.atomic():
        if earlier is not None and earlier.state in (ImportState.CHECKED, ImportState.REFUSED):
            discard_import(source=earlier)
        # The worker that checks it writes the file (`importing.write_archive`).
        options = SourceOptions("archive", story_model=model)
        source = launch_check(project=fetch.project, by=by, upload=upload, options=options)
        Fetch.objects.filter(pk=fetch.pk).update(corpus_import=source)
    return source


LIST_RUNNER = Runner(compute=_read_list, store=_launch_fetch, finish=_forget_list)
