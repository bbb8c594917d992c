from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection

from annotation.api.assignments import present
from annotation.models import Answer, Assignment, AssignmentState, BatchAnnotator, HandingOut
from annotation.schemes import Label
from annotation.services.answers import save_judgement
from annotation.services.batches import close_batch
from annotation.services.drawing import draw_judging_batch
from annotation.services.leasing import lease_items
from annotation.services.reassignment import (
    OpenItems,
    change_annotator,
    hand_over_waiting,
    held_by,
    places_without_annotator,
    remove_from_project,
)
from projects.errors import PublicError
from projects.models import Membership, Role
from tests.audit import events
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import adjudicate, assignments_of, gold_set, judge, judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, UserFactory, dataset_of, member

pytestmark = pytest.mark.django_db
YES, NO = Label.PARAPHRASE.value, Label.NOT_PARAPHRASE.value


def open_items(batch, user):
    mine = Assignment.objects.filter(item__batch=batch, annotator=user, state=AssignmentState.OPEN)
    return list(mine.order_by("item__number").values_list("item__number", flat=True))


def remove(user, manager, **choice):
    membership = Membership.objects.get(user=user, role=Role.ANNOTATOR)
    remove_from_project(membership=membership, by=manager, **choice)


def check_places(batch, overlap):
    """Every item has the places that the batch asks for, answered or open, of different people."""
    for item in batch.items.all():
        places = item.assignments.exclude(state=AssignmentState.SKIPPED)
        assert places.count() == overlap
        people = [one for one in item.assignments.values_list("annotator", flat=True) if one is not None]
        assert len(people) == len(set(people))


def test_the_others_share_what_was_assigned_at_once(project, three, manager):
    batch = judging_batch(project, three, size=6, overlap=1)
    judge(assignments_of(batch, three[0])[0])
    remove(three[0], manager, open_items=OpenItems.HAND_BACK)
    assert open_items(batch, three[0]) == open_items(batch, None) == places_without_annotator(batch) == []
    assert sorted(len(open_items(batch, user)) for user in three[1:]) == [2, 3]
    assert Assignment.objects.of(three[0]).get().state == AssignmentState.DONE
    check_places(batch, 1)
    assert events(project_id=project.pk, actor="mira") == ["items-moved", "role-removed"]
    positions = [list(Assignment.objects.of(user).values_list("position", flat=True)) for user in three[1:]]
    assert all(len(set(one)) == len(one) for one in positions)


def test_nobody_gets_a_pair_twice_and_what_is_left_waits(project, three, manager):
    ann, ben, _ = three
    batch = judging_batch(project, [ann, ben], size=4, overlap=2)
    judge_all(batch, ben)
    remove(ann, manager, open_items=OpenItems.HAND_BACK)
    assert open_items(batch, None) == [1, 2, 3, 4] and len(places_without_annotator(batch)) == 4
    with pytest.raises(PublicError, match="cannot take any") as refused:
        hand_over_waiting(batch=batch, by=manager, to="ben")
    assert refused.value.field == "to"
    moved = hand_over_waiting(batch=batch, by=manager, to="cas")
    assert (moved.taken, moved.waiting) == ({"cas": 4}, 0)
    assert places_without_annotator(batch) == [] and BatchAnnotator.objects.filter(batch=batch).count() == 3
    judge_all(batch, three[2])
    check_places(batch, 2)
    with pytest.raises(PublicError, match="No item of this batch waits"):
        hand_over_waiting(batch=batch, by=manager, to="cas")


def test_who_decided_a_pair_does_not_annotate_it(project, three, manager):
    batch = judging_batch(project, three, size=1, overlap=3)
    for user, label in zip(three, (YES, NO), strict=False):
        judge_all(batch, user, [label])
    close_batch(batch=batch)
    dot = member(project, Role.ADJUDICATOR, "dot")
    adjudicate(item=batch.items.get(), by=dot, label=YES)
    member(project, Role.ANNOTATOR, "dot")
    with pytest.raises(PublicError, match="cannot take any"):
        remove(three[2], manager, open_items=OpenItems.HAND_OVER, to="dot")
    assert Membership.objects.filter(user=three[2], role=Role.ANNOTATOR).exists()
    assert open_items(batch, three[2]) == [1] and open_items(batch, dot) == []


