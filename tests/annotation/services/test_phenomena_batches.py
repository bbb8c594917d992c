"""Phenomena as a second step of judging, or in a batch of their own."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from annotation.models import Batch, GoldSet
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set
from corpus.models import Dataset
from projects.errors import PublicError
from projects.models import Project
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, dataset_of, member

YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def people(project: Project) -> list[User]:
    return [member(project, "annotator", name) for name in ("ann", "ben")]


@pytest.fixture
def dataset(project: Project) -> Dataset:
    return dataset_of(project, 6, name="L12")


@pytest.fixture
def gold(project: Project, people: list[User], dataset: Dataset) -> GoldSet:
    batch = judging_batch(project, people, size=4, dataset=dataset, name="judged")
    for person in people:
        judge_all(batch, person, [YES, NO, YES, NO])
    return freeze_gold_set(project=project, by=None, name="gold", batches=[batch])


def draw(project: Project, dataset: Dataset, **options: object) -> Batch:
    size = options.pop("size", 2)
    return draw_judging_batch(
        project=project, by=None, name=f"batch {project.batches.count()}", dataset=dataset, size=size,
        annotators=["ann", "ben"], seed=1, **options,
    )  # fmt: skip


def test_a_batch_of_paraphrases_only(project: Project, dataset: Dataset, gold: GoldSet) -> None:
    batch = draw(project, dataset, paraphrases_of=gold, count_phenomena="paraphrases")
    wanted = set(gold.judgements.filter(label=YES).values_list("item__pair", flat=True))
    assert set(batch.items.values_list("pair", flat=True)) == wanted
    assert batch.sampling["paraphrases_of"] == "gold v1"
    with pytest.raises(PublicError, match="3 pairs requested, but the dataset L12 has only 2"):
        draw(project, dataset, paraphrases_of=gold, size=3)
    stranger = ProjectFactory()
    foreign = GoldSet.objects.create(
        project=stranger, name="x", version=1, rule="majority", scheme="binary", agreement={}, counts={},
        signature="",
    )  # fmt: skip
    with pytest.raises(PublicError, match="of this project"):
        draw(project, dataset, paraphrases_of=foreign)
