from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from alignment.models import AlignerRun, Export, GoldAlignment
from alignment.services.export_store import export_path
from alignment.services.trained_aligners.applying import apply_aligner
from annotation.models import Answer, Batch, BatchState, GoldJudgement, Item
from annotation.permissions import visible_items
from annotation.services.drawing import available_pairs
from annotation.services.gold import freeze_gold_set, freeze_gold_subclusters
from corpus.models import Dataset, DatasetPair
from jobs.models import Job, JobState
from jobs.services import removal, retention
from jobs.services.ledger import retry_job
from jobs.services.running import run_here
from jobs.views.removal import address_of
from ops.archive.storing import import_project
from ops.archive.writing import export_project
from projects.errors import InUse, PublicError
from tests.audit import events
from tests.factories.annotation import assignments_of, judge_all, judging_batch
from tests.factories.classifiers import applied, built_lexicon, learnable_dataset, learnable_gold, trained
from tests.factories.corpus import ExtractionFactory, dataset_of
from tests.factories.experiments import experiment
from tests.factories.exports import export_gold
from tests.factories.models import answered_by_model
from tests.factories.subclusters import headline_cluster, split, splitting_batch
from tests.factories.trained_aligners import linked_gold, trained_aligner
from tests.jobs.services.test_removal import api, archive, imported

pytestmark = pytest.mark.django_db

AT_ONCE = {"import", "extraction"}


@pytest.fixture
def me(manager):
    return User.objects.get(username="manager")


def in_bin(manager, **query):
    return manager.get("/api/v1/projects/dams/bin/", query).json()["items"]


def entry(obj):
    return f"/api/v1/projects/dams/bin/{removal.kind_of(obj).name}/{obj.pk}/"


def let_days_pass(days=8):
    """Everything that is deleted was deleted so much earlier."""
    for kind in removal.removable_kinds().values():
        for pk, at in kind.model.everything.exclude(deleted_at=None).values_list("pk", "deleted_at"):
            kind.model.everything.filter(pk=pk).update(deleted_at=at - timedelta(days=days))


def sweep_all():
    """The sweeps of some minutes, with the jobs between them."""
    for _ in range(10):
        retention.sweep()
        for job in Job.objects.filter(kind=removal.JOB, state=JobState.QUEUED):
            run_here(job=job)


def unused(kind, project, annotators, folder):
    """An object of the kind that nothing refers to."""
    if kind == "import":
        return imported(project, folder)
    if kind == "extraction":
        return ExtractionFactory(project=project)
    if kind == "batch":
        return judging_batch(project, annotators, size=2)
    if kind == "model-annotator":
        return answered_by_model(judging_batch(project, annotators, size=2))
    if kind == "gold-subclusters":
        headline_cluster(project, key="headlines")
        batch = splitting_batch(project, annotators, fewest=6)
        for annotator in annotators:
            split(batch.items.get(), annotator, [[1, 2]])
        return freeze_gold_subclusters(project=project, by=None, name="heads", batch=batch, rule="shared")
    if kind == "gold-alignments":
        return linked_gold(project, 2)
    if kind == "gold-set":
        batch = judging_batch(project, annotators, size=2)
        for annotator in annotators:
            judge_all(batch, annotator)
        return freeze_gold_set(project=project, by=None, name="gold", batches=[batch])
    if kind == "export":
        links = linked_gold(project, 2)
        return export_gold(project=project, by=None, gold_set=links.batch.gold_set, gold_links=links)
    if kind == "experiment":
        return experiment([dataset_of(project, 2)], [linked_gold(project, 2)])
    if kind in ("classifier", "classifier-run", "lexicon"):
        dataset = learnable_dataset(project)
        if kind == "lexicon":
            return built_lexicon(dataset)
        classifier = trained(project, learnable_gold(project, dataset, name="gold"))
        if kind == "classifier":
            return classifier
        run = applied(classifier, dataset)
        for refined in run.refined.all():
            retention.delete(obj=refined, by=annotators[0])
        return run
    dataset = dataset_of(project, 2)
    if kind == "dataset":
        return dataset
    aligner = trained_aligner(dataset)
    if kind == "trained-aligner":
        return aligner
    run = apply_aligner(project=project, by=None, trained=aligner, dataset=dataset)
    run_here(job=run.job)
    return run


