"""Datasets of candidate pairs as files, judged or not: a job that streams them, a million and more.

With splits, the first chunk deals the pairs out. Workers then write the pairs between two ids as parts of
files, beside each other. The last chunk, which is added when all parts are there, puts them together in one
archive.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop

from alignment.services.export_cards import stated, texts_of, with_licence
from alignment.specs import DatasetExportSpec
from corpus.models import Dataset, Sentence, in_held_out_cluster
from jobs.kinds import Runner
from jobs.models import ChunkState, Job, JobChunk
from jobs.services import ledger
from jobs.services.removal import keep
from jobs.services.running import reporting
from paragold.formats.pair_files import PAIR_FORMATS, JoinedArchive, PairFiles, PairRow
from paragold.formats.publishing import Manifest, build_manifest, data_card, manifest_text
from paragold.formats.splits import SPLITS, Division, PairGroups, Shares, described
from paragold.languages import language
from projects import storage
from projects.errors import PublicError
from projects.services.audit import record

from .export_cards import dataset_card, described_held_out, held_out_clusters
from .export_store import (
    ARCHIVE,
    CHUNK_SECONDS,
    fresh_folder,
    keep_export,
    made_already,
    parts_folder,
    send_archive,
    signature_of,
)

KIND = "export-dataset"
VERSION = 7
PAIRS_A_PART = 200_000
IDS_AT_ONCE = 5_000
DIVISION = "division"
"""The folder with the division, beside those of the parts."""
DIVISION_FILE = "division.json"
COUNTED = "counted.json"
GONE = gettext_noop("Parts of this export are missing on the disk. Launch the export again.")
Row = tuple[PairRow, str, tuple[int, int]]
"""A pair, the key of the cluster of its second sentence (mostly that of the first), and its articles' ids."""

_NUMBERS = ("edit_distance", "length_a", "length_b", "shared_words")
_FIELDS = ("cluster__key", "sentence_a_id", "sentence_b_id", *_NUMBERS)
_SENTENCE = ("article__cluster__key", "article__key", "number", "text", "tokens", "article_id")
ALL = DatasetExportSpec()


@transaction.atomic
def export_dataset(*, dataset: Dataset, by: User | None, spec: DatasetExportSpec = ALL) -> Job:
    """Ask for a dataset to be written out; the end of the job makes the `Export`.

    A job with equal inputs that is under way, or whose export is there, is given back instead of a new one.
    """
    keep(dataset)
    spec = with_licence(spec, dataset.project)
    parameters = {"units": "pairs", "dataset": dataset.pk, "spec": spec.as_json()}
    signature = signature_of(KIND, VERSION, parameters | _stated(dataset))
    job = made_already(dataset.project, signature)
    if job is None:
        job = ledger.request_job(
            project=dataset.project,
            by=by,
            kind=KIND,
            title=f"Export {dataset.name}"[:200],
            parameters=parameters | {"chunk_seconds": CHUNK_SECONDS},
            signature=signature,
            chunks=[ledger.ChunkPlan(0, {"divide": True})] if spec.shares else _plans(dataset),
            total=dataset.size,
            short=dataset.size <= ledger.SHORT_PAIRS,
        )
        record("export-requested", actor=by, project=dataset.project, target=f"job {job.pk}: {job.title}")
        ledger.hand_over(job)
    return job


def _stated(dataset: Dataset) -> dict[str, Any]:
    """What data card and manifest state that may be changed."""
    return {
        "program": settings.VERSION,
        "project": stated(dataset.project),
        "name": dataset.name,
        "signature": dataset.signature,
        "extractions": list(dataset.extractions.order_by("pk").values_list("name", flat=True)),
    }


