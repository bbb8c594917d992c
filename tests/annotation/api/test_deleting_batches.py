"""Deleting a batch that nobody has answered."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Answer, Batch
from corpus.models import Dataset
from jobs.models import JobState
from tests.audit import entries
from tests.factories.alignment import linking_batch
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import JobFactory, dataset_of
from tests.factories.subclusters import headline_cluster, splitting_batch
from tests.permissions.people import People


@pytest.fixture
def dataset(people: People) -> Dataset:
    return dataset_of(people.project, 2)


@pytest.fixture
def batch(people: People, dataset: Dataset) -> Batch:
    return judging_batch(people.project, people.annotators, size=2, dataset=dataset, name="mistake")


def url_of(batch: Batch) -> str:
    return reverse("api-batch", args=[batch.pk])


def test_its_items_can_be_drawn_again(people: People, dataset: Dataset, batch: Batch) -> None:
    manager = people.client("manager")
    assert manager.delete(url_of(batch)).status_code == 204
    assert manager.get(url_of(batch)).status_code == 404
    assert judging_batch(people.project, people.annotators, size=2, dataset=dataset, name="mistake").pk
    entry = entries(event="object-deleted").get()
    assert (entry.actor, "mistake" in entry.target) == ("manager", True)


def test_a_batch_with_answers_stays(people: People, batch: Batch) -> None:
    (first, _) = assignments_of(batch, people["annotator"])
    judge(first)
    judge(first, None)  # taken back: the answers are kept all the same
    answer = people.client("manager").delete(url_of(batch))
    assert (answer.status_code, "answers" in answer.data["detail"]) == (400, True)
    assert Answer.objects.filter(assignment=first).count() == 2


def test_a_batch_that_a_job_works_on_stays(people: People, batch: Batch) -> None:
    JobFactory(project=people.project, state=JobState.RUNNING, parameters={"batch": batch.pk})
    assert people.client("manager").delete(url_of(batch)).status_code == 400
    assert Batch.objects.filter(pk=batch.pk).exists()


def test_the_page_asks_first(people: People, batch: Batch) -> None:
    manager = people.client("manager")
    page = reverse("batch", args=[people.project.slug, batch.pk])
    delete = reverse("removal", args=[people.project.slug, "batch", batch.pk])
    assert delete in manager.get(page).content.decode()
    assert "mistake" in manager.get(delete).content.decode()
    assert Batch.objects.filter(pk=batch.pk).exists()
    assert "mistake" in manager.post(delete, {"delete": "yes"}, follow=True).content.decode()
    assert not Batch.objects.filter(pk=batch.pk).exists()


def test_the_page_of_a_batch_with_answers_wants_its_name(people: People, batch: Batch) -> None:
    manager = people.client("manager")
    delete = reverse("removal", args=[people.project.slug, "batch", batch.pk])
    judge(assignments_of(batch, people["annotator"])[0])
    assert "type its name" in manager.post(delete, {"delete": "yes"}, follow=True).content.decode()
    assert Batch.objects.filter(pk=batch.pk).exists()


def test_batches_for_linking_and_for_splitting_too(people: People) -> None:
    headline_cluster(people.project, key="dam")
    splitting = splitting_batch(people.project, people.annotators, fewest=6)
    linking = linking_batch(people.project, people.annotators)
    for batch in (splitting, linking):
        assert people.client("manager").delete(url_of(batch)).status_code == 204
    assert splitting_batch(people.project, people.annotators, name="again", fewest=6).items.count() == 1
