from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.api.items import queue_payload
from annotation.models import Assignment, BatchAnnotator, HandingOut
from annotation.permissions import adjudicable_items
from annotation.services.batches import close_batch
from annotation.services.drawing import draw_judging_batch
from annotation.services.leasing import MAX_LEASED, lease_items
from annotation.services.reassignment import change_annotator
from annotation.services.review import review_items
from projects.errors import PublicError
from tests.audit import events
from tests.factories.annotation import judge
from tests.factories.corpus import ProjectFactory, dataset_of, member


def dynamic_batch(project, three, *, size=6, overlap=2, **options):
    return draw_judging_batch(
        project=project, by=None, name=f"batch {project.batches.count()}", dataset=dataset_of(project, size),
        size=size, annotators=[user.username for user in three], seed=1, overlap=overlap,
        handing_out=HandingOut.AS_THEY_COME, **options,
    )  # fmt: skip


def numbers(batch, user):
    mine = Assignment.objects.of(user).filter(item__batch=batch).order_by("position")
    return list(mine.values_list("item__number", flat=True))


def test_the_next_free_item_to_whoever_asks(project, three):
    batch = dynamic_batch(project, three)
    ann, ben, cas = three
    assert not Assignment.objects.filter(item__batch=batch, annotator__isnull=False).exists()
    lease_items(batch=batch, by=ann, count=3)
    lease_items(batch=batch, by=ben, count=2)
    lease_items(batch=batch, by=cas, count=3)
    assert [numbers(batch, user) for user in three] == [[1, 2, 3], [1, 2], [3, 4, 5]]
    lease_items(batch=batch, by=ann, count=3)
    assert numbers(batch, ann) == [1, 2, 3]
    judge(Assignment.objects.of(ann).get(position=1))
    lease_items(batch=batch, by=ann, count=10)
    assert numbers(batch, ann) == [1, 2, 3, 4, 5, 6]
    places = Assignment.objects.filter(item__batch=batch, annotator__isnull=False)
    assert max(Counter(places.values_list("item", flat=True)).values()) == 2


def test_an_unanswered_item_returns_after_its_lease(project, three):
    ann, ben, _ = three
    batch = dynamic_batch(project, three, size=3, overlap=1, lease_minutes=5)
    lease_items(batch=batch, by=ann, count=3)
    judge(Assignment.objects.of(ann).get(position=1))
    kept = Assignment.objects.of(ann).get(position=2)
    judge(kept, None, comment="I come back to this")
    lease_items(batch=batch, by=ben, count=3)
    assert numbers(batch, ben) == []
    Assignment.objects.of(ann).update(leased_until=timezone.now() - timedelta(seconds=1))
    lost = Assignment.objects.of(ann).get(position=3)
    lease_items(batch=batch, by=ben, count=3)
    assert numbers(batch, ben) == [3]
    assert numbers(batch, ann) == [1, 2]
    with pytest.raises(PublicError, match="another annotator took it"):
        lost.annotator = ann
        judge_late(lost, ann)


def judge_late(assignment, user):
    """What a page sends that still shows the item."""
    import uuid

    from annotation.api.assignments import present
    from annotation.services.answers import save_judgement

    save_judgement(
        assignment=assignment, by=user, key=uuid.uuid4(), version=0, label="paraphrase", describe=present
    )


def test_a_late_answer_counts_while_nobody_else_has_the_item(project, three):
    batch = dynamic_batch(project, three, size=1, overlap=1)
    lease_items(batch=batch, by=three[0], count=1)
    Assignment.objects.of(three[0]).update(leased_until=timezone.now() - timedelta(days=1))
    judge(Assignment.objects.of(three[0]).get())
    lease_items(batch=batch, by=three[1], count=1)
    assert numbers(batch, three[1]) == []


def test_quotas_pauses_and_closing(project, three):
    ann, ben, cas = three
    batch = dynamic_batch(project, three, quotas={"ann": 4})
    lease_items(batch=batch, by=ann, count=10)
    assert len(numbers(batch, ann)) == 4
    judge(Assignment.objects.of(ann).get(position=1))
    change_annotator(batch=batch, by=ann, annotator=ann, quota=None, paused=True)
    assert len(numbers(batch, ann)) == 1
    payload = queue_payload(batch, ann, limit=10)
    assert (payload["paused"], payload["items"], payload["done"]) == (True, [], 1)
    change_annotator(batch=batch, by=ann, annotator=ann, quota=2, paused=False)
    assert len(queue_payload(batch, ann, limit=10)["items"]) == 1
    stranger = member(ProjectFactory(), "annotator", "dot")
    with pytest.raises(PublicError, match="dot does not take part"):
        change_annotator(batch=batch, by=ann, annotator=stranger, quota=None, paused=False)
    close_batch(batch=batch)
    batch.refresh_from_db()
    lease_items(batch=batch, by=cas, count=5)
    assert numbers(batch, cas) == numbers(batch, ben) == []
    assert len(events(project_id=project.pk, event="annotator-changed")) == 2


def test_nobody_keeps_more_ahead_than_a_score(project, three):
    batch = dynamic_batch(project, three, size=30, overlap=1)
    lease_items(batch=batch, by=three[0], count=100)
    assert len(numbers(batch, three[0])) == MAX_LEASED == 20


def test_review_waits_for_every_place(project, three):
    batch = dynamic_batch(project, three, size=1)
    lease_items(batch=batch, by=three[0], count=1)
    judge(Assignment.objects.of(three[0]).get())
    [entry] = review_items([batch])
    assert entry.labels == ["paraphrase"]
    adjudicator = member(project, "adjudicator", "adj")
    assert not adjudicable_items(adjudicator, project).exists()
    lease_items(batch=batch, by=three[1], count=1)
    judge(Assignment.objects.of(three[1]).get())
    assert adjudicable_items(adjudicator, project).count() == 1


@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_never_get_the_same_place():
    project = ProjectFactory()
    people = [member(project, "annotator", f"annotator {n}") for n in range(50)]
    batch = dynamic_batch(project, people, size=60, overlap=3)

    def take(user):
        try:
            lease_items(batch=batch, by=user, count=4)
        finally:
            connection.close()

    # Two tabs of each of the first ten.
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(take, [*people, *people[:10]]))
    places = Assignment.objects.filter(item__batch=batch)
    taken = places.filter(annotator__isnull=False)
    assert places.count() == 180 == taken.count()
    assert max(Counter(taken.values_list("item", "annotator")).values()) == 1
    assert max(Counter(taken.values_list("annotator", flat=True)).values()) <= 4
    assert set(Counter(taken.values_list("item", flat=True)).values()) == {3}
    assert BatchAnnotator.objects.filter(batch=batch).count() == 50
