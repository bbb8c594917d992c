"""Applying a trained aligner to a dataset or gold links by a job; the links as files; why each is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from alignment.models import AlignerRun, AutomaticAlignment, GoldAlignmentSet, TrainedAligner
from alignment.services.gold_links import pair_key
from alignment.services.scoring import keep_evaluation
from alignment.services.trained_aligners.launching import check_installed, check_size, pairs_of
from alignment.services.trained_aligners.stored import load_aligner, short_signature
from corpus.models import CandidatePair, Dataset
from jobs.kinds import Runner
from jobs.models import Job, JobChunk, JobState
from jobs.services import ledger
from jobs.services.removal import keep_own
from jobs.services.running import LONG_CHUNKS, watched
from paragold.formats import publishing
from paragold.formats.link_files import LINK_FORMATS, texts_of_sides, write_links
from paragold.formats.link_formats import format_field
from paragold.formats.pair_files import JoinedArchive
from paragold.metrics.links import Link, LinkedPair, Links
from paragold.registry import NotRegisteredError
from projects.errors import PublicError
from projects.models import Project

KIND = "align"
PAIRS_A_CHUNK = 500
ROWS_AT_ONCE = 5_000


@transaction.atomic
def apply_aligner(
    *,
    project: Project,
    by: User | None,
    trained: TrainedAligner,
    dataset: Dataset | None = None,
    gold_set: GoldAlignmentSet | None = None,
) -> AlignerRun:
    """Ask for the links of all pairs of a dataset, or of a set of gold links, which then is scored as well.

    The same aligner on the same pairs gives the run that exists. Raises PublicError for an aligner that is
    not trained, and unless there is just one of `dataset` and `gold_set`, of this project.
    """
    keep_own(project, trained, dataset, gold_set)
    if (dataset is None) == (gold_set is None):
        raise PublicError("Choose either a dataset or a set of gold links to align.", field="dataset")
    if not trained.ready:
        raise PublicError("%(trained)s is not trained yet.", field="trained", trained=trained)
    existing = AlignerRun.objects.filter(trained=trained, dataset=dataset, gold_set=gold_set).first()
    if existing is not None:
        return existing
    pairs = pairs_of(project, [dataset] if dataset else [], [gold_set] if gold_set else [])
    ids = list(pairs.order_by("pk").values_list("pk", flat=True))
    method = trained.estimator
    check_installed(method, field="trained")
    check_size(method, trained.pairs + len(ids), field="dataset" if dataset else "gold_set")
    # What trains again each time is given all pairs at once.
    size = max(1, len(ids)) if method.trains_when_applied else PAIRS_A_CHUNK
    portions = [ids[start : start + size] for start in range(0, len(ids), size)]
    target = dataset or gold_set
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Align {target} with {trained}",
        parameters={"trained": trained.pk, "units": "pairs"}
        | (LONG_CHUNKS if method.trains_when_applied else {}),
        signature=f"align|{trained.sha256}",
        chunks=[ledger.ChunkPlan(units=len(portion), payload={"pairs": portion}) for portion in portions],
    )
    run = AlignerRun.objects.create(
        project=project, job=job, trained=trained, dataset=dataset, gold_set=gold_set, created_by=by
    )
    ledger.hand_over(job)
    return run


def compute(job: Job, chunk: JobChunk) -> list[tuple[int, str, int]]:
    aligner = load_aligner(job.aligner_run.trained)
    rows = _texts(chunk.payload["pairs"])
    with watched(chunk):
        drawn = aligner.align_all([(a.split(" "), b.split(" ")) for _, a, b in rows])
    return [(pk, format_field(links), len(links)) for (pk, _, _), links in zip(rows, drawn, strict=True)]


def _texts(ids: list[int]) -> list[tuple[int, str, str]]:
    """Number and sentences of each pair, in ascending order; a query takes so many numbers only."""
    rows: list[tuple[int, str, str]] = []
    for start in range(0, len(ids), ROWS_AT_ONCE):
        pairs = CandidatePair.objects.filter(pk__in=ids[start : start + ROWS_AT_ONCE]).order_by("pk")
        rows += pairs.values_list("pk", "sentence_a__tokens", "sentence_b__tokens")
    return rows


def store(job: Job, result: list[tuple[int, str, int]]) -> dict[str, int]:
    run = job.aligner_run
    AutomaticAlignment.objects.bulk_create(
        [AutomaticAlignment(run=run, pair_id=pair, links=links) for pair, links, _ in result],
        batch_size=ROWS_AT_ONCE,
    )
    return {"pairs_aligned": len(result), "links_drawn": sum(number for _, _, number in result)}


def finish(job: Job) -> None:
    """Score the run where its pairs have gold links."""
    run = job.aligner_run
    if run.gold_set is None:
        return
    by_pair = {alignment.pair_id: alignment.link_list for alignment in run.alignments.all()}
    pairs = run.gold_set.alignments.order_by("item__number").values_list("item__pair", flat=True)
    links = [by_pair[pair] for pair in pairs]
    keep_evaluation(
        gold_set=run.gold_set,
        links=links,
        aligner=str(run.trained),
        signature=short_signature(run.trained) + draw_suffix(run.trained, links),
        trained=run.trained,
    )


def linked_pairs_of(run: AlignerRun) -> list[LinkedPair]:
    """The pairs of a run with their links, which count as SURE, in the order in which they were found."""
    rows = run.alignments.select_related(
        "pair__sentence_a__article__cluster", "pair__sentence_b__article__cluster"
    ).order_by("pair__sentence_a_id", "pair__sentence_b_id")
    return [
        LinkedPair(
            pair_key(row.pair),
            tuple(row.pair.sentence_a.token_list),
            tuple(row.pair.sentence_b.token_list),
            Links.of(row.link_list),
        )
        for row in rows.iterator(chunk_size=ROWS_AT_ONCE)
    ]


def run_archive(run: AlignerRun, format_id: str) -> bytes:
    """A zip with the links in one of LINK_FORMATS, the text they belong to, and a manifest.

    Raises PublicError for another format and while the run is not done.
    """
    try:
        link_format = LINK_FORMATS.get(format_id)
    except NotRegisteredError as error:
        raise PublicError(str(error)) from error
    if run.job.state != JobState.DONE:
        raise PublicError("This run is not done yet. Its files are available when it has ended.")
    pairs = linked_pairs_of(run)
    draw = draw_suffix(run.trained, [sorted(pair.links.possible) for pair in pairs])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "links.zip"
        with JoinedArchive(path) as packed:
            file = Path(folder) / link_format.file_name("links")
            write_links(file, pairs, link_format.id)
            packed.add(file.name, [file])
            for name, text in link_format.beside.items():
                packed.add_text(name, text)
            if not link_format.carries_text:
                source, target = texts_of_sides(pair.tokens for pair in pairs)
                packed.add_text("links.src", source)
                packed.add_text("links.tgt", target)
            description = publishing.build_manifest(
                packed.files,
                counts={"pairs": len(pairs), "links": sum(len(pair.links.possible) for pair in pairs)},
                signatures={"aligner": run.trained.signature + draw, "pairs": run.target.signature},
                details={
                    "aligner": str(run.trained),
                    "aligner_sha256": run.trained.sha256,
                    "of": str(run.target),
                },
            )
            packed.add_text("manifest.json", publishing.manifest_text(description))
        return path.read_bytes()


def draw_suffix(trained: TrainedAligner, links: Sequence[Sequence[Link]]) -> str:
    """What the signature of these links has besides the aligner's; "" where the aligner settles them."""
    draw = trained.estimator.draw_signature(links)
    return f"|{draw}" if draw else ""


