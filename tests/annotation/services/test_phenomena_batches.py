"""Phenomena as a second step of judging, or in a batch of their own."""

import pytest

from annotation.models import GoldSet
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set
from projects.errors import PublicError
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, dataset_of, member

YES, NO = "paraphrase", "not_paraphrase"


@pytest.fixture
def people(project):
    return [member(project, "annotator", name) for name in ("ann", "ben")]


@pytest.fixture
def dataset(project):
    return dataset_of(project, 6, name="L12")


@pytest.fixture
def gold(project, people, dataset):
    batch = judging_batch(project, people, size=4, dataset=dataset, name="judged")
    for person in people:
        judge_all(batch, person, [YES, NO, YES, NO])
    return freeze_gold_set(project=project, by=None, name="gold", batches=[batch])


def draw(project, dataset, **options):
    size = options.pop("size", 2)
    return draw_judging_batch(
        project=project, by=None, name=f"batch {project.batches.count()}", dataset=dataset, size=size,
        annotators=["ann", "ben"], seed=1, **options,
    )  # fmt: skip


def test_a_batch_of_paraphrases_only(project, dataset, gold):
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
