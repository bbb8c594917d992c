from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from annotation.models import Batch, PairScore
from corpus.imports import import_corpus
from corpus.models import (
    Article,
    CandidatePair,
    Cluster,
    Dataset,
    Finding,
    Sentence,
)
from corpus.services.extraction import launch_extraction
from jobs.models import Job, JobState
from jobs.services import removal, retention
from jobs.services.running import run_here
from jobs.views.removal import address_of
from ops.archive.storing import import_project
from ops.archive.writing import export_project
from ops.facts import Facts
from ops.navigation import sections
from projects.errors import PublicError
from tests.factories.annotation import judging_batch
from tests.factories.classifiers import applied, learnable_dataset, learnable_gold, trained
from tests.factories.corpus import ExtractionFactory, dataset_of
from tests.factories.exports import export_gold
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db

TEXTS = ("The old dam above the town broke on Monday.", "On Monday the old dam above the town gave way.")


@pytest.fixture(autouse=True)
def no_bin(settings):
    settings.UNDO_DAYS = 0


def imported(project, folder, cluster="dam"):
    path = folder / f"{cluster}.jsonl"
    articles = [{"id": str(number), "text": text} for number, text in enumerate(TEXTS)]
    path.write_text(json.dumps({"cluster_id": cluster, "articles": articles}) + "\n", encoding="utf-8")
    import_corpus(project=project, by=None, path=path, filename=path.name)
    return project.imports.latest("pk")


def api(obj):
    kind = removal.kind_of(obj)
    if kind.name == "import":
        return reverse("api-import", args=[obj.project.slug, obj.pk])
    return f"/api/v1/{kind.plural}/{obj.pk}/"


def archive(manager, obj, archived=True):
    return manager.patch(api(obj), {"archived": archived}, "application/json")


def test_what_gold_was_made_from_is_refused_with_what_uses_it(project, manager):
    links = linked_gold(project, 2)
    gold = links.batch.gold_set
    judging = gold.batches.get()
    dataset = judging.dataset
    for user_kind, obj in (
        ("dataset", dataset.extractions.get()),
        ("batch", dataset),
        ("gold-set", judging),
        ("batch", gold),
        ("gold-alignments", links.batch),
    ):
        refused = manager.delete(api(obj))
        assert refused.status_code == 409
        (user,) = refused.json()["used_by"]
        assert user["kind"] == user_kind
        assert user["name"] in refused.json()["detail"]
        page = manager.get(reverse("removal", args=[project.slug, removal.kind_of(obj).name, obj.pk]))
        text = page.content.decode()
        model = removal.removable_kinds()[user_kind].model
        assert address_of(project, model.objects.get(pk=user["id"])) in text
        assert 'name="delete"' not in text and 'name="archive"' in text
        assert archive(manager, obj).status_code == 200


def test_a_classifier_goes_after_its_runs_and_they_after_their_datasets(project, manager):
    dataset = learnable_dataset(project)
    classifier = trained(project, learnable_gold(project, dataset, name="gold"))
    run = applied(classifier, dataset)
    refined = run.refined.get()
    assert manager.delete(api(classifier)).json()["used_by"][0]["kind"] == "classifier-run"
    assert manager.delete(api(run)).json()["used_by"][0]["kind"] == "dataset"
    assert {user["kind"] for user in manager.delete(api(dataset)).json()["used_by"]} >= {"dataset"}
    for obj in (refined, run, classifier):
        assert manager.delete(api(obj)).status_code == 204
    assert not PairScore.objects.exists()


def test_an_import_goes_with_its_articles_alone(project, manager, tmp_path):
    first = imported(project, tmp_path)
    second = imported(project, tmp_path, "storm")
    assert manager.delete(api(second)).status_code == 204
    assert list(Cluster.objects.values_list("key", flat=True)) == ["dam"]
    assert (Article.objects.count(), Sentence.objects.count()) == (2, 2)
    assert imported(project, tmp_path, "storm").counts["articles_added"] == 2
    extraction = launch_extraction(project=project, by=None, preset="candidates-2005")
    run_here(job=extraction.job)
    users = manager.delete(api(first)).json()["used_by"]
    assert [user["kind"] for user in users] == ["extraction"]


def test_an_extraction_takes_the_pairs_that_it_alone_found(project, manager):
    dataset = dataset_of(project, 4)
    kept, both, alone, _ = CandidatePair.objects.order_by("pk")
    extraction = ExtractionFactory(project=project)
    Finding.objects.bulk_create(Finding(extraction=extraction, pair=pair) for pair in (both, alone))
    Finding.objects.filter(extraction=dataset.extractions.get(), pair=alone).delete()
    assert manager.delete(api(extraction)).status_code == 204
    assert set(CandidatePair.objects.values_list("pk", flat=True)) >= {kept.pk, both.pk}
    assert not CandidatePair.objects.filter(pk=alone.pk).exists()
    assert manager.delete(api(dataset)).status_code == 204
    assert Finding.objects.exists()  # a dataset is a choice of pairs that stay