RUNNER = Runner(compute=compute, store=store, finish=finish)


if TYPE_CHECKING:
    from paragold.aligners.aligner import LinkExplanation

LARGEST_ID = 2**63 - 1


def explain_pair(*, trained: TrainedAligner, pair: str) -> tuple[CandidatePair, list[dict[str, Any]]]:
    """The pair of that number and every candidate link, in ascending order.

    A candidate is a `LinkExplanation` with its two words, `word_a` and `word_b`.
    Raises PublicError when the project has no such pair, and as `load_aligner` does.
    """
    if not trained.estimator.gives_reasons:
        raise PublicError("%(aligner)s gives no reasons for its links.", aligner=trained.aligner)
    aligner = load_aligner(trained)
    row = _pair(trained, pair)
    words = row.sentence_a.token_list, row.sentence_b.token_list
    return row, [_explained(*words, why) for why in aligner.explanations(*words)]


def _explained(a: list[str], b: list[str], why: LinkExplanation) -> dict[str, Any]:
    return {
        "link": why.link,
        "word_a": a[why.link[0]],
        "word_b": b[why.link[1]],
        "drawn": why.drawn,
        "probability": why.probability,
        "threshold": why.threshold,
        "start": why.start,
        "sources": [{"name": name, "contribution": amount} for name, amount in why.sources],
        "reasons": [
            {"name": name, "value": value, "contribution": contribution}
            for name, value, contribution in why.weighty
        ],
        "rule": why.rule,
    }


def drawn_links(*, trained: TrainedAligner, pair: str) -> tuple[CandidatePair, list[tuple[int, int]]]:
    """The pair of that number and the links that the aligner last drew for it, without a word on why.

    Raises PublicError when the project has no such pair, and when none were drawn.
    """
    row = _pair(trained, pair)
    drawn = (
        AutomaticAlignment.objects.filter(run__in=trained.runs.all(), pair_id=row.pk)
        .order_by("-run_id")
        .first()
    )
    if drawn is None:
        raise PublicError(
            "%(trained)s was not applied to pair %(number)s.", field="pair", trained=trained, number=row.pk
        )
    return row, drawn.link_list


def _pair(trained: TrainedAligner, pair: str) -> CandidatePair:
    row = None
    if pair.isdecimal() and int(pair) <= LARGEST_ID:
        pairs = CandidatePair.objects.filter(project_id=trained.project_id)
        row = pairs.select_related("sentence_a", "sentence_b").filter(pk=int(pair)).first()
    if row is None:
        raise PublicError(
            gettext("There is no pair %(pair)r in this project.") % {"pair": pair}
            if pair
            else gettext("No pair was chosen."),
            field="pair",
        )
    return row