LISTS = {
    "import": ("imports", "corpus"),
    "extraction": ("extractions", "candidates"),
    "dataset": ("datasets", "datasets"),
    "lexicon": ("", "lexicons"),
    "batch": ("batches", "judge"),
    "gold-set": ("gold-sets", "gold"),
    "gold-subclusters": ("gold-subclusters", "gold"),
    "gold-alignments": ("gold-alignments", "gold"),
    "classifier": ("classifiers", "classifiers"),
    "classifier-run": ("classifier-runs", "classifiers"),
    "model-annotator": ("model-annotators", ""),
    "trained-aligner": ("trained-aligners", "aligners"),
    "aligner-run": ("aligner-runs", ""),
    "experiment": ("experiments", "experiments"),
    "export": ("exports", "exports"),
}
"""The list in the API and the page of each kind; runs of an aligner are on its page, models on that of their
batch, lexicons on pages."""


def test_each_kind_has_its_lists():
    assert set(LISTS) == set(removal.removable_kinds())


def check_archiving(project, manager, obj):
    """Archived, it is left out of lists; restored, it is in them again."""
    kind = removal.kind_of(obj)
    rows, page = kind.model.objects, address_of(project, obj)
    removing = reverse("removal", args=[project.slug, kind.name, obj.pk])
    text = manager.get(removing).content.decode()
    assert "Nothing refers to it" in text and 'name="delete"' in text
    name, overview = LISTS[kind.name]
    # An export has no page; it is downloaded from the list.
    download = reverse("export-download", args=[project.slug, obj.pk]) if kind.name == "export" else ""
    link = download or f'href="{page}"'
    if not download:
        assert f'<a href="{removing}">Delete or archive' in manager.get(page).content.decode()

    def listed(query=""):
        answer = manager.get(f"/api/v1/projects/{project.slug}/{name}/{query}").json()
        return obj.pk in [row["id"] for row in answer["items"]]

    def shown(query=""):
        return link in manager.get(reverse(overview, args=[project.slug]) + query).content.decode()

    def check_lists(*, archived):
        if name:
            assert (listed(), listed("?archived=true"), listed("?archived=all")) == (
                not archived,
                archived,
                True,
            )
        assert not overview or (shown(), shown("?archived=true")) == (not archived, archived)

    check_lists(archived=False)
    assert manager.post(removing, {"archive": "yes"}).status_code == 302
    assert not rows.current().filter(pk=obj.pk).exists()
    check_lists(archived=True)
    assert manager.get(page).status_code == 200
    assert 'name="restore"' in manager.get(removing).content.decode()
    assert manager.post(removing, {"restore": "yes"}).status_code == 302
    assert rows.current().filter(pk=obj.pk).exists()
    if name:
        assert archive(manager, obj).status_code == archive(manager, obj, False).status_code == 200
    assert events(target__startswith=f"{kind.noun} {obj.pk}: ")[-2:] == ["object-archived", "object-restored"]


@pytest.mark.parametrize("kind", sorted(LISTS))
def test_each_kind_waits_in_the_bin_is_restored_and_deleted_for_good(
    project, annotators, manager, me, settings, tmp_path, kind
):
    settings.UNDO_DAYS = 0  # what stands in the way goes at once
    obj = unused(kind, project, annotators, tmp_path)
    check_archiving(project, manager, obj)
    settings.UNDO_DAYS = 7
    of = removal.kind_of(obj)
    name, page = str(obj), reverse("removal", args=["dams", kind, obj.pk])
    text = manager.get(page).content.decode()
    answer = manager.post(page, {"delete": "yes", "confirm": name}, follow=True)
    assert not of.model.objects.filter(pk=obj.pk).exists()
    if kind in AT_ONCE:
        assert "cannot wait in the bin" in text and "is deleted for good" in answer.content.decode()
        assert not of.model.everything.filter(pk=obj.pk).exists() and not in_bin(manager)
        return
    assert "restored for 7 days" in text and reverse("bin", args=["dams"]) in answer.content.decode()
    (row,) = in_bin(manager)
    assert (row["kind"], row["id"], row["name"], row["deleted_by"]) == (kind, obj.pk, name, "manager")
    assert row["kept_until"] > row["deleted_at"]
    assert page in manager.get(reverse("bin", args=["dams"])).content.decode()
    assert "Delete now" in manager.get(page).content.decode()

    assert manager.post(page, {"restore": "yes"}).status_code == 302
    back = of.model.objects.get(pk=obj.pk)
    assert (str(back), back.deleted_by, in_bin(manager)) == (name, None, [])

    retention.delete(obj=back, by=me, confirmed=name)
    assert manager.delete(f"{entry(obj)}?confirm={name}").status_code == 204
    assert not of.model.everything.filter(pk=obj.pk).exists() and not in_bin(manager)
    own_job = getattr(obj, "job_id", None)
    assert not own_job or not Job.objects.filter(pk=own_job).exists()
    assert events(target__startswith=f"{of.noun} {obj.pk}: ")[-4:] == [
        "object-deleted",
        "object-restored",
        "object-deleted",
        "object-removed",
    ]
    assert manager.post(page, {"restore": "yes"}).status_code == 404
    assert manager.post(entry(obj)).status_code == 404


