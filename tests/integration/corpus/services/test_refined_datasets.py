from __future__ import annotations

import pytest

from annotation.services.drawing import draw_judging_batch
from corpus.models import Dataset
from corpus.services.characteristics import characteristics, overlaps
from corpus.services.datasets import freeze_refined_dataset
from projects.errors import PublicError
from projects.models import Project
from tests.factories.corpus import ProjectFactory, dataset_of, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def source() -> Dataset:
    project: Project = ProjectFactory()
    return dataset_of(project, 5)


def refined(source: Dataset, pairs: list[int], name: str = "refined") -> Dataset:
    return freeze_refined_dataset(
        source=source, name=name, pairs=pairs, refinement={"classifier": "svm v1", "threshold": 0.5}
    )


def test_a_refined_dataset_holds_the_accepted_pairs_and_says_what_chose_them(source: Dataset) -> None:
    kept = list(source.pairs().values_list("pk", flat=True))[1:4]
    dataset = refined(source, kept)
    assert sorted(dataset.pairs().values_list("pk", flat=True)) == sorted(kept)
    assert dataset.size == 3
    assert list(dataset.extractions.all()) == list(source.extractions.all())
    assert dataset.signature == (f'{source.signature}|refined[{{"classifier":"svm v1","threshold":0.5}}]')


def test_it_serves_wherever_datasets_do(source: Dataset) -> None:
    kept = list(source.pairs().values_list("pk", flat=True))[:2]
    dataset = refined(source, kept)
    assert characteristics(dataset).pairs == 2
    parts = {
        tuple(one.pk for one in part.members): part.pairs
        for part in overlaps(source.project, [source, dataset])
    }
    assert parts == {(source.pk, dataset.pk): 2, (source.pk,): 3}
    annotator = member(source.project, "annotator", "ann")
    batch = draw_judging_batch(
        project=source.project, by=None, name="b", dataset=dataset, size=2, annotators=[annotator.username],
        seed=1, overlap=1,
    )  # fmt: skip
    assert sorted(batch.items.values_list("pair", flat=True)) == sorted(kept)


def test_a_refined_dataset_can_be_refined_again(source: Dataset) -> None:
    kept = list(source.pairs().values_list("pk", flat=True))
    again = refined(refined(source, kept[:3]), kept[:1], name="again")
    assert list(again.pairs().values_list("pk", flat=True)) == kept[:1]


@pytest.mark.parametrize("name", ["", "  "])
def test_it_needs_a_name(source: Dataset, name: str) -> None:
    with pytest.raises(PublicError, match="needs a name"):
        refined(source, [1], name=name)


def test_a_taken_name_and_an_empty_choice_are_refused(source: Dataset) -> None:
    with pytest.raises(PublicError, match="choose another name"):
        refined(source, [1], name=source.name)
    with pytest.raises(PublicError, match="lower threshold"):
        refined(source, [])
    assert not Dataset.objects.filter(name="refined").exists()
