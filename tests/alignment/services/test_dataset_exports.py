import csv
import io
import json
import zipfile
from contextlib import nullcontext
from unittest.mock import Mock

import pyarrow.parquet as pq
import pytest

from alignment.models import Export
from alignment.services import dataset_exports
from alignment.services.dataset_exports import KIND, export_dataset
from alignment.services.export_store import export_of, export_path
from alignment.specs import DatasetExportSpec
from jobs.models import JobState
from jobs.services import ledger
from jobs.services.ledger import cancel_job, retry_job
from jobs.services.running import run_here, run_next_chunk
from tests.factories.corpus import ProjectFactory, dataset_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(settings, tmp_path):
    settings.EXPORTS_DIR = tmp_path / "exports"
    return dataset_of(ProjectFactory(slug="dams", name="Dams"), 30)


def export(dataset, **options):
    job = export_dataset(dataset=dataset, by=None, spec=DatasetExportSpec(**options))
    run_here(job=job)
    assert (job.state, job.done, job.counts) == (JobState.DONE, 30, {"pairs": 30})
    made = Export.objects.get(pk=job.parameters["export"])
    with zipfile.ZipFile(export_path(dataset.project, made.sha256)) as archive:
        return made, {name: archive.read(name) for name in archive.namelist()}


def test_every_format_holds_every_pair(dataset):
    made, files = export(dataset, licence="CC-BY-4.0", limits="Made up.")
    texts = [
        (pair.sentence_a.text, pair.sentence_b.text)
        for pair in dataset.pairs().with_sentences().order_by("pk")
    ]
    rows = [json.loads(line) for line in files["pairs.jsonl"].decode().rstrip("\n").split("\n")]
    assert [(row["text_a"], row["text_b"]) for row in rows] == texts
    assert pq.read_table(io.BytesIO(files["pairs.parquet"])).to_pylist() == rows
    assert len(list(csv.DictReader(io.StringIO(files["pairs.csv"].decode("utf-8-sig"))))) == 30
    assert [files[name].count(b"\n") for name in ("pairs.tsv", "pairs.src", "pairs.tgt")] == [31, 30, 30]
    assert made.manifest["counts"] == {"pairs": 30}
    card = files["README.md"].decode()
    for told in ("# Dams: ", "CC-BY-4.0", "Made up.", "They are not labelled", 'path: "pairs.parquet"'):
        assert told in card


def test_what_is_there_or_under_way_is_not_made_again(dataset, django_capture_on_commit_callbacks):
    job = export_dataset(dataset=dataset, by=None)
    assert export_dataset(dataset=dataset, by=None) == job
    assert export_dataset(dataset=dataset, by=None, spec=DatasetExportSpec(limits="Made up.")) != job
    with django_capture_on_commit_callbacks(execute=True):
        run_here(job=job)
    made = export_of(job)
    assert [path.name for path in export_path(dataset.project, "").parent.iterdir()] == [f"{made.sha256}.zip"]
    assert export_dataset(dataset=dataset, by=None) == job
    export_path(dataset.project, made.sha256).unlink()
    again, _ = export(dataset)
    assert again == made and dataset.project.jobs.filter(kind=KIND).count() == 3


@pytest.mark.parametrize("splits", ["", "40/30/30"])
def test_how_the_pairs_are_parted_does_not_show(dataset, monkeypatch, splits):
    whole, _ = export(dataset, splits=splits)
    export_path(dataset.project, whole.sha256).unlink()
    monkeypatch.setattr(dataset_exports, "PAIRS_A_PART", 7)
    monkeypatch.setattr(dataset_exports, "IDS_AT_ONCE", 3)
    job = export_dataset(dataset=dataset, by=None, spec=DatasetExportSpec(splits=splits))
    assert job.total == 30
    if splits:
        run_next_chunk(job=job, worker="w", hold=lambda chunk: nullcontext())
    assert [chunk.units for chunk in job.chunks.all()] == [*([0] if splits else []), *[6] * 5]
    # A worker dies after its part was moved to the others; another one stops in the middle.
    with pytest.raises(OSError, match="power"), monkeypatch.context() as patched:
        patched.setattr(ledger, "complete_chunk", Mock(side_effect=OSError("power")))
        run_next_chunk(job=job, worker="w", hold=lambda chunk: nullcontext())
    cancel_job(job=job)
    run_here(job=retry_job(job=job))
    job.refresh_from_db()
    assert (job.state, export_of(job), job.counts) == (JobState.DONE, whole, {"pairs": 30})


def test_pairs_of_two_clusters_and_shared_sentences_keep_clusters_in_one_split(dataset):
    pairs = list(dataset.pairs().with_sentences().order_by("pk"))
    clusters = list(dict.fromkeys(pair.cluster for pair in pairs))
    assert len(clusters) > 3
    of = {cluster: [pair for pair in pairs if pair.cluster == cluster] for cluster in clusters}
    crossing = of[clusters[0]][0]
    crossing.sentence_b.article.cluster = clusters[1]
    crossing.sentence_b.article.save()
    same = of[clusters[2]][0].sentence_a
    same.tokens = of[clusters[1]][-1].sentence_b.tokens.upper()
    same.save()
    made, files = export(dataset, formats=["jsonl"], splits="40/30/30")
    rows = {
        name: [json.loads(line) for line in files[f"{name}.jsonl"].decode().splitlines()]
        for name in ("train", "dev", "test")
    }
    joined = [cluster.key for cluster in clusters[:3]]
    holding = {name for name, some in rows.items() for row in some if row["cluster"] in joined}
    assert len(holding) == 1 and sum(map(len, rows.values())) == 30
    details = made.manifest["details"]
    assert {name: one["pairs"] for name, one in details["splits"].items()} == {
        name: len(some) for name, some in rows.items()
    }
    assert details["largest_group"]["pairs"] == sum(len(of[cluster]) for cluster in clusters[:3])
    row = next(row for some in rows.values() for row in some if row["id"].startswith(f"{clusters[0]}/"))
    assert row["article_b"].startswith(f"{clusters[1]}/") and f"|{clusters[1]}/" in row["id"]