def test_a_name_is_free_at_once_and_taken_when_somebody_uses_it(project, manager, me):
    dataset = dataset_of(project, 2, name="pairs")
    retention.delete(obj=dataset, by=me)
    other = dataset_of(project, 1, name="pairs")
    refused = manager.post(entry(dataset))
    assert (refused.status_code, "another dataset pairs" in refused.json()["detail"]) == (400, True)
    retention.delete(obj=other, by=me)
    assert manager.post(entry(dataset)).status_code == 204
    assert [str(row) for row in Dataset.objects.filter(name="pairs")] == ["pairs"]


def test_the_same_links_and_exports_are_made_again_beside_the_deleted_ones(project, me):
    links, dataset = linked_gold(project, 2), dataset_of(project, 2)
    aligner = trained_aligner(dataset)
    run = apply_aligner(project=project, by=None, trained=aligner, dataset=dataset)
    run_here(job=run.job)
    first = export_gold(project=project, by=None, gold_set=links.batch.gold_set, gold_links=links)
    for obj in (run, first):
        retention.delete(obj=obj, by=me)
    again = apply_aligner(project=project, by=None, trained=aligner, dataset=dataset)
    second = export_gold(project=project, by=None, gold_set=links.batch.gold_set, gold_links=links)
    assert again != run and second != first and second.sha256 == first.sha256
    for obj in (run, first):
        with pytest.raises(PublicError, match="by now"):
            retention.restore(obj=obj, by=me)
    retention.remove(obj=first, by=me)
    assert export_path(project, second.sha256).is_file()  # both have the same
    assert AlignerRun.everything.count() == 2


def test_what_uses_something_is_restored_after_it_and_removed_before_it(project, manager, annotators, me):
    batch = judging_batch(project, annotators, size=2, name="pilot")
    dataset, extraction = batch.dataset, batch.dataset.extractions.get()
    for obj in (batch, dataset):
        assert manager.delete(api(obj)).status_code == 204
    refused = manager.post(entry(batch))
    assert (refused.status_code, f"dataset {dataset}" in refused.json()["detail"]) == (400, True)
    for address in (entry(dataset), api(extraction)):
        refused = manager.delete(address)
        assert refused.status_code == 409
    assert refused.json()["used_by"] == [{"kind": "dataset", "id": dataset.pk, "name": str(dataset)}]
    page = manager.get(reverse("removal", args=["dams", "extraction", extraction.pk])).content.decode()
    assert f"the dataset {dataset}" in page and 'name="delete"' not in page
    for obj in (dataset, batch):
        assert manager.post(entry(obj)).status_code == 204
    batch.refresh_from_db()
    assert batch.state == BatchState.CLOSED and batch.items.count() == 2
    for obj in (batch, dataset):
        assert manager.delete(api(obj)).status_code == 204
    for obj in (batch, dataset):
        assert manager.delete(entry(obj)).status_code == 204
    assert manager.delete(api(extraction)).status_code == 204
    assert not (Batch.everything.exists() or Dataset.everything.exists() or Item.objects.exists())


def test_many_deleted_ones_do_not_hide_one_that_is_in_use(project, annotators, me):
    dataset = dataset_of(project, 2)
    for number in range(removal.USES_NAMED + 2):
        batch = judging_batch(project, annotators, size=1, dataset=dataset, name=f"b{number}")
        Batch.everything.filter(pk=batch.pk).update(deleted_at=timezone.now())
    judging_batch(project, annotators, size=1, dataset=dataset, name="used")
    with pytest.raises(InUse, match="the batch used"):
        retention.delete(obj=dataset, by=me)


def test_what_is_due_is_removed_with_all_rows_and_files_whatever_uses_what(
    project, manager, annotators, me, django_capture_on_commit_callbacks
):
    links = linked_gold(project, 2)
    linking, gold = links.batch, links.batch.gold_set
    judging = gold.batches.get()
    export = export_gold(project=project, by=None, gold_set=gold, gold_links=links)
    path = export_path(project, export.sha256)
    for obj in (export, links, linking, gold, judging, judging.dataset):
        retention.delete(obj=obj, by=me, confirmed=str(obj))
    sweep_all()
    assert len(in_bin(manager)) == 6 and path.is_file()
    let_days_pass(days=6)
    sweep_all()
    assert len(in_bin(manager)) == 6
    let_days_pass(days=2)
    with django_capture_on_commit_callbacks(execute=True):
        sweep_all()
    assert in_bin(manager) == [] and not path.exists()
    for model in (GoldAlignment, GoldJudgement, Answer, Item, DatasetPair):
        assert not model.objects.exists()
    for of in (Batch, Dataset, Export):
        assert not of.everything.exists()
    assert Job.objects.filter(kind=removal.JOB, state=JobState.DONE).count() == 6