def test_a_large_deletion_is_hidden_at_once_and_goes_on_in_the_background(project, manager, monkeypatch):
    monkeypatch.setattr(removal, "PIECES_AT_ONCE", -1)
    dataset = dataset_of(project, 3, name="mistake")
    extraction = dataset.extractions.get()
    assert manager.delete(api(dataset)).status_code == 204
    assert manager.get(api(dataset)).status_code == 404
    assert "mistake" not in manager.get(reverse("datasets", args=[project.slug])).content.decode()
    assert dataset_of(project, 1, name="mistake").pk  # its name is free
    for job in Job.objects.filter(kind=removal.JOB):
        run_here(job=job)
    assert manager.delete(api(extraction)).status_code == 204
    job = Job.objects.filter(kind=removal.JOB).latest("pk")
    assert (job.state, Finding.objects.filter(extraction=extraction.pk).count()) == (JobState.QUEUED, 3)
    run_here(job=job)
    job.refresh_from_db()
    assert (job.state, Finding.objects.filter(extraction=extraction.pk).count()) == (JobState.DONE, 0)


def test_who_was_choosing_it_meanwhile_keeps_it(project, manager, annotators, monkeypatch):
    monkeypatch.setattr(removal, "PIECES_AT_ONCE", -1)
    dataset = dataset_of(project, 2, name="chosen")
    assert manager.delete(api(dataset)).status_code == 204
    batch = judging_batch(project, annotators, size=2)
    Batch.objects.filter(pk=batch.pk).update(dataset=dataset)
    job = Job.objects.get(kind=removal.JOB)
    run_here(job=job)
    assert job.state == JobState.FAILED and batch.name in job.error
    assert manager.get(api(dataset)).json()["name"] == "chosen"


def test_a_job_that_works_on_it_comes_first(project, manager):
    extraction = ExtractionFactory(project=project)
    Job.objects.filter(pk=extraction.job_id).update(state=JobState.RUNNING)
    for request in (manager.delete(api(extraction)), archive(manager, extraction)):
        assert (request.status_code, "is running" in request.json()["detail"]) == (400, True)


def test_the_overview_and_the_navigation_count_without_archived_objects(project, manager, annotators):
    links = linked_gold(project, 2)
    export_gold(project=project, by=None, gold_set=links.batch.gold_set, gold_links=links)

    def counts():
        request = RequestFactory().get("/")
        request.user = User.objects.get(username="manager")
        request.resolver_match = None
        groups = sections(request, Facts(request.user, project))
        return {entry.label: entry.count for _, entries in groups for entry in entries}

    def batches():
        answer = manager.get(reverse("agreement", args=[project.slug]), {"format": "json"}).json()
        return [row["batch"] for row in answer["batches"]]

    judging = links.batch.gold_set.batches.get()
    assert batches() == [judging.pk]
    before = counts()
    assert (before["Judge"], before["Link"], before["Gold"], before["Export"]) == (1, 1, 2, 1)
    for obj in (*project.exports.all(), links, links.batch, links.batch.gold_set, judging):
        assert archive(manager, obj).status_code == 200
    assert batches() == []
    after = counts()
    assert (after["Judge"], after["Link"], after["Gold"], after["Export"]) == (0, 0, 0, 0)
    names = (judging.name, links.batch.name)
    launches = ("freeze-gold-set", "freeze-gold-links", "export-gold", "draw-linking-batch")
    for page in ("review", "pairs", *launches):
        address = ("launch", [project.slug, page]) if page in launches else (page, [project.slug])
        text = manager.get(reverse(address[0], args=address[1])).content.decode()
        assert not any(f">{name}<" in text or f"{name}:" in text for name in names), page


def test_a_deletion_that_failed_goes_on_by_itself(project, manager, monkeypatch):
    monkeypatch.setattr(removal, "PIECES_AT_ONCE", -1)
    dataset = dataset_of(project, 2)
    assert manager.delete(api(dataset)).status_code == 204
    job = Job.objects.get(kind=removal.JOB)
    job.state, job.finished_at, job.error = JobState.FAILED, timezone.now(), "the disk is full"
    job.save()
    retention.sweep()
    job.refresh_from_db()
    assert job.state == JobState.FAILED  # at once it would fail again
    Job.objects.filter(pk=job.pk).update(finished_at=timezone.now() - removal.RESUME_AFTER * 2)
    retention.sweep()
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    run_here(job=job)
    assert not Dataset.everything.filter(pk=dataset.pk).exists()
    retention.sweep()
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_an_archive_keeps_what_is_archived_and_waits_for_deletions(
    project, manager, annotators, tmp_path, monkeypatch
):
    monkeypatch.setattr(removal, "PIECES_AT_ONCE", -1)
    kept = dataset_of(project, 2, name="kept")
    assert archive(manager, kept).status_code == 200
    mistaken = dataset_of(project, 3, name="typo")
    retention.delete(obj=mistaken, by=annotators[0])
    path = tmp_path / "project.zip"
    with pytest.raises(PublicError, match="is running"):
        export_project(project=project, path=path)
    Job.objects.filter(kind=removal.JOB).update(state=JobState.FAILED)
    with pytest.raises(PublicError, match="has not ended"):
        export_project(project=project, path=path)
    Job.objects.filter(kind=removal.JOB).update(state=JobState.QUEUED)
    run_here(job=Job.objects.get(kind=removal.JOB))
    export_project(project=project, path=path)
    copy = import_project(path=path, slug="copy").project
    kept_at = Dataset.objects.get(pk=kept.pk).archived_at
    there = Dataset.everything.get(project=copy, name="kept")
    assert (there.archived_at, there.deleted_at) == (kept_at, None)
    assert there.pairs().count() == 2
    assert list(Dataset.everything.filter(project=copy)) == [there]
    assert not copy.jobs.filter(kind=removal.JOB).exists()
