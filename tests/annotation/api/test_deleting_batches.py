"""Deleting a batch that nobody has answered."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation.models import Batch
from corpus.models import Dataset
from tests.audit import entries
from tests.factories.alignment import linking_batch
from tests.factories.annotation import judging_batch
from tests.factories.corpus import dataset_of
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


def test_batches_for_linking_and_for_splitting_too(people: People) -> None:
    headline_cluster(people.project, key="dam")
    splitting = splitting_batch(people.project, people.annotators, fewest=6)
    linking = linking_batch(people.project, people.annotators)
    for batch in (splitting, linking):
        assert people.client("manager").delete(url_of(batch)).status_code == 204
    assert splitting_batch(people.project, people.annotators, name="again", fewest=6).items.count() == 1
