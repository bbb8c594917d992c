"""External datasets: folders of pairs in parts that are attached, sampled, and drawn from.

Which folders, and which addresses such as s3://bucket/pairs, an administrator says in PARAGOLD_EXTERNAL_DATA.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import (
    Article,
    CandidatePair,
    Cluster,
    CorpusImport,
    ExternalDataset,
    ExternalRow,
    Extraction,
    Finding,
    Sentence,
)
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.removal import keep
from paragold.problems import FileProblem
from paragold.sampling.rows import SCORE_COLUMNS, DrawnRow, draw_rows
from paragold.shards.folder import PairsFolder, open_folder
from paragold.text import tokenisation
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import first_free

from .pairs import ROWS_AT_ONCE, candidate, store_pairs

KIND = "attach"
FORMAT = "external dataset"
SAMPLE = 10
_NOT_ALLOWED = "This folder is not among those that an administrator allows with PARAGOLD_EXTERNAL_DATA."


def allowed_address(address: str) -> str:
    """The address with links resolved. Raises PublicError unless it is within an allowed folder."""
    address = address.strip()
    if "://" in address:
        plain = not any(part in address for part in ("::", "..", "*", "?", "[", "#"))
        roots = [root.rstrip("/") for root in settings.EXTERNAL_DATA if "://" in root]
        if plain and any(f"{address}/".startswith(f"{root}/") for root in roots):
            return address.rstrip("/")
    elif address and "\0" not in address:
        path = Path(address).resolve()
        folders = [Path(root).resolve() for root in settings.EXTERNAL_DATA if "://" not in root]
        if Path(address).is_absolute() and any(path.is_relative_to(folder) for folder in folders):
            return str(path)
    raise PublicError(_NOT_ALLOWED, field="address")


def _read(address: str) -> PairsFolder:
    try:
        return open_folder(allowed_address(address))
    except FileProblem as error:
        raise PublicError(str(error), field="address") from error


def attach(*, project: Project, by: User | None, address: str, name: str = "") -> ExternalDataset:
    """Attach a folder of pairs, called like the folder by default; a job checks the hashes of its parts.

    Raises PublicError for a folder that is not allowed, holds no finished extraction or is attached already,
    and for a name in use.
    """
    folder = _read(address)
    with transaction.atomic():
        kinds = (project.external_datasets, project.datasets)
        taken = {called for rows in kinds for called in rows.values_list("name", flat=True)}
        name = name.strip() or first_free(PurePosixPath(folder.address).name[:70], taken)
        same = project.external_datasets.filter(manifest_sha256=folder.manifest_sha256).first()
        if same is not None:
            raise PublicError(f"These pairs are attached already, as {same}.", field="address")
        if name in taken:
            raise PublicError(f"A dataset called {name!r} exists; choose another name.", field="name")
        if project.clusters.filter(key__startswith=f"{name}/").exists():
            raise PublicError(f"There are clusters called {name}/...; choose another name.", field="name")
        job = ledger.request_job(
            project=project,
            by=by,
            kind=KIND,
            title=f"Attach {name}",
            parameters={"units": "KiB"},
            signature=f"attach|sha256:{folder.manifest_sha256}",
            chunks=[
                ledger.ChunkPlan(units=-(-part.size // 1024), payload={"part": number})
                for number, part in enumerate(folder.parts)
            ],
        )
        source = CorpusImport.objects.create(
            project=project,
            filename=name,
            sha256=folder.manifest_sha256,
            options={"format": FORMAT},
            counts={"articles_added": 0, "sentences_added": 0},
            signature=tokenisation.SIGNATURE,
            imported_by=by,
        )
        dataset = ExternalDataset.objects.create(
            project=project,
            job=job,
            source=source,
            name=name,
            address=folder.address,
            manifest=folder.manifest,
            manifest_sha256=folder.manifest_sha256,
            size=folder.pairs,
        )
        ledger.hand_over(job)
    return dataset


def _of_manifest(dataset: ExternalDataset) -> PairsFolder:
    folder = _read(dataset.address)
    if folder.manifest_sha256 != dataset.manifest_sha256:
        raise PublicError("The folder has changed since it was attached: its manifest is another.")
    return folder


def opened(dataset: ExternalDataset) -> PairsFolder:
    """The folder of a dataset. Raises PublicError where it is not what was attached."""
    folder = _of_manifest(dataset)
    if changed := folder.changed():
        names = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        raise PublicError(
            f"The folder has changed since it was attached: {names} missing or of another size."
        )
    return folder


def sample(dataset: ExternalDataset, *, seed: int, size: int = SAMPLE) -> list[DrawnRow]:
    """Pairs at random by a seed, all of them where they are fewer. Raises PublicError as `opened` does."""
    try:
        return draw_rows(opened(dataset), min(size, dataset.size), seed=seed)[0]
    except ValueError as error:
        raise PublicError(str(error)) from error


def _check_part(job: Job, chunk: JobChunk) -> dict[int, int]:
    """The pairs of a part by their distance, once it has its hash."""
    folder = _of_manifest(job.external_dataset)
    part = folder.parts[chunk.payload["part"]]
    counts: dict[int, int] = {}
    try:
        folder.checked(part)
        for _, distances in replace(folder, parts=(part,)).numbers("edit_distance"):
            for distance, count in zip(*np.unique(distances, return_counts=True), strict=True):
                counts[int(distance)] = counts.get(int(distance), 0) + int(count)
    except FileProblem as error:
        raise PublicError(str(error)) from error
    return counts


def _count_part(job: Job, counts: dict[int, int]) -> dict[str, int]:
    dataset = ExternalDataset.objects.select_for_update().get(job=job)
    for distance, count in counts.items():
        dataset.distances[str(distance)] = dataset.distances.get(str(distance), 0) + count
    dataset.save(update_fields=["distances"])
    return {"pairs": sum(counts.values())}


RUNNER = Runner(compute=_check_part, store=_count_part)


@transaction.atomic
def store_rows(extraction: Extraction, dataset: ExternalDataset, rows: Sequence[DrawnRow]) -> list[int]:
    """Store pairs drawn from a dataset, apart from the corpus, as findings; their ids in this order.

    Of their articles only the sentences of these pairs are known; they keep their places. What an earlier
    draw brought is there already.
    """
    keep(dataset, dataset.source)
    CorpusImport.objects.select_for_update().get(pk=dataset.source_id)
    places = {place: text for row in rows for place, text in _sides(dataset, row)}
    keys = {cluster for cluster, _, _ in places}
    if too_long := [key for key in (*keys, *(place[1] for place in places)) if len(key) > 200]:
        raise PublicError(f"The id {too_long[0]!r} of a cluster or article has more than 200 characters.")
    known = Cluster.objects.filter(project=dataset.project_id, pair_import=dataset.source)
    there = set(known.filter(key__in=keys).values_list("key", flat=True))
    Cluster.objects.bulk_create(
        [
            Cluster(project_id=dataset.project_id, key=key, pair_import=dataset.source)
            for key in sorted(keys - there)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    clusters = {one.key: one for one in known.filter(key__in=keys)}
    articles = _articles(dataset, clusters, {place[:2] for place in places})
    sentences = _sentences(articles, places)
    pairs = []
    for row in rows:
        a, b = sorted((sentences[place] for place, _ in _sides(dataset, row)), key=lambda one: one.pk)
        cluster = clusters[f"{dataset.name}/{row.values['cluster_id']}"]
        pairs.append(candidate(dataset.project, cluster, a, b))
    ids = store_pairs(pairs)
    stored = [ids[pair.content_key.hex] for pair in pairs]
    Finding.objects.bulk_create(
        [
            Finding(extraction=extraction, pair_id=pair, score=_score(row))
            for pair, row in zip(stored, rows, strict=True)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    ExternalRow.objects.bulk_create(
        [
            ExternalRow(extraction=extraction, pair_id=pair, part=row.part, row=row.row, number=row.number)
            for pair, row in zip(stored, rows, strict=True)
        ],
        batch_size=ROWS_AT_ONCE,
    )
    return stored


def _score(row: DrawnRow) -> float | None:
    """The score of a row; None where it has none from 0 to 1."""
    given = next((row.values[name] for name in SCORE_COLUMNS if name in row.values), None)
    return float(given) if given is not None and 0 <= float(given) <= 1 else None


Place = tuple[str, str, int]
"""The keys of a sentence's cluster and article, and its number there."""