def test_answers_are_deleted_for_good_only_by_the_name_of_their_batch(project, manager, annotators):
    batch = judging_batch(project, annotators, size=2, name="pilot")
    judge_all(batch, annotators[0])
    assert manager.delete(api(batch)).status_code == 400
    assert manager.delete(f"{api(batch)}?confirm=pilot").status_code == 204
    page = reverse("removal", args=["dams", "batch", batch.pk])
    assert 'name="confirm"' in manager.get(page).content.decode()
    for confirmed in ({}, {"confirm": "Pilot"}):
        answer = manager.post(page, {"remove": "yes"} | confirmed, follow=True)
        assert "type its name" in answer.content.decode()
    assert Answer.objects.exists()
    assert manager.post(page, {"remove": "yes", "confirm": "pilot"}).status_code == 302
    assert not (Batch.everything.exists() or Answer.objects.exists())


def test_a_deleted_batch_is_nowhere_and_its_pairs_are_free(project, manager, annotators, me):
    batch = judging_batch(project, annotators, size=2, name="pilot")
    judge_all(batch, annotators[0])
    assert available_pairs(batch.dataset) == 0
    place = assignments_of(batch, annotators[1])[0]
    item = batch.items.first()
    retention.delete(obj=batch, by=me, confirmed="pilot")
    client = Client()
    client.force_login(annotators[1])
    answer = {"label": "paraphrase", "version": 0, "key": "00000000-0000-4000-8000-000000000001"}
    put = client.put(f"/api/v1/assignments/{place.pk}/judgement/", answer, "application/json")
    assert put.status_code == client.get(f"/api/v1/assignments/{place.pk}/").status_code == 404
    assert available_pairs(batch.dataset) == 2
    assert not visible_items(me, project).exists()
    assert manager.get(reverse("adjudicate", args=["dams", item.pk])).status_code == 404
    retention.restore(obj=batch, by=me)
    assert visible_items(me, project).count() == 2


def test_the_job_of_something_deleted_is_not_taken_up_again(project, me):
    classifier = trained(project, learnable_gold(project, learnable_dataset(project), name="gold"))
    Job.objects.filter(pk=classifier.job_id).update(state=JobState.FAILED)
    retention.delete(obj=classifier, by=me)
    with pytest.raises(PublicError, match="Restore it first"):
        retry_job(job=Job.objects.get(pk=classifier.job_id))


def test_an_archive_holds_the_bin(project, me, tmp_path):
    links = linked_gold(project, 2)
    export = export_gold(project=project, by=None, gold_set=links.batch.gold_set, gold_links=links)
    retention.delete(obj=export, by=me)
    path = tmp_path / "project.zip"
    export_project(project=project, path=path)
    copy = import_project(path=path, slug="copy").project
    (kept,) = retention.bin_of(copy)
    export.refresh_from_db()
    assert (str(kept.object), kept.object.deleted_by, kept.at) == (str(export), me, export.deleted_at)
    assert export_path(copy, export.sha256).is_file()
    retention.restore(obj=kept.object, by=me)
    assert copy.exports.get().sha256 == export.sha256


def test_an_object_that_came_back_is_not_removed_by_its_earlier_removal(project, annotators, me, monkeypatch):
    """A removal that failed since the object was in use, and a later deletion of the same."""
    monkeypatch.setattr(removal, "PIECES_AT_ONCE", -1)
    dataset = dataset_of(project, 2, name="chosen")
    retention.delete(obj=dataset, by=me)
    retention.remove(obj=dataset, by=me)
    batch = judging_batch(project, annotators, size=2)
    Batch.objects.filter(pk=batch.pk).update(dataset=dataset)
    run_here(job=Job.objects.get(kind=removal.JOB))
    assert Dataset.objects.filter(pk=dataset.pk).exists()
    Batch.objects.filter(pk=batch.pk).delete()
    Job.objects.filter(kind=removal.JOB).update(finished_at=timezone.now() - removal.RESUME_AFTER * 2)
    retention.delete(obj=dataset, by=me)
    sweep_all()
    assert Dataset.everything.filter(pk=dataset.pk).exists()
    retention.restore(obj=dataset, by=me)
