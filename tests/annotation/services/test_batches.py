import pytest
from django.contrib.auth.models import User

from annotation.models import Assignment, Item
from annotation.services.drawing import draw_judging_batch
from corpus.models import CandidatePair, Finding
from projects.errors import PublicError
from tests.factories.annotation import judging_batch
from tests.factories.corpus import CandidatePairFactory, ProjectFactory, dataset_of, member

pytestmark = pytest.mark.django_db


def test_overlap_and_load(project, three):
    batch = judging_batch(project, three, size=9, overlap=2)
    assert [item.assignments.count() for item in batch.items.all()] == [2] * 9
    assert [Assignment.objects.of(user).count() for user in three] == [6, 6, 6]
    for user in three:
        positions = Assignment.objects.of(user).values_list("position", flat=True)
        assert sorted(positions) == [1, 2, 3, 4, 5, 6]


def test_the_draw_depends_on_the_seed_and_the_texts_alone(three):
    texts = [(f"The council mended dam {n}.", f"Dam {n} was mended.") for n in range(20)]
    drawn = []
    for order in (texts, texts[::-1]):
        project = ProjectFactory()
        member(project, "annotator", "ann")
        dataset = dataset_of(project, 1)
        extraction = dataset.extractions.get()
        CandidatePair.objects.filter(findings__extraction=extraction).delete()
        for a, b in order:
            pair = CandidatePairFactory(project=project, text_a=a, text_b=b)
            Finding.objects.create(extraction=extraction, pair=pair)
        batch = draw_judging_batch(
            project=project,
            by=None,
            name="b",
            dataset=dataset,
            size=5,
            annotators=["ann"],
            seed=3,
            overlap=1,
        )
        drawn.append([item.pair.sentence_a.text for item in batch.items.order_by("number")])
    assert drawn[0] == drawn[1]


def test_nothing_is_drawn_twice(project, three):
    dataset = dataset_of(project, 10)
    judging_batch(project, three, size=6, dataset=dataset)
    judging_batch(project, three, size=4, dataset=dataset)
    assert Item.objects.values("pair").distinct().count() == 10
    with pytest.raises(PublicError, match="only 0 not drawn"):
        judging_batch(project, three, size=1, dataset=dataset)


def test_what_is_asked_for_must_be_possible(project, three):
    with pytest.raises(PublicError, match="overlap of 4 with 3"):
        judging_batch(project, three, overlap=4)
    member(project, "viewer", "vic")
    with pytest.raises(PublicError, match="'vic' is not an annotator"):
        judging_batch(project, [User.objects.get(username="vic")])
    batch = judging_batch(project, three)
    with pytest.raises(PublicError, match="in use"):
        judging_batch(project, three, name=batch.name)
    with pytest.raises(PublicError, match="another project"):
        judging_batch(project, three, dataset=dataset_of(ProjectFactory()))