def _plans(dataset: Dataset) -> list[ledger.ChunkPlan]:
    """Parts of about equally many pairs; their ids mostly follow each other."""
    ids = dataset.pair_ids()
    number = max(1, -(-dataset.size // PAIRS_A_PART))
    bounds = [ids.start + len(ids) * part // number for part in range(number + 1)]
    pairs = [dataset.size * part // number for part in range(number + 1)]
    return [
        ledger.ChunkPlan(pairs[part + 1] - pairs[part], {"ids": [bounds[part], bounds[part + 1]]})
        for part in range(number)
    ]


@dataclass(frozen=True, slots=True)
class Made:
    """What a chunk has made: a folder that waits to be put beside the others as `name`, the number of a part
    or DIVISION; or, with a manifest, the folder of the whole archive."""

    folder: Path
    name: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    manifest: Manifest | None = None


def _compute(job: Job, chunk: JobChunk) -> Made:
    dataset = Dataset.objects.select_related("project").get(pk=job.parameters["dataset"])
    spec = DatasetExportSpec.from_json(job.parameters["spec"])
    report = reporting(chunk)
    first_part = 1 if spec.shares else 0
    with fresh_folder(job.project, f"{job.pk}-{chunk.number}") as folder:
        if spec.shares and "divide" in chunk.payload:
            division = divide_dataset(dataset, spec.shares, spec.seed, lambda: report(0))
            (folder / DIVISION_FILE).write_text(json.dumps(division), encoding="utf-8")
            _put_beside(job, folder, DIVISION)
            return Made(folder, DIVISION)
        known = _division(job) if spec.shares else None
        if "ids" in chunk.payload:
            ids, first = range(*chunk.payload["ids"]), chunk.number == first_part
            counted = write_part(dataset, ids, folder, spec, known, first=first, report=report)
            _put_beside(job, folder, str(chunk.number))
            return Made(folder, str(chunk.number), counted.counts)
        parts = [
            storage.fetch_folder(parts_folder(job) / str(number))
            for number in range(first_part, chunk.number)
        ]
        archive = folder / ARCHIVE
        manifest = pack_parts(dataset, parts, archive, spec, known, lambda: report(0))
        send_archive(job.project, archive)
        return Made(folder, manifest=manifest)


def _division(job: Job) -> Division:
    try:
        path = storage.fetch(parts_folder(job) / DIVISION / DIVISION_FILE)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise PublicError(GONE) from error
    split_of, groups, largest = json.loads(text)
    return split_of, groups, largest


def _store(job: Job, made: Made) -> dict[str, int]:
    dataset = Dataset.objects.get(pk=job.parameters["dataset"])
    if made.manifest is not None:
        how = ", to publish" if job.parameters["spec"]["publish"] else ""
        name = f"{dataset.name} (pairs{how})"
        keep_export(job=job, archive=made.folder / ARCHIVE, name=name, manifest=made.manifest)
        return {}
    # The last of the parts is known only when no other one is being stored.
    ledger.lock(job)
    _keep_beside(job, made.folder, made.name)
    if made.name == DIVISION:
        ledger.add_chunks(job=job, chunks=_plans(dataset))
    elif not job.chunks.exclude(number=int(made.name)).exclude(state=ChunkState.DONE).exists():
        ledger.add_chunks(job=job, chunks=[ledger.ChunkPlan(units=0, payload={})])
    return made.counts


def _put_beside(job: Job, folder: Path, name: str) -> None:
    """Move a folder to the job's parts in a shared store, which takes too long for `_keep_beside`."""
    if storage.shared():
        storage.put_folder(folder, parts_folder(job) / name)


def _keep_beside(job: Job, folder: Path, name: str) -> None:
    """Move a folder to the job's parts, unless a worker whose lease was lost after that has done so."""
    target = parts_folder(job) / name
    if target.exists():
        shutil.rmtree(folder)
    elif not storage.shared():
        storage.put_folder(folder, target)


def divide_dataset(dataset: Dataset, shares: Shares, seed: int, report: Callable[[], None]) -> Division:
    """Each sentence is read once, however many pairs it is in. `report` is called often and may raise."""
    groups = PairGroups()
    cluster_of: dict[int, str] = {}
    ids = dataset.pair_ids()
    for start in range(ids.start, ids.stop, IDS_AT_ONCE):
        some = range(start, min(start + IDS_AT_ONCE, ids.stop))
        pairs = list(dataset.pairs_among(some).values_list("cluster__key", "sentence_a_id", "sentence_b_id"))
        new = {sentence for _, *both in pairs for sentence in both} - cluster_of.keys()
        for pk, cluster, tokens in _sentences(list(new)):
            cluster_of[pk] = cluster
            groups.add_sentence(cluster, tokens)
        for cluster, _, second in pairs:
            groups.add_pair(cluster, cluster_of[second])
        report()
    return groups.divide(shares, seed=seed, for_testing=held_out_clusters(dataset.project))


def _sentences(ids: Sequence[int]) -> list[tuple[int, str, str]]:
    rows = Sentence.objects.filter(pk__in=ids).order_by()
    return list(rows.values_list("pk", "article__cluster__key", "tokens"))


@dataclass(slots=True)
class Counted:
    """Pairs and clusters' keys by split ("pairs" without splits), and the ids of their articles."""

    pairs: dict[str, int] = field(default_factory=dict)
    clusters: dict[str, set[str]] = field(default_factory=dict)
    articles: set[int] = field(default_factory=set)

    def add(self, other: Counted) -> None:
        for name, pairs in other.pairs.items():
            self.pairs[name] = self.pairs.get(name, 0) + pairs
            self.clusters.setdefault(name, set()).update(other.clusters[name])
        self.articles |= other.articles

    @property
    def counts(self) -> dict[str, int]:
        return {"pairs": sum(self.pairs.values())}

    def write(self, path: Path) -> None:
        clusters = {name: sorted(keys) for name, keys in self.clusters.items()}
        path.write_text(json.dumps([self.pairs, clusters, sorted(self.articles)]), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Counted:
        pairs, clusters, articles = json.loads(path.read_text(encoding="utf-8"))
        return cls(pairs, {name: set(keys) for name, keys in clusters.items()}, set(articles))


def write_part(
    dataset: Dataset,
    ids: range,
    folder: Path,
    spec: DatasetExportSpec,
    division: Division | None,
    *,
    first: bool,
    report: Callable[[int], None],
) -> Counted:
    """Write the pairs with these ids into a folder, with `COUNTED` beside the files.

    `first` is for the part whose files begin with headers. `report` gets the number of pairs written, many
    times, and may raise to stop.
    """
    stems = SPLITS if division else ("pairs",)
    words = language(dataset.project.language)
    counted = Counted(dict.fromkeys(stems, 0), {name: set() for name in stems})
    done = 0
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(PairFiles(folder, name, spec.format_ids, first=first, language=words))
            for name in stems
        }
        for rows in _batches(dataset, ids):
            for name, part in _by_split(rows, division).items():
                files[name].add([row for row, *_ in part])
                counted.articles.update(article for *_, both in part for article in both)
                counted.clusters[name].update(
                    cluster for row, other, _ in part for cluster in (row.cluster, other)
                )
            done += len(rows)
            report(done)
        counted.pairs = {name: file.rows for name, file in files.items()}
    counted.write(folder / COUNTED)
    return counted


def _by_split(rows: list[Row], division: Division | None) -> dict[str, list[Row]]:
    """The rows by the name of the file that they belong to. Both clusters of a pair are in one split."""
    if division is None:
        return {"pairs": rows}
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(division[0][row[0].cluster], []).append(row)
    return parts


def _batches(dataset: Dataset, ids: range) -> Iterator[list[Row]]:
    """The pairs in the order of their ids, some thousands at once.

    Each batch is read to its end: on SQLite no query may be open while progress is written. Sentences are in
    several pairs each, and looked up by their ids: PostgreSQL would read all of them to join some thousands.
    """
    for start in range(ids.start, ids.stop, IDS_AT_ONCE):
        some = range(start, min(start + IDS_AT_ONCE, ids.stop))
        pairs = list(dataset.pairs_among(some).order_by("pk").values_list(*_FIELDS))
        ids_of_sentences = {sentence for _, a, b, *_ in pairs for sentence in (a, b)}
        rows = Sentence.objects.filter(pk__in=ids_of_sentences).order_by().values_list("pk", *_SENTENCE)
        sentences = {pk: fields for pk, *fields in rows}
        if pairs:
            yield [_row(cluster, sentences[a], sentences[b], numbers) for cluster, a, b, *numbers in pairs]


def _row(cluster: str, a: Sequence[Any], b: Sequence[Any], numbers: Sequence[int]) -> Row:
    """`a` and `b` as _SENTENCE has it, `numbers` as _NUMBERS."""
    _, article_a, number_a, text_a, tokens_a, first = a
    other, article_b, number_b, text_b, tokens_b, second = b
    key = f"{cluster}/{article_a}#{number_a}|{other}/{article_b}#{number_b}"
    article_b = article_b if other == cluster else f"{other}/{article_b}"
    places = (article_a, number_a, article_b, number_b)
    return (
        PairRow._make((key, cluster, *places, *numbers, text_a, text_b, tokens_a, tokens_b)),
        other,
        (first, second),
    )


def pack_parts(
    dataset: Dataset,
    parts: list[Path],
    archive: Path,
    spec: DatasetExportSpec,
    division: Division | None,
    report: Callable[[], None],
) -> Manifest:
    """Put the parts together in a new archive, with data card and manifest; returns the manifest.

    Raises PublicError when a part is gone.
    """
    counted = Counted()
    for part in parts:
        if not (part / COUNTED).is_file():
            raise PublicError(GONE)
        counted.add(Counted.read(part / COUNTED))
    part_names = sorted(path.name for path in parts[0].iterdir() if path.name != COUNTED)
    names = {
        f"{name.removesuffix('.arrow')}.parquet" if name.endswith(".arrow") else name: name
        for name in part_names
    }
    clusters = {name: len(keys) for name, keys in counted.clusters.items()}
    shares = spec.shares
    divided = described(shares, division, counted.pairs, clusters) if division and shares else {}
    for_testing = held_out_clusters(dataset.project)
    kept_apart = described_held_out(
        dataset.pairs().filter(in_held_out_cluster()).count() if for_testing else 0,
        for_testing & set().union(*counted.clusters.values()),
        in_splits=division is not None,
    )
    card = dataset_card(
        dataset,
        spec,
        pairs=counted.pairs,
        articles=counted.articles,
        written=sorted(names),
        divided=divided,
        held_out=kept_apart if for_testing else {},
    )
    with JoinedArchive(archive, report) as packed:
        packed.add_text("README.md", data_card(card))
        for name, part_name in sorted(names.items()):
            packed.add(name, [part / part_name for part in parts])
        for name, text in texts_of(card, packed.files).items():
            packed.add_text(name, text)
        description = build_manifest(
            packed.files,
            counts=counted.counts,
            signatures={"dataset": dataset.signature}
            | {name: PAIR_FORMATS.signed(name, name) for name in spec.formats if PAIR_FORMATS.plugin(name)},
            # `described` has the splits with their shares, if there are any.
            details={
                **{"dataset": dataset.name, "splits": None, "licence": spec.licence},
                **divided,
                "held_out": kept_apart,
            },
        )
        packed.add_text("manifest.json", manifest_text(description))
    return description


RUNNER = Runner(compute=_compute, store=_store)