def test_what_was_begun_keeps_its_history_and_is_shown_to_nobody(project, three, manager):
    ann, ben, cas = three
    batch = linking_batch(project, [ann, ben], source=gold_set(project, [ann, ben], size=2))
    link(assignments_of(batch, ann)[0], [[0, 0, "sure", "drawn"]], submitted=False)
    begun = assignments_of(batch, ann)[0]
    [held] = [one for one in held_by(ann, project) if one.batch == batch]
    assert (held.open, held.begun) == (1, 1)
    remove(ann, manager, open_items=OpenItems.HAND_OVER, to="cas")
    begun.refresh_from_db()
    assert (begun.annotator, begun.state) == (ann, AssignmentState.SKIPPED)
    assert Answer.objects.filter(assignment=begun).count() == 1
    fresh = assignments_of(batch, cas)[0]
    assert fresh.version == 0 and not hasattr(fresh, "alignment") and not fresh.answers.exists()
    check_places(batch, 2)


def dynamic(project, three, size=4, **options):
    return draw_judging_batch(
        project=project, by=None, name=f"dynamic {project.batches.count()}", seed=1, size=size,
        dataset=dataset_of(project, size), annotators=[user.username for user in three], overlap=1,
        handing_out=HandingOut.AS_THEY_COME, **options,
    )  # fmt: skip


def test_items_taken_as_people_come_go_back_to_whoever_is_free(project, three, manager):
    batch = dynamic(project, three[:2])
    lease_items(batch=batch, by=three[0], count=3)
    remove(three[0], manager, open_items=OpenItems.HAND_BACK)
    assert open_items(batch, None) == [1, 2, 3, 4] and places_without_annotator(batch) == []
    lease_items(batch=batch, by=three[0], count=3)
    assert open_items(batch, three[0]) == []
    lease_items(batch=batch, by=three[1], count=4)
    assert open_items(batch, three[1]) == [1, 2, 3, 4]


def test_a_pause_keeps_what_was_assigned_unless_told_otherwise(project, three, manager):
    batch = judging_batch(project, three, size=3, overlap=1)
    change_annotator(batch=batch, by=manager, annotator=three[0], paused=True)
    assert open_items(batch, three[0]) != []
    change_annotator(batch=batch, by=manager, annotator=three[0], paused=False)
    change_annotator(
        batch=batch, by=manager, annotator=three[0], paused=True, open_items=OpenItems.HAND_OVER, to="ben"
    )
    assert open_items(batch, three[0]) == [] and len(open_items(batch, three[1])) == 2
    change_annotator(batch=batch, by=manager, annotator=three[2], paused=True)
    with pytest.raises(PublicError, match="cas is paused"):
        change_annotator(
            batch=batch, by=manager, annotator=three[1], paused=True, open_items="hand_over", to="cas"
        )


@pytest.mark.django_db(transaction=True)
def test_an_answer_during_the_removal_is_stored_or_refused():
    project = ProjectFactory()
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    manager = UserFactory()
    batch = judging_batch(project, people, size=12, overlap=1)
    mine = assignments_of(batch, people[0])
    start = Barrier(2)

    def answer():
        stored = []
        try:
            start.wait()
            for assignment in mine:
                try:
                    save_judgement(
                        assignment=assignment,
                        by=people[0],
                        key=uuid4(),
                        version=0,
                        label=YES,
                        describe=present,
                    )
                except PublicError:
                    continue
                stored.append(assignment.pk)
        finally:
            connection.close()
        return stored

    def leave():
        try:
            start.wait()
            remove(people[0], manager, open_items=OpenItems.HAND_BACK)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answering, leaving = pool.submit(answer), pool.submit(leave)
        stored, _ = answering.result(), leaving.result()
    kept = set(Assignment.objects.of(people[0]).values_list("pk", "state", "judgement__label"))
    assert kept == {(pk, "done", YES) for pk in stored}
    assert len(open_items(batch, people[1])) == 12 - len(stored)
    assert Answer.objects.count() == len(stored)
    assert events(event="role-removed", details__role="annotator") == ["role-removed"]
    check_places(batch, 1)
