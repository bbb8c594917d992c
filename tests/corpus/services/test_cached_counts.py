from collections import Counter

import pytest

from corpus.models import CandidatePair, KeptNumbers
from corpus.services import characteristics as service
from corpus.services.characteristics import characteristics, distances_of, overlaps, pairs_of
from corpus.services.datasets import freeze_dataset
from tests.factories.corpus import CandidatePairFactory, ProjectFactory, dataset_of
from tests.factories.news import DEMO, extract, project_with

pytestmark = pytest.mark.django_db


def test_the_pairs_of_a_project_are_counted_anew_when_others_come(monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(service, "MANY", 3)
    project = dataset_of(ProjectFactory(), 3).project
    assert pairs_of(project) == 3
    assert not KeptNumbers.objects.filter(name="pairs").exists()
    CandidatePairFactory(project=project)
    assert pairs_of(project) == 4
    with django_assert_num_queries(4):  # a few, the latest, the jobs, what is kept
        assert pairs_of(project) == 4
    CandidatePairFactory(project=project)
    assert pairs_of(project) == 5 == project.pairs.count()


def test_the_worker_that_ends_an_extraction_reckons_what_pages_show(
    django_capture_on_commit_callbacks, django_assert_num_queries
):
    project = project_with(DEMO)
    with django_capture_on_commit_callbacks(execute=True):
        extraction = extract(project, "L12-2004")
    dataset = project.datasets.get()
    distances = list(CandidatePair.objects.found_by([extraction.pk]).values_list("edit_distance", flat=True))
    with django_assert_num_queries(2):
        assert distances_of(extraction) == distances_of(dataset) == Counter(distances)
    assert characteristics(dataset)["pairs"] == dataset.size == len(distances)
    kept_now = set(KeptNumbers.objects.filter(project=project).values_list("name", flat=True))
    assert f"characteristics of dataset {dataset.pk}" in kept_now


def test_overlaps_are_reckoned_once_in_whatever_order_the_datasets_come(django_assert_num_queries):
    project = project_with(DEMO)
    extraction = extract(project, "candidates-2005")
    for name, distance in (("near", 8), ("nearer", 5)):
        freeze_dataset(
            project=project, name=name, extractions=[extraction], criteria={"max_edit_distance": distance}
        )
    sets = list(project.datasets.all())
    first = overlaps(project, sets)
    with django_assert_num_queries(1):
        again = overlaps(project, sets[::-1])
    assert [(set(part.members), part.pairs) for part in again] == [
        (set(part.members), part.pairs) for part in first
    ]
    assert sum(part.pairs for part in first) == extraction.findings.count()
