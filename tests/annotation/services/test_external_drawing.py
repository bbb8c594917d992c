"""Batches from external datasets: the pairs of the draw in memory, their lineage, none drawn twice."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from alignment.services.exporting import judged_batches
from annotation.models import Batch, Label
from annotation.services.dataset_figures import extraction_precision
from annotation.services.external_drawing import launch_external_draw
from annotation.services.gold import freeze_gold_set
from corpus.models import CandidatePair, Cluster, ExternalDataset, ExternalRow, Sentence
from corpus.services.external_datasets import opened, row_of
from jobs.services.removal import delete
from jobs.services.running import run_here
from paragold.formats.judgements.gold_jsonl import dumps, loads
from paragold.sampling.rows import draw_rows
from paragold.sampling.strategy import DrawSpec
from projects.errors import InUse, PublicError
from projects.models import Project
from tests.factories.annotation import judge_all
from tests.factories.corpus import ProjectFactory, member
from tests.factories.external import external_dataset
from tests.factories.pairs_folder import pair_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = ProjectFactory()
    member(project, "annotator", "ann")
    return project


def draw(dataset: ExternalDataset, size: int, seed: int = 4, **strategy: Any) -> Batch:
    extraction = launch_external_draw(
        project=dataset.project, by=None, name=f"batch {dataset.project.batches.count()}", dataset=dataset,
        size=size, annotators=["ann"], seed=seed, overlap=1, strategy=DrawSpec(**strategy),
    )  # fmt: skip
    run_here(job=extraction.job)
    assert extraction.job.state == "done", extraction.job.error
    return Batch.objects.get(dataset__extractions=extraction)


def texts(batch: Batch) -> list[frozenset[str]]:
    items = batch.items.order_by("number").select_related("pair__sentence_a", "pair__sentence_b")
    return [frozenset((item.pair.sentence_a.text, item.pair.sentence_b.text)) for item in items]


def test_batch_has_the_drawn_pairs_and_each_names_its_row(project):
    dataset = external_dataset(project, 60)
    batch = draw(dataset, 12)
    folder = opened(dataset)
    drawn, counts = draw_rows(folder, 12, seed=4)
    assert set(texts(batch)) == {frozenset((one.values["text_a"], one.values["text_b"])) for one in drawn}
    assert len(texts(batch)) == 12
    assert batch.sampling["strata"] == counts == [{"stratum": "", "pairs": 60, "drawn": 12}]
    assert (batch.dataset.size, CandidatePair.objects.count()) == (12, 12)
    for item in batch.items.select_related("pair"):
        found = row_of(item.pair)
        part = next(part for part in folder.parts if part.name == found.part)
        [(_, row, values)] = folder.take([found.number])
        assert (found.row, part.first + row) == (row, found.number)
        assert {item.pair.sentence_a.text, item.pair.sentence_b.text} == {values["text_a"], values["text_b"]}
        assert item.pair.cluster.key == f"{dataset.name}/{values['cluster_id']}"
        assert item.pair.position_a == item.pair.sentence_a.number
        assert item.pair.edit_distance > 0


def test_second_draw_gives_other_pairs_until_they_are_asked_for_again(project):
    dataset = external_dataset(project, 40)
    first, second = draw(dataset, 25, seed=1), draw(dataset, 15, seed=2)
    assert not set(texts(first)) & set(texts(second))
    assert ExternalRow.objects.values("number").distinct().count() == 40
    extraction = launch_external_draw(
        project=project, by=None, name="more", dataset=dataset, size=1, annotators=["ann"], seed=3, overlap=1
    )
    run_here(job=extraction.job)
    assert "without those drawn before" in extraction.job.error
    clusters, sentences = Cluster.objects.count(), Sentence.objects.count()
    again = draw(dataset, 25, seed=1, again=True)
    assert texts(again) == texts(first)
    assert (Cluster.objects.count(), Sentence.objects.count()) == (clusters, sentences)
    assert CandidatePair.objects.count() == 40


def test_pair_that_another_batch_holds_is_not_drawn(project):
    first = external_dataset(project, 30, name="first")
    drawn = draw(first, 10)
    other = external_dataset(project, 30, name="other")
    assert not set(texts(drawn)) & set(texts(draw(other, 20)))


def test_strata_are_kept(project):
    rows = [pair_row(number, score=number / 50) for number in range(50)]
    dataset = external_dataset(project, rows)
    batch = draw(dataset, 10, by="score", min_score=0.4, max_score=0.6, allocation="equal")
    assert {item.stratum for item in batch.items.all()} == {"0.4-0.5", "0.5-0.6", "0.6-0.7"}
    scores = list(batch.dataset.extractions.get().findings.values_list("score", flat=True))
    assert all(0.4 <= score <= 0.6 for score in scores)
    by_distance = draw(dataset, 10, by="edit_distance", allocation="equal")
    assert {one["stratum"]: one["drawn"] for one in by_distance.sampling["strata"]} == {
        "0-4": 2, "5-8": 2, "9-12": 2, "13-20": 2, "21+": 2,
    }  # fmt: skip


def test_scores_that_are_none_from_0_to_1_are_not_kept(project):
    rows = [pair_row(number, score=score) for number, score in enumerate((0.5, None, 1.5, -2.0))]
    batch = draw(external_dataset(project, rows, parts=1), 4)
    scores = batch.dataset.extractions.get().findings.values_list("score", flat=True)
    assert sorted(scores, key=str) == [0.5, None, None, None]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"strategy": DrawSpec(by="cluster")}, "by"),
        ({"strategy": DrawSpec(rejected=20)}, "rejected"),
        ({"annotators": ["nobody"]}, "annotators"),
        ({"overlap": 2}, "overlap"),
        ({"size": 41}, "size"),
        ({"name": " "}, "name"),
    ],
)
def test_what_cannot_be_drawn_is_refused_at_once(project, change, field):
    dataset = external_dataset(project, 40)
    asked = {"name": "new", "size": 4, "annotators": ["ann"], "seed": 1, "overlap": 1} | change
    with pytest.raises(PublicError) as refused:
        launch_external_draw(project=project, by=None, dataset=dataset, **asked)
    assert refused.value.field == field


def test_folder_that_changed_after_the_launch_fails_the_draw(project):
    dataset = external_dataset(project, 40)
    extraction = launch_external_draw(
        project=project, by=None, name="new", dataset=dataset, size=4, annotators=["ann"], seed=1, overlap=1
    )
    (Path(dataset.address) / "part-00000.parquet").unlink()
    run_here(job=extraction.job)
    assert "changed since it was attached" in extraction.job.error
    assert not Batch.objects.exists()


def test_gold_export_carries_part_and_row_and_reads_them_back(project):
    dataset = external_dataset(project, 30, name="large")
    batch = draw(dataset, 4)
    judge_all(batch, User.objects.get(username="ann"), [Label.PARAPHRASE])
    gold = freeze_gold_set(project=project, by=None, name="gold", batches=[batch])
    pairs = [pair for some in judged_batches(gold) for pair in some]
    rows = {(row.part, row.row) for row in ExternalRow.objects.all()}
    assert {(pair.external.part, pair.external.row) for pair in pairs} == rows
    assert {pair.external.dataset for pair in pairs} == {"large"}
    assert loads(dumps(pairs)) == pairs
    [(_, shares)] = extraction_precision(gold).datasets
    assert shares[Label.PARAPHRASE].pool == 30


def test_command_draws_from_an_external_dataset(project, capsys):
    external_dataset(project, 40, name="large")
    options = ["--size", "10", "--annotator", "ann", "--overlap", "1", "--name", "b"]
    call_command("draw_batch", "--project", project.slug, "--dataset", "large", *options)
    assert "b, 10 pairs." in capsys.readouterr().out
    assert Batch.objects.get().items.count() == 10


def test_dataset_is_deleted_once_no_draw_is_left(project):
    dataset = external_dataset(project, 30)
    batch = draw(dataset, 4)
    drawn, extraction = batch.dataset, batch.dataset.extractions.get()
    by = project.created_by
    for used in (dataset, dataset.source, extraction):
        with pytest.raises(InUse):
            delete(obj=used, by=by)
    for obj in (batch, drawn, extraction, dataset, dataset.source):
        run_here(job=delete(obj=obj, by=by))
    assert not ExternalDataset.everything.exists()
    assert not ExternalRow.objects.exists()
    assert not CandidatePair.objects.exists()
    assert not Cluster.objects.filter(project=project).exists()