def _sides(dataset: ExternalDataset, row: DrawnRow) -> list[tuple[Place, str]]:
    cluster = f"{dataset.name}/{row.values['cluster_id']}"
    return [
        ((cluster, row.values[f"article_{side}"], row.values[f"sentence_{side}"]), row.values[f"text_{side}"])
        for side in "ab"
    ]


def _articles(
    dataset: ExternalDataset, clusters: dict[str, Cluster], places: Iterable[tuple[str, ...]]
) -> dict[tuple[str, str], Article]:
    rows = Article.objects.filter(cluster__in=clusters.values()).select_related("cluster")
    there = {(one.cluster.key, one.key): one for one in rows}
    new = [
        Article(
            cluster=clusters[cluster],
            key=key,
            source=dataset.name,
            # The article itself is not known.
            content_sha256=hashlib.sha256(key.encode()).hexdigest(),
            corpus_import=dataset.source,
        )
        for cluster, key in sorted(set(places) - there.keys())
    ]
    Article.objects.bulk_create(new, batch_size=ROWS_AT_ONCE)
    dataset.source.counts["articles_added"] += len(new)
    dataset.source.save(update_fields=["counts"])
    return there | {(one.cluster.key, one.key): one for one in new}


def _sentences(articles: dict[tuple[str, str], Article], places: dict[Place, str]) -> dict[Place, Sentence]:
    by_id = {one.pk: place for place, one in articles.items()}
    rows = Sentence.objects.filter(article__in=by_id)
    there = {(*by_id[one.article_id], one.number): one for one in rows}
    new = {
        place: Sentence(
            article=articles[place[:2]],
            number=place[2],
            text=text,
            tokens=text,
            starts=[0, *(at + 1 for at, character in enumerate(text) if character == " ")],
        )
        for place, text in sorted(places.items())
        if place not in there
    }
    Sentence.objects.bulk_create(new.values(), batch_size=ROWS_AT_ONCE)
    return there | new


def row_of(pair: CandidatePair) -> ExternalRow | None:
    """The place of a pair in the external dataset that it was drawn from, if it was."""
    rows = ExternalRow.objects.filter(pair=pair.pk).select_related("extraction__external")
    return rows.order_by("pk").first()
